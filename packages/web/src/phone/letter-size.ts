/** The size of letters, in pixels. */
const usualSize = 13
/** Smaller letters cannot be read: the screen is then scrolled sideways. */
const smallestSize = 9

/**
 * Returns the size of letters for a screen of columns that must not wrap: so small that all columns are visible, if they can still be read.
 *
 * `room`: the width for them. `letterWidth`: of one letter of the usual size. All in pixels.
 */
export function letterSize(
  cols: number,
  { room, letterWidth }: { readonly room: number; readonly letterWidth: number },
): number {
  const whole = Math.floor(((room / cols) * usualSize * 10) / letterWidth) / 10
  return whole < smallestSize ? usualSize : Math.min(usualSize, whole)
}
