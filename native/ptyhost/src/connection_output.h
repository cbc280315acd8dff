/* Sends on a connection: answers in their order, and output after them. */
#ifndef PTYHOST_CONNECTION_OUTPUT_H
#define PTYHOST_CONNECTION_OUTPUT_H

struct connection;

void connection_output_init(struct connection *);
void connection_output_end(struct connection *);
/* Sends as much as the socket accepts. */
void connection_write(struct connection *);

#endif
