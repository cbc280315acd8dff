/*
 * The wire between ptyhost and its owner (the daemon, or a library's process).
 *
 * A frame is a 12-byte header and a payload; every number is little-endian:
 *
 *   u32 length   of the payload, at most FRAME_BYTES_MAX
 *   u32 session  which session it is about, 0 for none
 *   u8  type     below
 *   u8[3]        zero
 *
 * Each row below ends with the fields of the payload in order; their meaning follows a colon. Besides numbers
  * there are: `bool`, a u8 that is 0 or 1; `text`, a u32 length and that many bytes; `name`, 16 bytes filled up with zeros;
  * `bytes`, the rest; and `T[]`, a u32 count and that many T. The engine has the same table
 * (packages/engine/src/ptyhost/protocol.ts), and its protocol.test.ts compares the two.
 *
 * `request` is chosen by the owner and returned in the answer. Offsets are absolute positions in a session's output.
  * Requests are handled in order of arrival. An answer may grow at its end: fields that an older ptyhost does not send count
  * as 0, and additional fields of a newer one are ignored.
 *
 * The first frame must be HELLO. Only one connection at a time is the owner; others are refused. The owner's end
  * is noticed when its socket closes, so that the next daemon can take over after a kill.
 */
#ifndef PTYHOST_PROTOCOL_H
#define PTYHOST_PROTOCOL_H

#define PROTOCOL_VERSION 1
#define PROTOCOL_MAGIC 0x59545041u /* "APTY" */
#define FRAME_HEADER_BYTES 12
#define FRAME_BYTES_MAX (2u << 20)

enum request_type {
	REQUEST_HELLO = 1,     /* u32 magic, u16 version */
	REQUEST_SPAWN = 2,     /* u32 request, u16 cols, u16 rows, u32 ringBytes, text meta, text cwd, text[] argv, text[] env,
	                          text ptmx, text gate: ptmx is where terminals are made, empty for the system's; gate is the table of
	                          gate.h, empty for a terminal without a gate; an older owner leaves out one or both */
	REQUEST_LIST = 3,      /* u32 request */
	REQUEST_ATTACH = 4,    /* u64 from: send output from here on, and the exit */
	REQUEST_ACK = 5,       /* u64 offset: everything before it has been dealt with */
	REQUEST_WRITE = 6,     /* u32 request, bytes input */
	REQUEST_RESIZE = 7,    /* u32 request, u16 cols, u16 rows */
	REQUEST_SIGNAL = 8,    /* u32 request, i32 signal: to the foreground group */
	REQUEST_CLOSE = 9,     /* u32 request, u16 graceMs, bool leaveDaemons */
	REQUEST_WATCH = 10,    /* bool on: while on, FACTS come whenever something may have changed */
	REQUEST_META = 11,     /* bytes meta: replaces the owner's own notes about the session */
	REQUEST_SHUTDOWN = 12, /* u32 request: close every session, then end */
	REQUEST_STATS = 13,    /* u32 request */
	/* These only where HELLO says that they are known: */
	REQUEST_DROP_INPUT = 14,    /* u32 request: drops all input that the program has not read, a half line included; answered by WRITTEN */
	REQUEST_WRITE_ONCE = 15, /* u32 request, u64 writer, u64 number, bytes input: as WRITE, but nothing of what this writer has
	                         sent under this number or a later one; its numbers grow */
	REQUEST_GATE = 16,       /* bytes message: to the gate of the terminal, one of gate.h */
};

