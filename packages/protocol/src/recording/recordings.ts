/** Recordings that lie on the disk. */

export interface RecordingRow {
  /** That of the terminal. */
  readonly id: string
  readonly path: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly title: string | null
  readonly command: string | null
  readonly cols: number
  readonly rows: number
  readonly bytes: number
  /** From the first to the last event. */
  readonly seconds: number
  /** Of the program, as its status or the number of its signal and 128; null where it has not ended, or nobody saw it. */
  readonly exitCode: number | null
  /** It was written to its end. */
  readonly isEnded: boolean
}
