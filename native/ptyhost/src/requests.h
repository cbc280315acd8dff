/* What the owner may ask for. */
#ifndef PTYHOST_REQUESTS_H
#define PTYHOST_REQUESTS_H

#include <stddef.h>
#include <stdint.h>

/* Whatever it is, it is answered: what makes no sense with an error, for request 0 where it carries no number. */
void request_handle(uint8_t type, uint32_t session, const uint8_t *payload, size_t length);
/* A frame of which only the beginning is there, and no more is read: it is too long (EMSGSIZE), or there is no memory for it. */
void request_refuse(int problem, uint8_t type, uint32_t session, const uint8_t *beginning, size_t length);

#endif
