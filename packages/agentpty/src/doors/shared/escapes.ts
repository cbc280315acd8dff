/** Escape sequences in output that was read as it came. */

/** An escape sequence that is longer is no longer waited for. */
const escapeCharactersMax = 8 * 1024

/** OSC, DCS and the like up to their end; CSI; all others. */
const escapes = /\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\|$)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]/g

/**
 * Text without them; line ends and other control characters stay.
 *
 * @example withoutEscapes('\x1b[31mred\x1b[0m\r\n') // 'red\r\n'
 */
export function withoutEscapes(text: string): string {
  return text.replaceAll(escapes, '')
}

/**
 * The beginning of an escape sequence at the end of a text.
 *
 * @example unfinishedEscape('red\x1b[3') // '\x1b[3'
 */
export function unfinishedEscape(text: string): string {
  const at = text.lastIndexOf('\x1b')
  const rest = at < 0 ? '' : text.slice(at)
  if (rest.length > escapeCharactersMax) return ''
  // Of a string that ends with ESC \, the second half begins with ESC as well.
  if (rest === '\x1b') return unfinishedString(text.slice(0, at)) + rest
  return /^\x1b(\[[0-?]*[ -/]*|[ -/]+|[\]PX^_][^\x07]*)$/.test(rest) ? rest : ''
}

function unfinishedString(text: string): string {
  const rest = unfinishedEscape(text)
  return /^\x1b[\]PX^_]/.test(rest) ? rest : ''
}
