/** Which terminals there are, for those who watch all of them. */

export interface TerminalSummary {
  readonly terminalId: string
  readonly name: string | null
}

/** Each event holds all terminals, so a slow reader misses events but never a terminal. */
export interface TerminalsEvent {
  readonly type: 'terminals'
  /** In the order in which they were opened. */
  readonly terminals: readonly TerminalSummary[]
}

export interface WatchOptions {
  readonly overview?: undefined
  /** Ends the watching. */
  readonly signal?: AbortSignal
}
