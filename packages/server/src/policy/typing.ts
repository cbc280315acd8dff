/** The bytes that a call types, as text: what a line editor would get. */

import { type Host, quote } from '@agentpty/engine/host'
import { encodeKeys, runLines, textOptions, typedText } from '@agentpty/engine/keys'
import type { Session, TerminalModes } from '@agentpty/engine/session'
import type { Call } from '@agentpty/protocol/call'
import { isTypingVerb, type ParsedVerbInput, type TypingVerb } from '@agentpty/protocol/verbs'
import { assembleLines, type EnteredLine, emptyEditor, judgementOf, nothingFound } from '@agentpty/shell-policy'
import type { JudgedCall } from './judge-start.ts'
import { isReadByShell, readerOf, type ShellReading } from './shell-reading.ts'

const typed: { readonly [Name in TypingVerb]: (input: ParsedVerbInput<Name>, session: Session) => string } = {
  send: ({ text, newline }, session) => textAs(text, session, newline),
  answer: ({ text }, session) => textAs(text, session, true),
  // Errors: `unknown_key`, before anything is judged or pressed.
  sendKeys: ({ keys }, { modes }) => textOf(encodeKeys(keys, modes)),
  // Judged is only whether the caller may type into this program. A person’s text is neither judged nor kept.
  secret: () => '',
  // A person takes back what an agent has typed.
  take: () => '',
  write: ({ data }) => Buffer.from(data, 'base64').toString('utf8'),
  // Each line is judged as `send` types it, and only when the prompt is empty.
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

/** Returns what follows the first words that end a program: the shell behind reads it. Null where all of it stays in the program. */
export function afterLeaving(text: string): string | null {
  const found = leaving.exec(text)
  if (found === null) return null
  const rest = text.slice(found.index + found[0].length)
  return rest.trim() === '' ? null : rest
}

/** ctrl+c, ctrl+d, ctrl+z, ctrl+\ and what interpreters, editors and remote shells end by, on a line of its own. */
const leaving =
  /[\x03\x04\x1a\x1c]|(?:^|[\r\n])[ \t]*(?:exit|quit|logout|bye|q|\\q|\.exit|\.quit|:q!?|:wq!?|:x|:qa!?|ZZ|ZQ|~\.)(?:\(\d*\))?;?[ \t]*[\r\n]/

/** Splits a paste that ends in Enter into one paste for each line. Without bracketed paste, the lines are typed. */
export function oneByOne(text: string, { bracketedPaste }: Pick<TerminalModes, 'bracketedPaste'>): string {
  if (!text.includes('\x1b[200~')) return text
  if (!bracketedPaste) return text.replace(/\x1b\[20[01]~/g, '')
  return text.replace(entered, (whole) => whole.replace(/\r\n?|\n/g, '\x1b[201~\r\x1b[200~'))
}

const entered = /\x1b\[200~(?:(?!\x1b\[201~).)*\x1b\[201~(?=[\r\n])/gs

/** Replaces paste marks by an unknown key for a reader that may not support them. */
export function withoutPastes(text: string, { bracketedPaste }: Pick<TerminalModes, 'bracketedPaste'>): string {
  return bracketedPaste ? text : text.replace(/\x1b\[20[01]~/g, unknownKey)
}

const unknownKey = '\x1b[20~'

/** A paste of several lines that enters none. After a key that quotes the next one, its mark would be text, and its newlines Enter. */
export function hasPastedLines(text: string): boolean {
  return /\x1b\[200~(?:(?!\x1b\[201~).)*[\r\n]/s.test(text)
}

export function linesIn(text: string): readonly string[] {
  return assembleLines(text, emptyEditor).events.flatMap((event) => (event.kind === 'entered' ? [event.text] : []))
}

// Typing of an agent into its own environment: recorded unless it is a secret, and not judged, because it cannot harm this machine.

/** The journal's input about a judged call. */
export type Noted = Pick<JudgedCall, 'judgement' | 'profile' | 'text' | 'isSecret' | 'cwd'> & {
  /** The number of bytes typed; null for a secret. */
  readonly bytes: number | null
}

/** Null for every other call. Errors: `unknown_key`. */
export function typedInside(
  { name, input, context, typesInto: terminalId }: Call,
  host: Pick<Host, 'known'>,
): Promise<Noted> | null {
  if (context.scope === undefined || context.isPerson === true || terminalId === undefined || !isTypingVerb(name))
    return null
  const session = host.known(terminalId)
  if (session === null || session.info.environment === null) return null
  const text = typedBy(name, input, session)
  return Promise.resolve(readerOf(session)).then(({ kind }) => {
    const isSecret = kind === 'secret' || name === 'secret'
    const shown = isSecret ? { text: '', bytes: null } : { text, bytes: Buffer.byteLength(text) }
    return { judgement: judgementOf(nothingFound, 'trusted'), profile: null, isSecret, cwd: context.cwd, ...shown }
  })
}

interface AdmittedLine extends EnteredLine {
  /** See `judgeWrite`. */
  readonly isConfirmed: boolean
}

const admittedMax = 1_000

/** Lines that were judged and allowed, and are not typed yet. The oldest are removed, and judged again before Enter. */
export class AdmittedLines {
  #lines: AdmittedLine[] = []

  add(lines: readonly AdmittedLine[]): void {
    this.#lines.push(...lines)
    if (this.#lines.length > admittedMax) this.#lines = this.#lines.slice(-admittedMax)
  }

  find(text: string): AdmittedLine | undefined {
    return this.#lines.find((line) => line.text === text)
  }

  /** One of the lines was allowed only because the shell reports how it reads it. */
  needsReport(texts: readonly string[], reading: ShellReading): boolean {
    const lines = texts.map((text) => this.find(text))
    return lines.some((line) => line?.isConfirmed === true && isReadByShell(line, reading))
  }

  /** Returns the line and removes it with the lines before it; null when it was not admitted. */
  take(text: string): AdmittedLine | null {
    const at = this.#lines.findIndex((line) => line.text === text)
    return at < 0 ? null : (this.#lines.splice(0, at + 1)[at] ?? null)
  }
}
