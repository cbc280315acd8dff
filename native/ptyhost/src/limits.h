/* Every bound of ptyhost. Sizes are bytes, times nanoseconds unless the name says otherwise. */
#ifndef PTYHOST_LIMITS_H
#define PTYHOST_LIMITS_H

#define MS 1000000ull /* nanoseconds */

#define SESSIONS_MAX 4096
#define CONNECTIONS_MAX 16
#define ARGUMENTS_MAX 4096       /* per program, and as many environment entries */
#define ARGUMENT_BYTES_MAX 131071u /* of one argument or entry: Linux takes 32 pages, its terminating zero among them */
#define START_BYTES_MAX (1792u << 10) /* of all of them: Linux takes 2 MiB, with a zero and a pointer for each */
#define START_BYTES_EACH 9u      /* that zero and that pointer */
#define PATH_BYTES_MAX 4095u     /* of a folder's name: PATH_MAX without its zero */
#define META_BYTES_MAX (16u << 10)
#define RING_BYTES_MIN (64u << 10)
#define RING_BYTES_MAX (256u << 20)
#define READ_BYTES (64u << 10)   /* taken from one PTY before the next one has its turn, */
#define READ_NS (MS / 2)         /* or after this time: a program that writes while it is read could take ten times as much */
#define GATHER_NS (2 * MS)       /* output of a PTY that has more waits at most this time for READ_BYTES: waking costs the owner */
#define UNACKED_BYTES_MAX (1u << 20) /* further ahead of the owner than this a PTY is not read: its program waits */
#define INPUT_BYTES_MAX (16u << 20)
#define MOMENTS_MAX 1024u        /* of one session's output, 16 bytes each */
#define CONTROL_BYTES_MAX (192u << 20) /* answers a connection has not taken; past this it is cut off. A list of all is less */
/* A connection has its memory from the start: REQUEST_ for what comes in, ANSWER_ for answers in addition to output. */
#define REQUEST_BYTES_KEPT (128u << 10)
#define ANSWER_BYTES_KEPT (512u << 10)
#define OUTPUT_AHEAD_BYTES (64u << 10) /* output put into a connection's buffer beyond what its socket took: others wait behind it */

#define INPUT_RETRY_NS (20 * MS) /* a full terminal does not always say when it has room again */
#define EXIT_QUIET_NS (100 * MS) /* children of a finished program may still write: its exit waits for this much quiet */
#define DEFER_NS (MS / 4)        /* an answer that says nothing urgent waits this time at most for others to go with it */
#define HELLO_NS (5000 * MS)     /* a connection that does not introduce itself is cut off */
#define LINGER_NS_DEFAULT (10000 * MS) /* without sessions and connections ptyhost ends itself */

#define START_NS (30000 * MS)    /* a keeper that has not said by then whether its program runs is given up */
#define KEEPER_ANSWER_NS (1500 * MS) /* a keeper that ends its tree may take this time beyond its own deadlines */
#define KILL_ROUND_NS (10 * MS)
#define KILL_ROUNDS_MIN 20       /* rounds in which a tree is read and killed, however long each takes, */
#define KILL_NS (2000 * MS)      /* and the time for them; what is still there sleeps in the kernel or belongs to root */
#define TREE_PROCESSES_MAX 8192       /* of one tree, ended in one round */
#define CACHES_KEPT_MAX 64       /* sessions that are not watched and whose waiter's files stay open: some five each */
#define ORPHANS_MAX 32768        /* children of ptyhost that have lost their keepers: as many as there are numbers */

#endif
