/* Events of the kernel for reads from a terminal, at once. */
#ifndef PTYHOST_READS_H
#define PTYHOST_READS_H

/* The number under which reads of this terminal are reported from now on; -1 where the kernel has no such event. */
int reads_watch(int master);
void reads_unwatch(int number);
/* Reports the reads so far, without waiting for the loop. */
void reads_report_now(void);

/* Called for each number whose terminal was read. */
void watch_was_read(int number);

#endif
