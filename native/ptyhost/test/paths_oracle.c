/*
 * gate_resolve against the kernel: random paths in random trees, for a process with its own working folder, descriptors, root and user.
 *
 *   paths_oracle [SEED [CASES]]
 *
 * A path that the kernel opens must lead to the same file, and one that it refuses must have the same errno. Where only the last component is
 * missing, the process makes the file, which must then be at the resolved place. Prints TAP, and each disagreement with its seed.
 */
#include "gate_identity.h"
#include "gate_paths.h"
#include "random.h"
#include "random_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CASES = 4000, CASES_OF_TREE = 200, REPORTED_MAX = 10, SHOWN_MAX = 400, NOBODY = 65534, NR_OPENAT2 = 437 };

/* ---- the process that makes the calls ---- */

struct request {
	int folder;
	enum gate_end end;
	char path[TEXT_BYTES];
};

struct answer {
	int problem, made_problem;
	uint64_t device, number; /* of what is there or was made */
};

static void identify(int fd, struct answer *answer)
{
	struct stat seen;
	must(fstat(fd, &seen) == 0, "fstat");
	answer->device = (uint64_t)major(seen.st_dev) << 32 | minor(seen.st_dev);
	answer->number = seen.st_ino;
}

static bool has_slash(const char *path) { return *path && path[strlen(path) - 1] == '/'; }

/* A call about a name is about the same thing with a slash behind it and without one. */
static const char *without_slashes(const char *path, enum gate_end end)
{
	static char stripped[TEXT_BYTES];
	size_t length = strlen(path);
	while (end == END_NAME && length > 1 && path[length - 1] == '/')
		length--;
	snprintf(stripped, sizeof stripped, "%.*s", (int)length, path);
	/* A path that is too long stays so. */
	return strlen(path) < PATH_MAX ? stripped : path;
}

static int make_file(const struct request *request)
{
	if (request->end == END_NAME && has_slash(request->path)) {
		if (mkdirat(request->folder, request->path, 0700) < 0)
			return -1;
		return openat(request->folder, request->path, O_PATH | O_CLOEXEC);
	}
	int exclusive = request->end == END_FOLLOWED ? 0 : O_EXCL;
	return openat(request->folder, request->path, O_CREAT | O_WRONLY | O_NONBLOCK | O_CLOEXEC | exclusive, 0600);
}

static struct answer do_call(const struct request *request)
{
	struct answer answer = {0};
	int no_follow = request->end == END_FOLLOWED ? 0 : O_NOFOLLOW;
	int fd = openat(request->folder, without_slashes(request->path, request->end), O_PATH | O_CLOEXEC | no_follow);
	answer.problem = fd < 0 ? errno : 0;
	if (answer.problem == ENOENT) {
		fd = make_file(request);
		answer.made_problem = fd < 0 ? errno : 0;
	}
	if (fd >= 0) {
		identify(fd, &answer);
		close(fd);
	}
	return answer;
}

static void become_caller(void)
{
	int pair[2];
	must(fchdir(tree.top) == 0 && (!tree.is_root_of_process || chroot(".") == 0), "chroot");
	must(pipe(pair) == 0 && dup2(pair[0], PIPE_FD) == PIPE_FD, "pipe");
	close(pair[0]);
	close(pair[1]);
	/* Some folder and some file of the tree. */
	dup2(tree.top, FOLDER_FD);
	for (size_t i = 0; i < tree.entry_count; i++) {
		int fd = open(tree.entries[below(tree.entry_count)], O_PATH | O_CLOEXEC);
		struct stat seen;
		if (fd >= 0 && fstat(fd, &seen) == 0)
			dup2(fd, S_ISDIR(seen.st_mode) ? FOLDER_FD : FILE_FD);
		if (fd >= 0)
			close(fd);
	}
	if (tree.users != AS_IT_IS && geteuid() == 0)
		must(setresgid(NOBODY, NOBODY, NOBODY) == 0 && setresuid(NOBODY, NOBODY, NOBODY) == 0, "an ordinary user");
	prctl(PR_SET_DUMPABLE, 1);
	umask(0);
}

static void serve(int socket)
{
	static struct request request;
	ssize_t length;
	must(write(socket, ".", 1) == 1, "write");
	while ((length = recv(socket, &request, sizeof request, 0)) > 0) {
		struct answer answer = do_call(&request);
		must(send(socket, &answer, sizeof answer, 0) == sizeof answer, "send");
	}
	_exit(0);
}

static pid_t start_caller(int *socket)
{
	int pair[2];
	char byte;
	must(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0, "socketpair");
	pid_t caller = fork();
	must(caller >= 0, "fork");
	if (caller == 0) {
		close(pair[0]);
		become_caller();
		serve(pair[1]);
	}
	close(pair[1]);
	must(read(pair[0], &byte, 1) == 1, "the process starts");
	*socket = pair[0];
	return caller;
}

/* ---- comparing ---- */

static unsigned disagreements, opened, made, refused;

/* The path that a person is shown leads there, too. */
static bool is_shown(const struct gate_place *place, const struct answer *kernel)
{
	struct stat seen;
	if (*place->shown != '/' || place->spot.is_cut || place->spot.is_proc)
		return true;
	if (lstat(place->shown, &seen) < 0)
		return errno == EACCES;
	return seen.st_ino == kernel->number && seen.st_dev == makedev(kernel->device >> 32, kernel->device & UINT32_MAX);
}

