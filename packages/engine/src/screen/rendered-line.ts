/** A line as a person would have read it: one row, or several that only the width of the screen had broken. */
export interface RenderedLine {
  readonly text: string
  /** Index of the first byte that began it, in the bytes that were rendered. Never decreases from line to line. */
  readonly offset: number
  /** How many lines it represents, when it represents several. */
  readonly standsFor?: number
}
