/* What goes out on a connection: answers in their order, and output behind them. */
#ifndef PTYHOST_CONNECTION_OUTPUT_H
#define PTYHOST_CONNECTION_OUTPUT_H

struct connection;

void connection_output_init(struct connection *);
void connection_output_end(struct connection *);
/* Sends what there is and what the socket takes. */
void connection_write(struct connection *);

#endif
