/** The bytes that a call types, as text: what a line editor would get. */

import { quote } from '@agentpty/engine/host'
import { encodeKeys, runLines, typedText } from '@agentpty/engine/keys'
import { type Session, textOptions } from '@agentpty/engine/session'
import type { ParsedVerbInput, TypingVerb } from '@agentpty/protocol/verbs'

const typed: { readonly [Name in TypingVerb]: (input: ParsedVerbInput<Name>, session: Session) => string } = {
  send: ({ text, newline }, session) => textAs(text, session, newline),
  answer: ({ text }, session) => textAs(text, session, true),
  // Errors: `unknown_key`, before anything is judged or pressed.
  sendKeys: ({ keys }, { modes }) => textOf(encodeKeys(keys, modes)),
  // Whether anybody may type into this program; what a person types there is nobody's to judge, or to keep.
  secret: () => '',
  // A person takes back what an agent has typed.
  take: () => '',
  write: ({ data }) => Buffer.from(data, 'base64').toString('utf8'),
  // Line by line, as `send` types each of them, and only where nothing stands at the prompt.
  run: ({ command, cwd }, session) => {
    const moves = cwd === undefined ? [] : [`cd -- ${quote(cwd)}`]
    const lines = runLines(command, session.info.shell)
    return [...moves, ...lines].map((text) => typed.send(typedLine(text), session)).join('')
  },
}

const typedLine = (text: string) => ({ text, newline: true }) as ParsedVerbInput<'send'>

function textAs(text: string, session: Session, submit: boolean): string {
  const { body, enter } = typedText(text, textOptions(session, submit))
  // Half a character becomes what its bytes say.
  return (body + (enter ?? '')).toWellFormed()
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8')

/** Errors: `unknown_key`. */
export function typedBy(name: TypingVerb, input: unknown, session: Session): string {
  return (typed[name] as (input: unknown, session: Session) => string)(input, session)
}

/**
 * What follows the words that end a program, from the first of them on. Who starts a shell’s command after it types into the shell behind
 * the program; text without such words stays in the program.
 */
export function afterLeaving(text: string): string | null {
  const found = leaving.exec(text)
  if (found === null) return null
  const rest = text.slice(found.index + found[0].length)
  return rest.trim() === '' ? null : rest
}

/** ctrl+c, ctrl+d, ctrl+z, ctrl+\ and what interpreters, editors and remote shells end by, on a line of its own. */
const leaving =
  /[\x03\x04\x1a\x1c]|(?:^|[\r\n])[ \t]*(?:exit|quit|logout|bye|q|\\q|\.exit|\.quit|:q!?|:wq!?|:x|:qa!?|ZZ|ZQ|~\.)(?:\(\d*\))?;?[ \t]*[\r\n]/