enum answer_type {
	ANSWER_HELLO = 64,    /* u16 version, u32 pid, u32 sessions, bool granted, bool dropsInput: it knows DROP_INPUT and WRITE_ONCE */
	ANSWER_SPAWNED = 65,  /* u32 request, u32 pid, i32 errno, u8 stage: one of enum spawn_stage */
	ANSWER_SESSION = 66,  /* u32 request, u32 pid, u64 start, u64 end, bool exited, i32 code, i32 signal, u16 cols, u16 rows,
	                         {u64 offset, u16 cols, u16 rows}[] resizes, text meta, {u64 offset, u64 at}[] moments,
	                         u64 exitedAt: at is the time at which the byte at offset came, or at which the size changed there; bytes
	                         between two moments came between them. Both times are in ms since 1970; exitedAt is 0 before the end */
	ANSWER_LISTED = 67,   /* u32 request: the last ANSWER_SESSION of a LIST has been sent */
	ANSWER_ATTACHED = 68, /* u64 start, u64 end: output before start is gone */
	ANSWER_OUTPUT = 69,   /* u64 offset, bytes output */
	ANSWER_EXIT = 70,     /* u64 offset, i32 code, i32 signal: nothing the program wrote is missing before offset;
	                         code is -1 when a signal ended it */
	ANSWER_WRITTEN = 71,  /* u32 request, u8 result, i32 signal, u64 droppedBytes, bool echoes, u64 inputWritten:
	                         result is one of enum write_result. echoes: the terminal, or a line editor instead of it, may
	                         have echoed it. inputWritten: input so far; facts with fewer are older than this write */
	ANSWER_DONE = 72,     /* u32 request */
	ANSWER_FACTS = 73,    /* u64 offset, u64 at, u64 inputWritten, u64 slices, u32 foreground, u32 leader, u32 waiter,
	                         u32 waiterThread, i32 timeoutMs, u32 readBytes, u32 unread, u8 flags, u8 wait, u8 state,
	                         u8 otherFds, u8 sockets, u8 activity, u8 innerFlags, u8 threads, u64 cpuNs, name name,
	                         u64 callSite, i32 mainTimeoutMs, u8 children, bool shownNothing:
	                         at is ptyhost's monotonic clock in nanoseconds; flags are of enum facts_flag, innerFlags of
	                         enum facts_inner_flag; shownNothing: the process at work hides what it does, and nothing has come out of the
	                         terminal since it began; facts.h says the rest */
	ANSWER_CLOSED = 74,   /* u32 request, u32 survivors: processes that could not be ended */
	ANSWER_ERROR = 75,    /* u32 request, i32 errno, text message: errno says what is wrong, the message is for people */
	ANSWER_RESIZED = 76,  /* u32 request, u64 offset, u16 cols, u16 rows: output from offset on may know the new size;
	                         sent before any of that output */
	ANSWER_STATS = 77,    /* u32 request, u64 samples, u64 cpuNs: of programs so far, and the CPU time they took */
	ANSWER_GATE = 78,     /* bytes message: from the gate of the terminal, one of gate.h */
};

/* The sizes of payloads with a fixed size. */
enum answer_bytes {
	BYTES_HELLO = 12,
	BYTES_SPAWNED = 13,
	BYTES_LISTED = 4,
	BYTES_ATTACHED = 16,
	BYTES_EXIT = 16,
	BYTES_WRITTEN = 26,
	BYTES_DONE = 4,
	BYTES_FACTS = 106,
	BYTES_CLOSED = 8,
	BYTES_RESIZED = 16,
	BYTES_STATS = 20,
};

enum spawn_stage { SPAWN_OK = 0, SPAWN_PTY = 1, SPAWN_KEEPER = 2, SPAWN_CWD = 3, SPAWN_EXEC = 4, SPAWN_WALL = 5 };

enum write_result {
	WRITE_ALL = 0,         /* every byte reached the terminal */
	WRITE_INTERRUPTED = 1, /* the program was not reading: its signal was sent, what was queued is dropped */
	WRITE_DROPPED = 2,     /* an interrupt, DROP_INPUT, the exit or the close came first */
};

/* Fields of struct facts, and: */
enum facts_flag {
	FACTS_CANONICAL = 1 << 0,
	FACTS_ECHO = 1 << 1,
	FACTS_SIGNALS = 1 << 2,
	FACTS_READABLE = 1 << 3,
	FACTS_CONSUMED = 1 << 4,           /* proof that the program has taken the input of the last write */
	FACTS_INPUT_PENDING = 1 << 5,      /* input waits here for room in the terminal */
	FACTS_OUTPUT_SINCE_WRITE = 1 << 6,
	FACTS_EXITED = 1 << 7,             /* the program has ended */
};

enum facts_inner_flag {
	FACTS_INNER = 1 << 0,
	FACTS_OWN_DESCRIPTOR = 1 << 1,
	FACTS_OTHER_THREADS_WORK = 1 << 2,
	FACTS_RELAY = 1 << 3,
	FACTS_RELAY_HERE = 1 << 4,
	FACTS_PASSING = 1 << 5,
	FACTS_PIPES_ON = 1 << 6,
	FACTS_PIPE_RESTS = 1 << 7, /* 0 from an older host */
};

#endif
