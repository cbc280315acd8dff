/**
 * Carries messages between a client and a daemon: a socket, a pipe, or anything else that keeps them whole and in
 * order.
 */

export interface WireHandlers {
  /** One JSON object. */
  readonly message: (text: string) => void
  /** The wire has closed; called once. */
  readonly closed: () => void
}

export interface Wire {
  /** Called once; nothing is lost before. */
  open(handlers: WireHandlers): void
  /** Messages that are sent after the wire has closed are dropped. */
  send(message: string): void
  close(): void
}
