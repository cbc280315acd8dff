/*
 * Replays the saved inputs of a target without a fuzzer: `replay FOLDER`. Each runs in a process of its own, so that every
  * failing one is named. Prints one TAP line.
 */
#include "fuzz.h"

#include <dirent.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { INPUT_MAX = 1 << 20 };

static uint8_t input[INPUT_MAX];

static void replay(const char *path)
{
	FILE *file = fopen(path, "rb");
	MUST(file, path);
	size_t length = fread(input, 1, sizeof input, file);
	fclose(file);
	/* A copy of exactly this size: a sanitizer detects a read past its end. */
	uint8_t *data = malloc(length ? length : 1);
	MUST(data, "memory for the input");
	memcpy(data, input, length);
	LLVMFuzzerTestOneInput(data, length);
	free(data);
}

static int holds(const char *folder, const char *name)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	pid_t child = fork();
	MUST(child >= 0, "another process");
	if (child == 0) {
		replay(path);
		_exit(0);
	}
	int status;
	if (waitpid(child, &status, 0) == child && status == 0)
		return 1;
	printf("# %s does not hold\n", path);
	return 0;
}

int main(int count, char **arguments)
{
	DIR *folder = count == 2 ? opendir(arguments[1]) : NULL;
	if (!folder) {
		fprintf(stderr, "usage: replay FOLDER\n");
		return 2;
	}
	int inputs = 0, held = 0;
	for (struct dirent *entry; (entry = readdir(folder));) {
		if (entry->d_name[0] == '.')
			continue;
		inputs++;
		held += holds(arguments[1], entry->d_name);
	}
	closedir(folder);
	int good = inputs > 0 && held == inputs;
	printf("%sok 1 - %d of %d kept inputs of %s hold\n1..1\n", good ? "" : "not ", held, inputs, arguments[1]);
	return !good;
}
