/** The text without the spaces at its end. A loop, because a pattern would try again at every space of a long line. */
export function trimBlanks(text: string): string {
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) === 0x20) end -= 1
  return text.slice(0, end)
}
