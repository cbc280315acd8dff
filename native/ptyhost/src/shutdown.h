/* Ends ptyhost after every session is closed. */
#ifndef PTYHOST_SHUTDOWN_H
#define PTYHOST_SHUTDOWN_H

#include <stdbool.h>
#include <stdint.h>

/* Closes every session, then ends ptyhost; `request` is answered with DONE when it was asked for. */
void shutdown_begin(uint32_t request);
bool is_shutting_down(void);
bool shutdown_finished(void);

#endif
