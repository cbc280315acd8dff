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
 * A `blob` is u32 length + bytes. `request` is chosen by the owner and comes back in the answer. Offsets are absolute
 * positions in a session's output. Requests are carried out in the order of their arrival.
 *
 * The first frame must be HELLO. Only one connection at a time is the owner, the others are turned away; the owner's
 * end is noticed when its socket closes, so a killed daemon frees the place by dying.
 */
#ifndef PTYHOST_PROTOCOL_H
#define PTYHOST_PROTOCOL_H

#define PROTOCOL_VERSION 1
#define PROTOCOL_MAGIC 0x59545041u /* "APTY" */
#define FRAME_HEADER_BYTES 12
#define FRAME_BYTES_MAX (2u << 20)

enum request_type {
	REQUEST_HELLO = 1,     /* u32 magic, u16 version                                                             */
	REQUEST_SPAWN = 2,     /* u32 request, u16 cols, u16 rows, u32 ringBytes, blob meta, blob cwd,
	                          u32 argc, blob..., u32 envc, blob...                                               */
	REQUEST_LIST = 3,      /* u32 request                                                                        */
	REQUEST_ATTACH = 4,    /* u64 from: send output from here on, and the exit                                   */
	REQUEST_ACK = 5,       /* u64 offset: everything before it has been dealt with                               */
	REQUEST_WRITE = 6,     /* u32 request, bytes                                                                 */
	REQUEST_RESIZE = 7,    /* u32 request, u16 cols, u16 rows                                                    */
	REQUEST_SIGNAL = 8,    /* u32 request, i32 signal, to the foreground group                                   */
	REQUEST_CLOSE = 9,     /* u32 request, u16 graceMs, u8 leaveDaemons                                          */
	REQUEST_WATCH = 10,    /* u8 on: while on, FACTS come whenever something may have changed                    */
	REQUEST_META = 11,     /* bytes: replaces the owner's own notes about the session                            */
	REQUEST_SHUTDOWN = 12, /* u32 request: close every session, then end                                         */
	REQUEST_STATS = 13,    /* u32 request                                                                        */
};

enum answer_type {
	ANSWER_HELLO = 64,    /* u16 version, u32 pid, u32 sessions, u8 granted                                      */
	ANSWER_SPAWNED = 65,  /* u32 request, i32 pid, i32 errno, u8 stage (enum spawn_stage)                        */
	ANSWER_SESSION = 66,  /* u32 request, i32 pid, u64 start, u64 end, u8 exited, i32 code, i32 signal,
	                         u16 cols, u16 rows, u32 resizes, {u64 offset, u16 cols, u16 rows}..., blob meta      */
	ANSWER_LISTED = 67,   /* u32 request: the last ANSWER_SESSION of a LIST has been sent                        */
	ANSWER_ATTACHED = 68, /* u64 start, u64 end: output before start is gone                                     */
	ANSWER_OUTPUT = 69,   /* u64 offset, bytes                                                                   */
	ANSWER_EXIT = 70,     /* u64 offset, i32 code, i32 signal: nothing the program wrote is missing before offset;
	                         code is -1 when it died by a signal                                                 */
	ANSWER_WRITTEN = 71,  /* u32 request, u8 result (enum write_result), i32 signal, u64 dropped bytes,
	                         u8 whether the terminal, or a line editor in its place, may have echoed it,
	                         u64 input bytes written so far; facts with fewer are older than this write          */
	ANSWER_DONE = 72,     /* u32 request                                                                         */
	ANSWER_FACTS = 73,    /* see facts.h                                                                         */
	ANSWER_CLOSED = 74,   /* u32 request, u32 survivors (processes that could not be ended)                      */
	ANSWER_RESIZED = 76,  /* u32 request, u64 offset, u16 cols, u16 rows: output from offset on may know the new size;
	                         told before any of that output                                                      */
	ANSWER_STATS = 77,    /* u32 request, u64 looks at programs so far, u64 CPU nanoseconds they took            */
	ANSWER_ERROR = 75,    /* u32 request, i32 errno, blob message                                                */
};

enum spawn_stage { SPAWN_OK = 0, SPAWN_PTY = 1, SPAWN_KEEPER = 2, SPAWN_CWD = 3, SPAWN_EXEC = 4 };

enum write_result {
	WRITE_ALL = 0,         /* every byte reached the terminal                                                    */
	WRITE_INTERRUPTED = 1, /* the program was not reading: its signal was sent, what was queued is dropped       */
	WRITE_DROPPED = 2,     /* an interrupt, the exit or the close came first                                     */
};

#endif
