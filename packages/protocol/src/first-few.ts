/** A list in an error, which its reader pays for: at most five, and how many more there are. */

const shownMax = 5

/** @example firstFew(['a', 'b']) // 'a, b' */
export function firstFew(names: readonly string[]): string {
  const more = names.length - shownMax
  return `${names.slice(0, shownMax).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
