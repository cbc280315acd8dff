/*
 * The physical floor: forkpty, poll and read, nothing else. No server, no protocol, no screen.
 *
 *   floor RCFILE create N | echo N | ready N | flood COMMAND | loss N FILE BYTES | scale N | leak N
 *
 * Runs a whole scenario and prints one JSON line. scale and leak then stay until their input ends, so they can be measured.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PROMPT "bench$ "
#define TAIL_MAX 512

typedef struct {
	int fd;
	pid_t pid;
	char tail[TAIL_MAX]; /* the end of what was read, so that a marker split over two reads is found */
	size_t tail_length;
	int at_prompt;
	unsigned long long bytes, lines;
} Session;

static char *rc_file;
static char chunk[1 << 16];

static double clock_ms(clockid_t id)
{
	struct timespec t;
	clock_gettime(id, &t);
	return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static double now(void) { return clock_ms(CLOCK_MONOTONIC); }

static double cpu_ms(void)
{
	struct rusage u;
	getrusage(RUSAGE_SELF, &u);
	return u.ru_utime.tv_sec * 1e3 + u.ru_utime.tv_usec / 1e3 + u.ru_stime.tv_sec * 1e3 + u.ru_stime.tv_usec / 1e3;
}

static Session open_program(char *const argv[])
{
	Session s = {0};
	struct winsize size = {24, 80, 0, 0};
	s.pid = forkpty(&s.fd, NULL, NULL, &size);
	if (s.pid == 0) {
		for (int fd = 3; fd < 4096; fd++) close(fd);
		execvp(argv[0], argv);
		_exit(127);
	}
	return s;
}

static Session open_bash(void)
{
	char *argv[] = {"bash", "--rcfile", rc_file, "-i", NULL};
	return open_program(argv);
}

static void end(Session *s)
{
	kill(-s->pid, SIGHUP);
	kill(-s->pid, SIGKILL);
	close(s->fd);
	waitpid(s->pid, NULL, 0);
}

static void keep_tail(Session *s, const char *data, size_t length)
{
	if (length >= TAIL_MAX) {
		memcpy(s->tail, data + length - TAIL_MAX, TAIL_MAX);
		s->tail_length = TAIL_MAX;
		return;
	}
	size_t kept = s->tail_length + length > TAIL_MAX ? TAIL_MAX - length : s->tail_length;
	memmove(s->tail, s->tail + s->tail_length - kept, kept);
	memcpy(s->tail + kept, data, length);
	s->tail_length = kept + length;
}

/* One read. 1: the marker was seen, 0: not yet, -1: the program is gone. A marker is reported once. */
static int step(Session *s, const char *marker)
{
	size_t wanted = strlen(marker);
	ssize_t n = read(s->fd, chunk, sizeof chunk);
	if (n <= 0) return -1;
	s->bytes += n;
	for (char *p = chunk; (p = memchr(p, '\n', chunk + n - p)); p++) s->lines++;
	int seen = memmem(chunk, n, marker, wanted) != NULL;
	keep_tail(s, chunk, n);
	seen = seen || memmem(s->tail, s->tail_length, marker, wanted) != NULL;
	size_t prompt = strlen(PROMPT);
	s->at_prompt = s->tail_length >= prompt && memcmp(s->tail + s->tail_length - prompt, PROMPT, prompt) == 0;
	if (seen) s->tail_length = 0;
	return seen;
}

static void until(Session *s, const char *marker)
{
	while (step(s, marker) == 0) continue;
}

/* The prompt often comes in the same read as the output before it. */
static void until_prompt(Session *s)
{
	if (!s->at_prompt) until(s, PROMPT);
}

static void type(Session *s, const char *text)
{
	size_t n = strlen(text);
	if (write(s->fd, text, n) != (ssize_t)n) perror("write");
}

static void print_next(int index, double value) { printf("%s%.4f", index ? "," : "", value); }

static void type_echo(Session *s, char letter, int number, char marker[64])
{
	char line[64];
	snprintf(line, sizeof line, "echo \"%c\"%d\n", letter, number);
	snprintf(marker, 64, "%c%d", letter, number);
	type(s, line);
}

static void echoes(Session *s, int n)
{
	char marker[64];
	for (int i = 0; i < n; i++) {
		double begun = now();
		type_echo(s, 'X', 100000 + i, marker);
		until(s, marker);
		print_next(i, now() - begun);
		until_prompt(s);
	}
}

static void run_create(int n)
{
	printf("{\"ms\":[");
	for (int i = 0; i < n; i++) {
		double begun = now();
		Session s = open_bash();
		until(&s, PROMPT);
		print_next(i, now() - begun);
		end(&s);
	}
	puts("]}");
}

static void run_echo(int n)
{
	Session s = open_bash();
	until(&s, PROMPT);
	double cpu = cpu_ms();
	printf("{\"ms\":[");
	echoes(&s, n);
	printf("],\"cpu\":%.3f}\n", (cpu_ms() - cpu) / n);
	end(&s);
}

static void run_ready(int n)
{
	Session s = open_bash();
	until(&s, PROMPT);
	printf("{\"reported\":[");
	for (int i = 0; i < n; i++) {
		type(&s, "sleep 0.2; true\n");
		until(&s, PROMPT);
		print_next(i, clock_ms(CLOCK_REALTIME));
	}
	puts("]}");
	end(&s);
}

static void run_flood(const char *command)
{
	Session flooded = open_bash(), neighbour = open_bash();
	until(&flooded, PROMPT);
	until(&neighbour, PROMPT);
	flooded.bytes = flooded.lines = 0;
	char line[1024], marker[64] = "";
	snprintf(line, sizeof line, "%s; echo \"E\"ND77\n", command);
	double cpu = cpu_ms(), begun = now(), typed = 0, next = begun;
	int count = 0, number = 200000, waiting = 0;
	type(&flooded, line);
	printf("{\"echo\":[");
	for (;;) {
		struct pollfd fds[2] = {{flooded.fd, POLLIN, 0}, {neighbour.fd, POLLIN, 0}};
		poll(fds, 2, 5);
		if (fds[1].revents && step(&neighbour, marker[0] ? marker : "\1") == 1 && waiting) {
			print_next(count++, now() - typed);
			waiting = 0;
			next = now() + 20;
		}
		if (fds[0].revents && step(&flooded, "END77")) break;
		if (!waiting && now() >= next) {
			typed = now();
			type_echo(&neighbour, 'Y', number++, marker);
			waiting = 1;
		}
	}
	double wall = now() - begun;
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	printf("],\"wall\":%.2f,\"bytes\":%llu,\"nl\":%llu,\"rssKb\":%ld,\"cpu\":%.1f}\n", wall, flooded.bytes,
		flooded.lines, usage.ru_maxrss, cpu_ms() - cpu);
	end(&flooded);
	end(&neighbour);
}

static void run_loss(int n, char *file, unsigned long long want)
{
	int bad = 0;
	double begun = now();
	for (int i = 0; i < n; i++) {
		char *argv[] = {"cat", file, NULL};
		Session s = open_program(argv);
		while (step(&s, "\1\1") >= 0) continue;
		if (s.bytes != want) bad++;
		close(s.fd);
		waitpid(s.pid, NULL, 0);
	}
	printf("{\"bad\":%d,\"runs\":%d,\"wall\":%.1f}\n", bad, n, now() - begun);
}

static void run_scale(int n)
{
	Session *sessions = calloc(n, sizeof *sessions);
	struct pollfd *fds = calloc(n + 1, sizeof *fds);
	double begun = now();
	for (int i = 0; i < n; i++) sessions[i] = open_bash();
	double created = now() - begun;
	for (int i = 0; i < n; i++) until(&sessions[i], PROMPT);
	printf("{\"create\":%.2f,\"allPrompts\":%.2f,\"echo\":[", created, now() - begun);
	echoes(&sessions[n / 2], 100);
	puts("]}");
	fflush(stdout);

	for (int i = 0; i < n; i++) fds[i] = (struct pollfd){sessions[i].fd, POLLIN, 0};
	fds[n] = (struct pollfd){STDIN_FILENO, POLLIN, 0};
	while (poll(fds, n + 1, -1) > 0 && !fds[n].revents)
		for (int i = 0; i < n; i++)
			if (fds[i].revents && read(fds[i].fd, chunk, sizeof chunk) < 0) fds[i].fd = -1;
	for (int i = 0; i < n; i++) end(&sessions[i]);
}

static void run_leak(int n)
{
	double begun = now();
	for (int i = 0; i < n; i++) {
		Session s = open_bash();
		end(&s);
	}
	printf("{\"wall\":%.1f}\n", now() - begun);
	fflush(stdout);
	while (read(STDIN_FILENO, chunk, sizeof chunk) > 0) continue;
}

int main(int argc, char **argv)
{
	if (argc < 4) return 2;
	rc_file = argv[1];
	const char *scenario = argv[2];
	int n = atoi(argv[3]);
	if (!strcmp(scenario, "create")) run_create(n);
	else if (!strcmp(scenario, "echo")) run_echo(n);
	else if (!strcmp(scenario, "ready")) run_ready(n);
	else if (!strcmp(scenario, "flood")) run_flood(argv[3]);
	else if (!strcmp(scenario, "loss") && argc > 5) run_loss(n, argv[4], strtoull(argv[5], NULL, 10));
	else if (!strcmp(scenario, "scale")) run_scale(n);
	else if (!strcmp(scenario, "leak")) run_leak(n);
	else return 2;
	return 0;
}
