/* The filter that hands system calls to the gate's supervisor. */
#ifndef PTYHOST_GATE_FILTER_H
#define PTYHOST_GATE_FILTER_H

/* Installs it in the calling process. Returns the listener, or -1 with errno: EBUSY where another listener is above. */
int gate_filter_install(void);

#endif
