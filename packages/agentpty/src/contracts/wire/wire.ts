/** What carries messages between a client and a daemon: a socket, a pipe, or whatever else keeps them whole and in order. */

export interface WireHandlers {
  /** One JSON object. */
  readonly message: (text: string) => void
  /** Nothing more comes or goes; called once. */
  readonly closed: () => void
}

export interface Wire {
  /** Called once; nothing is lost before. */
  open(handlers: WireHandlers): void
  /** What is sent after the wire has closed goes nowhere. */
  send(message: string): void
  close(): void
}
