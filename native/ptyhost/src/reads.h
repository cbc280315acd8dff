/* Immediate kernel events for reads of a terminal. */
#ifndef PTYHOST_READS_H
#define PTYHOST_READS_H

/* The number under which reads of this terminal are reported from now on; -1 where the kernel has no such event. `was_read` is
 * the same function for all terminals. It receives the number of each terminal that was read. */
int reads_watch(int master, void (*was_read)(int number));
void reads_unwatch(int number);
/* Reports the reads so far, without waiting for the loop. */
void reads_report_now(void);

#endif
