/* macOS has no namespaces. The engine reports that before any code gets here. */
#include "container.h"

static int refuse(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return 127;
}

int containers_main(int argc, char **argv) { return refuse(argc, argv); }
int container_enter_main(int argc, char **argv) { return refuse(argc, argv); }
int container_sweep_main(int argc, char **argv) { return refuse(argc, argv); }
int container_init_main(int argc, char **argv) { return refuse(argc, argv); }
