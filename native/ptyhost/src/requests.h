/* The requests of the owner. */
#ifndef PTYHOST_REQUESTS_H
#define PTYHOST_REQUESTS_H

#include <stddef.h>
#include <stdint.h>

/* Every request is answered: an invalid one with an error, for request 0 if it contains no number. */
void request_handle(uint8_t type, uint32_t session, const uint8_t *payload, size_t length);
/* Refuses a frame of which only the beginning is read: it is too long (EMSGSIZE), or there is no memory for it. */
void request_refuse(int problem, uint8_t type, uint32_t session, const uint8_t *beginning, size_t length);

#endif
