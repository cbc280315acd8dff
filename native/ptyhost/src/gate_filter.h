/* The filter that hands system calls to the gate's supervisor. */
#ifndef PTYHOST_GATE_FILTER_H
#define PTYHOST_GATE_FILTER_H

#include <stdbool.h>

/* Installs it in the calling process. A gate that asks refuses calls of another instruction set. Returns the listener, or -1 with errno: EBUSY where another listener is above. */
int gate_filter_install(bool asks);

#endif
