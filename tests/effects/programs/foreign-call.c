/* Deletes a file by a call of the 32-bit instruction set, whose pointers must be below 4 GB. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

int main(int argc, char **argv)
{
	enum { UNLINK = 10 };
	char *path = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	long result = UNLINK;
	snprintf(path, 4096, "%s", argv[argc - 1]);
	__asm__ volatile("int $0x80" : "+a"(result) : "b"(path) : "memory", "r8", "r9", "r10", "r11");
	printf("result %d\n", (int)result);
	return 0;
}
