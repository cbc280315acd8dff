/* macOS has no bubblewrap. The engine refuses sandboxes there, so no code gets here. */
#include "wall.h"

#include <stdio.h>

int wall_main(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return 127;
}

int wall_print_landlock(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	puts("0");
	return 0;
}

int wall_inside_main(int argc, char **argv) { return wall_main(argc, argv); }
