#include "session_start.h"

#include "answers.h"
#include "gate.h"
#include "keeper.h"
#include "limits.h"
#include "protocol.h"
#include "session_ending.h"
#include "session_gate.h"
#include "session_input.h"
#include "session_output.h"
#include "session_reading.h"
#include "session_watch.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

static uint64_t program_nofile;

void sessions_init(uint64_t nofile_soft) { program_nofile = nofile_soft; }

/* ---- starting ---- */

static bool open_pty(struct session *s, const char *ptmx)
{
	s->master.fd = fd_nonblocking(fd_kept(ptmx && *ptmx ? system_open_master(ptmx) : posix_openpt(O_RDWR | O_NOCTTY)));
	if (s->master.fd < 0 || grantpt(s->master.fd) < 0 || unlockpt(s->master.fd) < 0)
		return false;
	s->slave = system_open_slave(s->master.fd);
	struct stat stat_buffer;
	struct termios termios;
	if (s->slave < 0 || fstat(s->slave, &stat_buffer) < 0 || tcgetattr(s->slave, &termios) < 0)
		return false;
	s->device = stat_buffer.st_rdev;
	/* Backspace in canonical mode must delete whole characters. */
	termios.c_iflag |= IUTF8;
	tcsetattr(s->slave, TCSANOW, &termios);
	struct winsize size = {.ws_col = s->cols, .ws_row = s->rows};
	return ioctl(s->master.fd, TIOCSWINSZ, &size) == 0;
}

static void keeper_ready(struct source *, uint32_t events);

static bool start_keeper(struct session *s, const struct session_start *start)
{
	int pair[2];
	if (!fd_pair_kept(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), pair))
		return false;
	struct gate_ends gate = {-1, -1, -1};
	/* A terminal whose gate cannot be made has none, and its owner hears of none. */
	bool has_gate = start->gate && *start->gate && gate_make(start->gate, &gate);
	struct keeper_start keeper = {.slave = s->slave, .control = pair[1], .gate = has_gate ? &gate : NULL, .cwd = start->cwd,
	                              .argv = start->argv, .envp = start->envp, .nofile_soft = program_nofile};
	s->keeper = keeper_spawn(&keeper);
	int error = errno;
	close(pair[1]);
	session_gate_init(s, gate.channel);
	gate.channel = -1;
	gate_ends_close(&gate);
	s->control = (struct source){.fd = pair[0], .ready = keeper_ready};
	errno = error;
	return s->keeper > 0 && fcntl(pair[0], F_SETFL, O_NONBLOCK) == 0 && loop_watch(&s->control, POLLIN);
}

static void exit_quiet_over(struct timer *);

void session_spawn(const struct session_start *start)
{
	struct session *s = calloc(1, sizeof *s);
	if (!s) {
		owner_error(start->id, start->request, ENOMEM, "no memory for another session");
		return;
	}
	s->id = start->id;
	s->cols = start->cols;
	s->rows = start->rows;
	s->spawn_request = start->request;
	s->slave = s->control.fd = s->master.fd = s->gate.fd = -1;
	s->expected = true;
	s->master.ready = session_output_ready;
	s->exit_quiet.fire = exit_quiet_over;
	bool has_ring = ring_init(&s->ring, start->ring_bytes);
	session_input_init(s);
	watch_init(s);
	s->next = sessions;
	sessions = s;
	session_count++;
	s->meta = malloc(start->meta_length + 1);
	if (s->meta && start->meta_length) {
		memcpy(s->meta, start->meta, start->meta_length);
		s->meta_length = start->meta_length;
	}
	enum spawn_stage stage = SPAWN_PTY;
	if (has_ring && s->meta && open_pty(s, start->ptmx)) {
		stage = SPAWN_KEEPER;
		if (start_keeper(s, start)) {
			session_ending_init(s);
			session_update_reading(s);
			return;
		}
	}
	session_answer_spawned(s, errno ? errno : EIO, stage);
	session_free(s);
}

/* ---- reports of the keeper ---- */

static bool start_has_failed(struct session *s, const struct keeper_record *record)
{
	if (record->kind != KEEPER_STARTED)
		return false;
	s->leader = record->a;
	if (record->a == 0) {
		session_answer_spawned(s, record->b & 0xffff, (enum spawn_stage)(record->b >> 16));
		session_free(s);
		return true;
	}
	if (!s->closing)
		timer_disarm(&s->ending);
	session_answer_spawned(s, 0, SPAWN_OK);
	return false;
}

static void keeper_ready(struct source *source, uint32_t events)
{
	(void)events;
	struct session *s = CONTAINER(source, struct session, control);
	struct keeper_record record;
	ssize_t length;
	while ((length = read(source->fd, &record, sizeof record)) == (ssize_t)sizeof record) {
		if (start_has_failed(s, &record))
			return;
		if (record.kind == KEEPER_EXITED)
			session_leader_ended(s, record.a);
		if (record.kind == KEEPER_EMPTY) {
			s->keeper_done = true;
			s->survivors = (uint32_t)record.a;
		}
	}
	if (length < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	/* The end of the keeper: no process is left below it, or it was killed and ptyhost takes over its processes. */
	s->keeper_gone = true;
	loop_watch(&s->control, 0);
	fd_close(&s->control.fd);
	session_keeper_ended(s);
}

static void exit_quiet_over(struct timer *timer)
{
	struct session *s = CONTAINER(timer, struct session, exit_quiet);
	s->exit_due = true;
	session_mark_dirty(s);
}
