/**
 * Lines of plain words, which most commands are: nothing in them is expanded, so they need no parser.
 *
 * @example plainWords('git commit -m "one line"') // ['git', 'commit', '-m', 'one line']
 */

const plainMax = 2_000 // characters; a longer line is the parser’s

/** A first word without `=`, then words that no shell reads as anything but themselves, some of them quoted. */
const plainLine =
  /^[\w./+-][\w./:+,@-]*(?: +(?:[\w./:+,@%-]|"[^"$`\\!\n]*"|'[^'\\!\n]*')(?:[\w./:+,@%=-]|"[^"$`\\!\n]*"|'[^'\\!\n]*')*)* *$/

/** Words that begin a block, an assignment or a declaration in one of the shells. */
const reserved =
  /^(?:if|then|elif|else|fi|for|foreach|while|until|do|done|case|esac|select|function|repeat|time|coproc|in|end|begin|switch|not|and|or|nocorrect|noglob|declare|typeset|local|export|readonly|exec)$/

/** Null for every other line. */
export function plainWords(line: string): readonly string[] | null {
  if (line.length > plainMax || !plainLine.test(line)) return null
  const words = line.match(/(?:[^ "']|"[^"]*"|'[^']*')+/g) ?? []
  if (/^\d+$/.test(words[0] ?? '') || words.some((word) => reserved.test(word))) return null
  if (!/["']/.test(line)) return words
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'))
}
