/* A program to debug: makes a file in the workspace, and deletes the one that it is given. */
#include <stdio.h>
#include <unistd.h>

int delete_file(const char *path) { return unlink(path); }

int main(int argc, char **argv)
{
	FILE *made = fopen("made", "w");
	fputs("made\n", made);
	fclose(made);
	int result = delete_file(argv[argc - 1]);
	printf("result %d\n", result);
	return result != 0;
}
