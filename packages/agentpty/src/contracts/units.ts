/** The measures that cross rooms. They are plain numbers at run time; the names keep offsets and durations apart for readers. */

/** An absolute position in a session's output, in bytes since the session began. Never re-used, never reset. */
export type Offset = number

/** A moment on the monotonic clock, in milliseconds, or a duration. */
export type Millis = number

/** A terminal's size in cells. */
export interface Size {
  readonly cols: number
  readonly rows: number
}
