/**
 * The lines of a command as they are typed at a shell's prompt, where two habits of scripts do not hold: zsh knows no comments there, and
 * bash and zsh expand `!` in double quotes from their history. Comments are left out for zsh, and such a `!` is put in single quotes, so
 * that both mean what they mean in a script. Behind quotes that are not plainly read, such as a substitution in double quotes, all is
 * typed unchanged.
 */

import { basename } from 'node:path'

type Quote = "'" | '"' | ''

interface Scan {
  readonly quote: Quote
  /** The rest is typed unchanged: the lines of a here-document, or quotes inside quotes. */
  readonly isVerbatim: boolean
}

export function runLines(command: string, shell: string | null): readonly string[] {
  const lines = command.replace(/(?:\r?\n)+$/, '').split(/\r?\n/)
  const name = basename(shell ?? '')
  if (name !== 'bash' && name !== 'zsh') return lines
  const typed: string[] = []
  let scan: Scan = { quote: '', isVerbatim: false }
  for (const line of lines) {
    const begun = scan
    const { text, isComment, ...after } = typedLine(line, begun, name === 'zsh')
    scan = after
    // A line of several stays where it is nothing but a comment: the shell would take it for one, too.
    if (isComment && text.trim() === '' && lines.length > 1) continue
    typed.push(text)
  }
  return typed
}

/** A reference to the history inside double quotes; `!!`, `!$`, `!*` and numbers are meant as such. */
const reference = /^![^\s=(!$*\d-]/

/** A here-document, a substitution with quotes of its own, and quotes that keep backslashes. */
const verbatim = /^(?:<<(?!<)|\$\(|\$'|`)/

function typedLine(
  line: string,
  begun: Scan,
  isZsh: boolean,
): Scan & { readonly text: string; readonly isComment: boolean } {
  if (begun.isVerbatim) return { ...begun, text: line, isComment: false }
  let { quote } = begun
  let text = ''
  for (let at = 0; at < line.length; at++) {
    const before = line.charAt(at - 1)
    const character = line.charAt(at)
    const rest = line.slice(at)
    const [plainParameter] = quote === '"' ? (/^\$\{\w+\}/.exec(rest) ?? []) : []
    if (plainParameter !== undefined) {
      text += plainParameter
      at += plainParameter.length - 1
    } else if (character === '\\' && quote !== "'") {
      text += line.slice(at, at + 2)
      at++
    } else if (quote === '"' && reference.test(rest) && (before === '' || !'${[!'.includes(before))) text += `"'!'"`
    else if (quote === '' && character === '#' && isZsh && /^[\s;&|]?$/.test(before))
      return { quote, isVerbatim: false, text: text.trimEnd(), isComment: true }
    else if (quote !== "'" && (verbatim.test(rest) || (quote === '"' && rest.startsWith('${'))) && before !== '<')
      return { quote: '', isVerbatim: true, text: text + rest, isComment: false }
    else {
      if (quote === '' && (character === "'" || character === '"')) quote = character
      else if (quote === character) quote = ''
      text += character
    }
  }
  return { quote, isVerbatim: false, text, isComment: false }
}
