/** Smaller letters cannot be read: the screen is then scrolled sideways. */
const smallestSize = 9

/** Lengths in pixels. */
interface LetterRoom {
  readonly usualSize: number
  /** The width of the text. */
  readonly room: number
  /** The width of one letter of the usual size. */
  readonly letterWidth: number
}

/**
 * Returns the size of letters for a screen of columns that must not wrap: so small that all columns are visible, if they can still be read.
 */
export function letterSize(cols: number, { usualSize, room, letterWidth }: LetterRoom): number {
  const whole = Math.floor(((room / cols) * usualSize * 10) / letterWidth) / 10
  return whole < smallestSize ? usualSize : Math.min(usualSize, whole)
}
