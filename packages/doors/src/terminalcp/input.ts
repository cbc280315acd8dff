/** Types what comes through terminalcp's `stdin`: in order for each session, with every Enter as a key press of its own. */

import { KeyedQueue } from '@agentpty/protocol'
import type { ToolCall } from '@agentpty/protocol/mcp'
import { aside } from '../parts/aside.ts'

interface Piece {
  readonly text: string
  /** Type Enter after it. */
  readonly enter: boolean
}

/**
 * Splits a text at its carriage returns; one that a line feed follows stays in the text.
 *
 * @example piecesOf('ls\rq') // [{ text: 'ls', enter: true }, { text: 'q', enter: false }]
 */
export function piecesOf(data: string): readonly Piece[] {
  const texts = data.split(/\r(?!\n)/)
  return texts
    .map((text, at) => ({ text, enter: at < texts.length - 1 }))
    .filter(({ text, enter }) => text !== '' || enter)
}

/** Programs that detect pastes take an Enter that follows other input sooner than this for a part of the paste. */
const pasteBurstMs = 160
const pasteEndsMsMax = 250

/** An interrupt must reach a program that does not read what was typed before it. */
const startsWithInterrupt = /^[\x03\x1a\x1c]/

export class InputQueue {
  readonly #queue = new KeyedQueue()

  /** Resolves when all of it is on its way. Errors: `session_not_found`, `session_exited`, `input_full`. */
  async type(terminalId: string, data: string, call: ToolCall): Promise<void> {
    const typing = () => typeAll({ terminalId, call }, piecesOf(data))
    if (startsWithInterrupt.test(data)) return typing()
    return this.#queue.run(terminalId, typing)
  }
}

interface Target {
  readonly terminalId: string
  readonly call: ToolCall
}

async function typeAll(target: Target, pieces: readonly Piece[]): Promise<void> {
  for (const piece of pieces) await typePiece(target, piece)
}

/** The verb `send` knows when an Enter has to wait for the program, which is seldom. */
async function typePiece(target: Target, { text, enter }: Piece): Promise<void> {
  if (text.includes('\n')) await writeLines(target, text, { enter })
  // An Escape with an Enter right after it would be read as another key.
  else if (text.endsWith('\x1b')) await type(target, text, { enter: false })
  else return type(target, text, { enter })
  if (enter) await type(target, '', { enter })
}

async function type({ terminalId, call }: Target, text: string, { enter }: Pick<Piece, 'enter'>): Promise<void> {
  const { client, signal } = call
  await client.call('send', { terminalId, text, newline: enter, waitFor: 'none' }, { signal })
}

/**
 * Line feeds are written as they are, not as Enters. A program that does not read them must not hold the call up; one
 * that reads has taken them before an Enter follows.
 */
async function writeLines({ terminalId, call }: Target, text: string, { enter }: Pick<Piece, 'enter'>): Promise<void> {
  const { client, signal } = call
  const over = new AbortController()
  const quiet = { waitFor: { quietMs: pasteBurstMs }, waitTimeoutMs: pasteEndsMsMax }
  const writing = client.call('write', { terminalId, data: Buffer.from(text).toString('base64') }, { signal })
  const context = { signal: AbortSignal.any([signal, over.signal]) }
  const waiting = aside(client).call('wait', { terminalIds: [terminalId], ...quiet }, context)
  try {
    await Promise.race([waiting, enter ? writing.then(() => waiting) : writing])
  } finally {
    over.abort()
  }
}

// Keys by their terminalcp names, after `::` : `::Up`, `::C-c`, `::M-S-Left`, `::^x`, `::0x41`. Names are
// case-sensitive, modifiers are not. Any other text is typed unchanged.

const esc = '\x1b'

const keypad = 'pqrstuvwxy'

const named: ReadonlyMap<string, string> = new Map([
  ['Up', `${esc}[A`],
  ['Down', `${esc}[B`],
  ['Right', `${esc}[C`],
  ['Left', `${esc}[D`],
  ['Home', `${esc}[H`],
  ['End', `${esc}[F`],
  ...alike(['PageUp', 'PgUp', 'PPage'], `${esc}[5~`),
  ...alike(['PageDown', 'PgDn', 'NPage'], `${esc}[6~`),
  ...alike(['Insert', 'IC'], `${esc}[2~`),
  ...alike(['Delete', 'DC'], `${esc}[3~`),
  ['Enter', '\r'],
  ['Tab', '\t'],
  ['BTab', `${esc}[Z`],
  ['Space', ' '],
  ...alike(['Escape', 'Esc'], esc),
  ...alike(['BSpace', 'Backspace'], '\x7f'),
  ...[...'PQRS'].map((final, at): [string, string] => [`F${at + 1}`, `${esc}O${final}`]),
  ...[15, 17, 18, 19, 20, 21, 23, 24].map((code, at): [string, string] => [`F${at + 5}`, `${esc}[${code}~`]),
  ...[...keypad].map((final, at): [string, string] => [`KP${at}`, `${esc}O${final}`]),
  ['KP/', `${esc}Oo`],
  ['KP*', `${esc}Oj`],
  ['KP-', `${esc}Om`],
  ['KP+', `${esc}Ok`],
  ['KP.', `${esc}On`],
  ['KPEnter', `${esc}OM`],
])

function alike(names: readonly string[], bytes: string): [string, string][] {
  return names.map((name) => [name, bytes])
}

/** Joins texts and keys to one text to type. @example parseKeys(['ls', '::Enter', '::C-c']) // 'ls\r\x03' */
export function parseKeys(parts: string | readonly string[]): string {
  // A single text is typed unchanged, unless the whole text is a key.
  if (typeof parts === 'string') return isKey(parts) ? encode(parts.slice(2)) : parts
  return parts.map((part) => (part.startsWith('::') ? encode(part.slice(2)) : part)).join('')
}

function isKey(text: string): boolean {
  return text.startsWith('::') && encode(text.slice(2)) !== text.slice(2)
}

function encode(key: string): string {
  const hex = /^0x([0-9a-f]+)/i.exec(key)
  if (hex?.[1] !== undefined) return String.fromCharCode(Number.parseInt(hex[1], 16))
  if (/^\^.$/s.test(key)) return controlOf(key.slice(1)) ?? key
  const { modifiers, base } = modified(key)
  const shifted = modifiers.has('S') ? shiftOf(base) : (named.get(base) ?? base)
  const controlled = modifiers.has('C') ? (controlOf(shifted) ?? shifted) : shifted
  return modifiers.has('M') ? `${esc}${controlled}` : controlled
}

function modified(key: string): { readonly modifiers: ReadonlySet<string>; readonly base: string } {
  const modifiers = new Set<string>()
  let base = key
  for (let held = /^([cms])-(.+)$/is.exec(base); held !== null; held = /^([cms])-(.+)$/is.exec(base)) {
    modifiers.add((held[1] ?? '').toUpperCase())
    base = held[2] ?? ''
  }
  return { modifiers, base }
}

/** Shift changes one character, and Tab; every other key stays what it is. */
function shiftOf(base: string): string {
  if (base === 'Tab') return named.get('BTab') ?? ''
  return named.get(base) ?? (base.length === 1 ? base.toUpperCase() : base)
}

/** Undefined for keys without a control character. */
function controlOf(character: string): string | undefined {
  if (character === '?') return '\x7f'
  if (/^[a-z]$/i.test(character) || /^[@[\\\]^_]$/.test(character))
    return String.fromCharCode(character.toUpperCase().charCodeAt(0) & 0x1f)
  return undefined
}
