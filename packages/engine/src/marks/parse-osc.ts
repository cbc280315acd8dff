/**
 * A mark: something a program said in an escape sequence that is about its work, not about the picture.
 *
 * `offset` is that of its ESC in the log and `end` the offset after its last byte, so that the text between two
 * marks can be read exactly. Sources: FinalTerm's OSC 133, VS Code's OSC 633, iTerm2's OSC 9, ConEmu's OSC 9;4,
 * rxvt's OSC 777, kitty's OSC 99 and keyboard flags, and xterm's control sequences for the rest.
 */

import { basename } from 'node:path'
import type { Offset } from '@agentpty/protocol'

export type MarkBody =
  | { readonly kind: 'prompt-start' }
  | { readonly kind: 'prompt-end' }
  /** A prompt for the rest of a command: a quote is open, or a loop has no end yet. */
  | { readonly kind: 'continuation' }
  | { readonly kind: 'command-start' }
  | { readonly kind: 'command-end'; readonly exitCode: number | null }
  | { readonly kind: 'command-line'; readonly line: string; readonly nonce: string | null }
  | EditLineMark
  | { readonly kind: 'cwd'; readonly path: string }
  | { readonly kind: 'title'; readonly title: string }
  /** State as ConEmu counts it: 0 none, 1 normal, 2 error, 3 indeterminate, 4 paused. Value is per cent. */
  | { readonly kind: 'progress'; readonly state: number; readonly value: number | null }
  | { readonly kind: 'notification'; readonly text: string }
  | { readonly kind: 'program-status'; readonly raw: string }
  /** Does the terminal know OSC 7501? It is answered with the question itself, ended in the same way. */
  | { readonly kind: 'status-query'; readonly terminator: Terminator }
  | { readonly kind: 'bracketed-paste'; readonly on: boolean }
  | { readonly kind: 'alternate-screen'; readonly on: boolean }
  | { readonly kind: 'application-cursor'; readonly on: boolean }
  | { readonly kind: 'cursor-visible'; readonly on: boolean }
  | QueryMark
  /** ESC c: the terminal as if it had just been turned on. */
  | { readonly kind: 'reset' }

/** The text of the shell's line editor, which the shell reports for a private key of ours. */
export interface EditLineMark {
  readonly kind: 'edit-line'
  readonly line: string
  /** Enter would run it, for it is whole and valid; null where the shell does not know. */
  readonly wouldRun: boolean | null
  /** The program that zsh parsed: without comments, with aliases expanded and short forms written out; null in other shells. */
  readonly program: string | null
  readonly nonce: string
}

type Terminator = '\x07' | '\x1b\\'

/** A question that the program waits on until the terminal answers. */
export interface QueryMark {
  readonly kind: 'query'
  readonly name: QueryName
  /** Asked in DEC's private form, CSI ?, for sequences that have both forms. */
  readonly private: boolean
  /** The mode asked for; null where the question has no parameter. */
  readonly parameter: number | null
}

type QueryName =
  | 'primary-attributes'
  | 'secondary-attributes'
  | 'cursor-position'
  | 'device-status'
  | 'mode'
  | 'version'
  | 'foreground-color'
  | 'background-color'
  | 'kitty-flags'
  | 'setting'
  | 'size'

/** Whether work continues; a pause or an error waits for the caller. */
export function isProgressing({ state }: Extract<MarkBody, { readonly kind: 'progress' }>): boolean {
  return state === 1 || state === 3
}

export type Mark = MarkBody & { readonly offset: Offset; readonly end: Offset }

// Shells that agentpty starts with its integration, which marks prompts and commands and reports the line editor's text.

const names: ReadonlySet<string> = new Set(['bash', 'zsh', 'fish'])

/** @param shell - The program that the session was started with; null for a session that is no shell. */
export function marksPrompts(shell: string | null): boolean {
  return shell !== null && names.has(basename(shell))
}

// Parses the payload of an OSC, between `ESC ]` and its terminator, into marks. Unknown sequences give none.
//
// Everything here came from a program, so nothing throws: what cannot be decoded is kept as it was written.

/** @param terminator - The byte or sequence it ended with: some answers must end the same way. */
export function parseOsc(payload: string, terminator: Terminator): readonly MarkBody[] {
  const [code, rest] = cut(payload, ';')
  if (code === '7501' && rest?.trim() === '?') return [{ kind: 'status-query', terminator }]
  const read = rest === null ? undefined : readers.get(code)
  return read === undefined || rest === null ? [] : read(rest)
}

type OscReader = (rest: string) => readonly MarkBody[]

const readers: ReadonlyMap<string, OscReader> = new Map<string, OscReader>([
  ['0', (rest) => [{ kind: 'title', title: rest }]],
  ['2', (rest) => [{ kind: 'title', title: rest }]],
  ['7', readFileUrl],
  ['9', readOsc9],
  ['10', (rest) => readColorQueries(rest, 10)],
  ['11', (rest) => readColorQueries(rest, 11)],
  ['99', readKittyNotification],
  ['133', readFinalTerm],
  ['633', readVsCode],
  ['777', readRxvtNotification],
  ['7501', (rest) => [{ kind: 'program-status', raw: rest }]],
])

