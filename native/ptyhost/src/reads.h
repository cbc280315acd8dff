/* Being told that somebody has read from a terminal, by the kernel and at once. */
#ifndef PTYHOST_READS_H
#define PTYHOST_READS_H

/* The number under which reads of this terminal are told from now on; -1 where the kernel cannot tell. */
int reads_watch(int master);
void reads_unwatch(int number);
/* Tells what has happened so far, without waiting for the loop. */
void reads_tell_now(void);

/* Called for each number whose terminal was read. */
void watch_was_read(int number);

#endif