/* The sentence about what is wrong, or NULL. */
static const char *compare(const struct request *request, int problem, const struct gate_place *place, const struct answer *kernel)
{
	if (kernel->problem && kernel->problem != ENOENT) {
		refused++;
		return problem == kernel->problem ? NULL : "another errno";
	}
	if (!kernel->problem) {
		opened++;
		if (problem || !place->exists)
			return "not found";
		if (place->file.device != kernel->device || place->file.number != kernel->number)
			return "another file";
		return is_shown(place, kernel) ? NULL : "another file by the path that is shown";
	}
	if (!kernel->made_problem) {
		struct gate_file now;
		made++;
		if (problem || place->exists)
			return "not the folder of a new file";
		bool is_it = gate_place_look(place, &now) && now.device == kernel->device && now.number == kernel->number;
		unlinkat(place->folder, place->name, has_slash(request->path) ? AT_REMOVEDIR : 0);
		return is_it ? NULL : "another folder than that of the new file";
	}
	refused++;
	/* Nothing is there, and nothing can be made: a name in a folder of the kernel, or one with a slash behind it. */
	return problem == ENOENT || (!problem && !place->exists) ? NULL : "not missing";
}

static void report(const struct request *request, const char *wrong, int problem, const struct answer *kernel, uint64_t seed)
{
	if (++disagreements > REPORTED_MAX)
		return;
	static const char *const ends[] = {"followed", "link", "name"};
	printf("# seed %llu: %s: gate %s, kernel %s, made %s; end %s, from %s%s%s, users %d\n#   ", (unsigned long long)seed, wrong, strerror(problem), strerror(kernel->problem),
	       strerror(kernel->made_problem), ends[request->end], request->folder == AT_FDCWD ? "the working folder" : "a descriptor", tree.is_deep ? ", deep" : "",
	       tree.is_root_of_process ? ", own root" : "", tree.users);
	for (const char *at = request->path; *at && at < request->path + SHOWN_MAX; at++)
		printf(*at < ' ' || *at > '~' ? "\\x%02x" : "%c", (unsigned char)*at);
	puts("");
}

static void try_path(pid_t caller, int socket, uint64_t seed)
{
	static struct request request;
	static struct text path;
	static struct gate_place place;
	struct answer kernel;
	make_path(&path);
	request.folder = chance(70) ? AT_FDCWD : chance(90) ? FOLDER_FD : chance(50) ? FILE_FD : CLOSED_FD;
	request.end = (enum gate_end)below(3);
	memcpy(request.path, path.bytes, path.length + 1);
	const struct gate_caller of = {.thread = caller, .folder = request.folder};
	if (tree.users == ROOT_FOR_USER)
		must(gate_take_identity(caller), "the identity of the process");
	/* Longer paths are refused before they are resolved. */
	int problem = path.length >= PATH_MAX ? ENAMETOOLONG : gate_resolve(&of, path.bytes, request.end, &place);
	gate_give_back_identity();
	size_t length = sizeof request - sizeof request.path + path.length + 1;
	must(send(socket, &request, length, 0) == (ssize_t)length && recv(socket, &kernel, sizeof kernel, 0) == sizeof kernel, "a call");
	const char *wrong = compare(&request, problem, &place, &kernel);
	if (wrong)
		report(&request, wrong, problem, &kernel, seed);
	if (!problem)
		gate_place_close(&place);
}

static void try_tree(uint64_t seed, size_t cases)
{
	int socket, status;
	random_start(seed);
	make_tree();
	pid_t caller = start_caller(&socket);
	/* The rest of the tree's cases are those of an ordinary user. */
	if (tree.users == USER_FOR_USER)
		must(setresgid(-1, NOBODY, -1) == 0 && setresuid(-1, NOBODY, -1) == 0 && prctl(PR_SET_DUMPABLE, 1) == 0, "an ordinary user");
	for (size_t i = 0; i < cases; i++)
		try_path(caller, socket, seed);
	if (tree.users == USER_FOR_USER)
		must(setresuid(-1, 0, -1) == 0 && setresgid(-1, 0, -1) == 0, "root");
	close(socket);
	waitpid(caller, &status, 0);
	remove_tree();
}

int main(int count, char **arguments)
{
	uint64_t seed = count > 1 ? strtoull(arguments[1], NULL, 10) : 1;
	size_t cases = count > 2 ? strtoull(arguments[2], NULL, 10) : CASES;
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (syscall(NR_OPENAT2, AT_FDCWD, "", NULL, 0) < 0 && errno == ENOSYS)
		puts("# not run, because there is no openat2: paths that the kernel resolves at once; all are walked");
	for (size_t done = 0; done < cases; done += CASES_OF_TREE)
		try_tree(seed++, CASES_OF_TREE < cases - done ? CASES_OF_TREE : cases - done);
	printf("# %u opened, %u made, %u refused\n", opened, made, refused);
	printf("%sok 1 - paths are resolved as the kernel resolves them\n1..1\n", disagreements ? "not " : "");
	return disagreements > 0;
}