function readFinalTerm(rest: string): readonly MarkBody[] {
  const [letter = '', ...options] = rest.split(';')
  if ((letter === 'P' || letter === 'A') && options.some((option) => /^k=[cs]$/.test(option)))
    return [{ kind: 'continuation' }]
  const line = letter === 'C' ? commandLineOption(options) : null
  return [...(line === null ? [] : [line]), ...readCommandLetter(letter, options[0])]
}

function readCommandLetter(letter: string, option: string | undefined): readonly MarkBody[] {
  switch (letter) {
    case 'A':
      return [{ kind: 'prompt-start' }]
    case 'B':
      return [{ kind: 'prompt-end' }]
    case 'C':
      return [{ kind: 'command-start' }]
    case 'D':
      return [{ kind: 'command-end', exitCode: wholeNumber(option) }]
    default:
      return []
  }
}

/** fish and kitty send the line together with its start: `133;C;cmdline_url=ls%20-l`. */
function commandLineOption(options: readonly string[]): MarkBody | null {
  const name = 'cmdline_url='
  const option = options.find((each) => each.startsWith(name))
  return option === undefined
    ? null
    : { kind: 'command-line', line: percentDecoded(option.slice(name.length)), nonce: null }
}

function readVsCode(rest: string): readonly MarkBody[] {
  const [letter = '', first = '', second = ''] = rest.split(';')
  if (letter === 'E') {
    return [{ kind: 'command-line', line: vsCodeDecoded(first), nonce: second === '' ? null : vsCodeDecoded(second) }]
  }
  if (letter === 'L') return [readEditLine(rest.split(';').slice(1))]
  if (letter === 'P') {
    const [name, value] = cut(first, '=')
    return name === 'Cwd' && value !== null ? [{ kind: 'cwd', path: vsCodeDecoded(value) }] : []
  }
  return readCommandLetter(letter, first)
}

/** `633;L;state;line;nonce;program`, of agentpty's own shell integration. */
function readEditLine([state = '', line = '', nonce = '', program = '']: readonly string[]): MarkBody {
  const wouldRun = state === '' ? null : state === '0'
  const read = program === '' ? null : vsCodeDecoded(program)
  return { kind: 'edit-line', line: vsCodeDecoded(line), wouldRun, program: read, nonce }
}

const vsCodeDecoded = (text: string): string =>
  text.replaceAll(/\\(?:\\|x([0-9a-f]{2}))/gi, (_, hex: string | undefined) =>
    hex === undefined ? '\\' : String.fromCharCode(Number.parseInt(hex, 16)),
  )

function readFileUrl(rest: string): readonly MarkBody[] {
  const path = /^(?:file|kitty-shell-cwd):\/\/[^/]*(\/.*)$/s.exec(rest)?.[1]
  if (path === undefined) return []
  return [{ kind: 'cwd', path: rest.startsWith('file:') ? percentDecoded(path) : path }]
}

function readOsc9(rest: string): readonly MarkBody[] {
  const [command, parameters] = cut(rest, ';')
  if (command === '4') {
    const [state, value] = (parameters ?? '').split(';')
    return [{ kind: 'progress', state: wholeNumber(state) ?? 0, value: wholeNumber(value) }]
  }
  // ConEmu's other commands are numbered too. They are for Windows, and no one's notification.
  if (/^\d+$/.test(command)) return []
  return [{ kind: 'notification', text: rest }]
}

function readRxvtNotification(rest: string): readonly MarkBody[] {
  const [command, parameters] = cut(rest, ';')
  if (command !== 'notify' || parameters === null) return []
  const [title, body] = cut(parameters, ';')
  return [{ kind: 'notification', text: [title, body ?? ''].filter((part) => part !== '').join(': ') }]
}

function readKittyNotification(rest: string): readonly MarkBody[] {
  const [metadata, text] = cut(rest, ';')
  const options = metadata.split(':')
  const part = options.find((option) => option.startsWith('p='))?.slice(2) ?? 'title'
  if (text === null || (part !== 'title' && part !== 'body')) return []
  const isBase64 = options.includes('e=1')
  return [{ kind: 'notification', text: isBase64 ? Buffer.from(text, 'base64').toString() : text }]
}

/** `OSC 10;?;?` asks for 10 and then 11: each further value is the next colour's. */
function readColorQueries(rest: string, code: number): readonly MarkBody[] {
  return rest.split(';').flatMap((value, index): readonly MarkBody[] => {
    const name = colorNames.get(code + index)
    return value === '?' && name !== undefined ? [{ kind: 'query', name, private: false, parameter: null }] : []
  })
}

const colorNames: ReadonlyMap<number, QueryName> = new Map<number, QueryName>([
  [10, 'foreground-color'],
  [11, 'background-color'],
])

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Not percent-encoded: many prompts print the path unchanged.
    return text
  }
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^-?\d{1,10}$/.test(text) ? Number(text) : null
}

function cut(text: string, separator: string): readonly [string, string | null] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)]
}
