/*
 * Programs that change a path while it is judged. `races KIND PROTECTED FREE TRIES`: in each try something is removed or emptied in the folder
 * FREE, while another thread or process makes the path lead to PROTECTED. Prints how often the protected file was lost.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

static char protected_file[4096], free_file[4096], path[4096];
static const char *protected_folder, *free_folder;
static volatile bool is_over;
static int moving = 100; /* a descriptor that changes its folder */

static void spin(void)
{
	for (volatile int i = 0; i < 300; i++)
		;
}

static void make(const char *file, const char *text)
{
	int fd = open(file, O_CREAT | O_WRONLY, 0600);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		exit(2);
	close(fd);
}

/* ---- the one that changes ---- */

static void *change_path(void *unused)
{
	while (!is_over) {
		memcpy(path, free_file, strlen(free_file) + 1);
		spin();
		memcpy(path, protected_file, strlen(protected_file) + 1);
		spin();
	}
	return unused;
}

/* Opening a folder for writing fails, and opening a file does not. */
static void *change_folder(void *unused)
{
	while (!is_over) {
		memcpy(path, free_folder, strlen(free_folder) + 1);
		spin();
		memcpy(path, protected_file, strlen(protected_file) + 1);
		spin();
	}
	return unused;
}

static void *change_descriptor(void *unused)
{
	int own = open(free_folder, O_PATH), other = open(protected_folder, O_PATH);
	while (!is_over) {
		dup2(own, moving);
		spin();
		dup2(other, moving);
		spin();
	}
	return unused;
}

static void change_link(void)
{
	for (;;) {
		unlink("l2");
		symlink("ok", "l2");
		rename("l2", "l");
		unlink("l2");
		symlink(protected_folder, "l2");
		rename("l2", "l");
	}
}

/* The folder itself gives way to a link. */
static void change_parent(void)
{
	for (;;) {
		rename("l", "away");
		symlink(protected_folder, "l");
		unlink("l");
		rename("away", "l");
	}
}

/* ---- the tries ---- */

static void try_path(void) { unlink(path); }
static void try_open(void) { close(open(path, O_WRONLY | O_TRUNC)); }
static void try_link(void) { unlink("l/t"); }
static void try_link_open(void) { close(open("l/t", O_WRONLY | O_TRUNC)); }

static void try_descriptor(void)
{
	unlinkat(moving, "t", 0);
	unlink("/proc/self/fd/100/t");
}

/* Another name of the protected file, in a place where all is free. */
static void try_hard_link(void)
{
	unlink("h");
	link(protected_file, "h");
	close(open("h", O_WRONLY | O_TRUNC));
	truncate("h", 0);
}

static const struct race {
	const char *name;
	void *(*thread)(void *);
	void (*process)(void);
	void (*attempt)(void);
} races[] = {
	{"path", change_path, NULL, try_path}, {"path-open", change_path, NULL, try_open}, {"symlink", NULL, change_link, try_link},
	{"symlink-open", NULL, change_link, try_link_open}, {"parent", NULL, change_parent, try_link}, {"descriptor", change_descriptor, NULL, try_descriptor},
	{"hard-link", NULL, NULL, try_hard_link}, {"folder", change_folder, NULL, try_open},
};

static int run(const struct race *race, int tries)
{
	pthread_t thread;
	pid_t process = 0;
	int lost = 0;
	struct stat before, now;
	if (stat(protected_file, &before) < 0)
		return -1;
	if (race->thread)
		pthread_create(&thread, NULL, race->thread, NULL);
	if (race->process && (process = fork()) == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		race->process();
	}
	for (int i = 0; i < tries; i++) {
		int fd = open(free_file, O_CREAT | O_WRONLY, 0600);
		close(fd);
		race->attempt();
		if (stat(protected_file, &now) < 0 || now.st_size != before.st_size) {
			lost++;
			break; /* this process cannot put it back */
		}
	}
	is_over = true;
	if (race->thread)
		pthread_join(thread, NULL);
	if (process)
		kill(process, SIGKILL);
	return lost;
}

int main(int count, char **arguments)
{
	if (count != 5 || chdir(arguments[3]) < 0)
		return 2;
	protected_folder = arguments[2];
	free_folder = arguments[3];
	snprintf(protected_file, sizeof protected_file, "%s/t", protected_folder);
	mkdir("ok", 0700);
	bool has_link = strncmp(arguments[1], "symlink", 7) == 0;
	if (strcmp(arguments[1], "parent") == 0)
		mkdir("l", 0700);
	snprintf(free_file, sizeof free_file, "%s/%s", free_folder, has_link ? "ok/t" : strcmp(arguments[1], "parent") == 0 ? "l/t" : "t");
	if (strcmp(arguments[1], "parent") != 0)
		make(free_file, "free");
	for (size_t i = 0; i < sizeof races / sizeof *races; i++) {
		if (strcmp(races[i].name, arguments[1]) != 0)
			continue;
		int tries = atoi(arguments[4]), lost = run(&races[i], tries);
		printf("tries %d lost %d\n", tries, lost);
		return lost != 0;
	}
	return 2;
}
