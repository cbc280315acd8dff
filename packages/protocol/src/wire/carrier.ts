/** What carries the messages of one connection: a socket with lines, or a WebSocket. */
export interface Carrier {
  /** Bytes that were sent and wait for the other end to read. */
  readonly unsentBytes: number
  readonly isClosed: boolean
  send(message: string): void
  /** No more messages come, beyond those that have arrived already. */
  pause(): void
  resume(): void
  close(): void
}
