/** Units that several folders use. They are plain numbers at run time; the names distinguish offsets and durations for readers. */

/** An absolute position in a session's output, in bytes since the session began. Never re-used, never reset. */
export type Offset = number

/** A moment on the monotonic clock, in milliseconds, or a duration. */
export type Millis = number

/** A terminal's size in cells. */
export interface Size {
  readonly cols: number
  readonly rows: number
}
