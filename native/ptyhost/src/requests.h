/* What the owner may ask for. */
#ifndef PTYHOST_REQUESTS_H
#define PTYHOST_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* False when the frame makes no sense; its sender is then cut off. */
bool request_handle(uint8_t type, uint32_t session, const uint8_t *payload, size_t length);
/* Closes every session, then ends ptyhost; `request` is answered with DONE when it was asked for. */
void shutdown_begin(uint32_t request);
bool shutdown_finished(void);

#endif
