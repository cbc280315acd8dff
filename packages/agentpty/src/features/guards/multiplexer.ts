/**
 * The keys of tmux and screen. Behind their prefix the next key is theirs: the line in the pane stays as it is, another pane comes to the
 * front, or something is pasted.
 *
 * A pane is known to hold no half line while each prefix was pressed on an empty line. From then on, and wherever a key is not known to be
 * harmless, the line in the pane is uncertain. The keys are those that tmux and screen have without configuration.
 */

import { readFileSync } from 'node:fs'
import type { Clock } from '../../contracts/ports.ts'
import type { Millis } from '../../contracts/units.ts'
import type { Session } from '../../engine/session/session.ts'
import type { TypedSoFar } from './shell-lines.ts'

interface KeyTable {
  readonly prefix: string
  /** Opens a pane whose line is empty. */
  readonly opens: RegExp
  /** Brings another pane of the same session to the front. */
  readonly changes: RegExp
  /** Changes neither the pane nor its line. */
  readonly isHarmless: RegExp
  /** Types into the pane. */
  readonly pastes: RegExp
  /** Words of its command line that lead to panes of an earlier client. */
  readonly attaches: RegExp
}

const tables: readonly (readonly [name: RegExp, table: KeyTable])[] = [
  [
    /^tmux\b/,
    {
      prefix: '\x02',
      opens: /^[c"%]$/,
      changes: /^(?:[onpl;0-9{}]|\x1b(?:\[|O)[A-D])$/,
      isHarmless: /^[dirz ]$/,
      pastes: /^[\]=]$/,
      attaches: /^(?:a|at|att|atta|attac|attach|attach-session)$|^-[A-Za-z]*[At]/,
    },
  ],
  [
    /^screen\b/i,
    {
      prefix: '\x01',
      opens: /^[c\x03]$/,
      changes: /^[np \x010-9\t]$/,
      isHarmless: /^[d\x04ilvt]$/,
      pastes: /^[\]\x1d.]$/,
      attaches: /^-[A-Za-z]*[rRxDd]/,
    },
  ],
]

/** Keys that reach tmux in less than 1 ms one after the other count as a paste, in which there is no prefix. */
const pasteMs = 5

/** Makes the line uncertain, and nothing else. */
const uncertain = '\x02'
/** Makes it uncertain, and may run it. */
const mayRun = '\x02\x18\x05'

const units = /\x1b(?:\[[0-9;?]*[ -/]*[@-~]|O.|[^[O])?|[^\x1b]/gsu

interface MultiplexerState {
  /** The process group of the multiplexer's client. */
  readonly group: number
  readonly isPrefixed: boolean
  readonly mayHaveHalfLines: boolean
  /** Something of the multiplexer's own covers the pane and reads the next keys. */
  readonly isCovered: boolean
}

export class Multiplexer {
  readonly #session: Session
  readonly #clock: Clock
  #state: MultiplexerState = { group: 0, isPrefixed: false, mayHaveHalfLines: false, isCovered: false }
  #typedAt: Millis = Number.NEGATIVE_INFINITY

  constructor(session: Session, clock: Clock) {
    this.#session = session
    this.#clock = clock
  }

  /** The keys as the shell in the pane gets them, or as keys that leave its line as uncertain as these do. */
  keysBehind(text: string, typed: TypedSoFar): string {
    return this.#translate(text, typed).keys
  }

  /** As {@link keysBehind}, for keys that are typed now. */
  type(text: string, typed: TypedSoFar): string {
    const { keys, state } = this.#translate(text, typed)
    this.#state = state
    this.#typedAt = this.#clock.now()
    return keys
  }

  /** A person has typed, and may have left half a line anywhere. */
  personTyped(): void {
    this.#state = { ...this.#state, isPrefixed: false, mayHaveHalfLines: true }
  }

  #translate(text: string, { editor, pending }: TypedSoFar): { keys: string; state: MultiplexerState } {
    const client = this.#session.program.foreground.isInner ? clientOf(this.#session.pid) : null
    if (client === null) return { keys: text, state: { ...this.#state, isPrefixed: false } }
    let keys = ''
    let state = this.#state
    const { group, table, isAttached } = client
    if (state.group !== group) {
      state = { group, isPrefixed: false, isCovered: false, mayHaveHalfLines: isAttached }
      if (isAttached) keys = uncertain
    }
    const isEmpty = editor.line === '' && !editor.isUncertain && pending === ''
    const isApart = this.#clock.now() - this.#typedAt >= pasteMs
    for (const { 0: unit, index } of text.matchAll(units)) {
      if (state.isPrefixed) {
        const made = keyOf(unit, table, state)
        keys += made.keys
        state = made.state
      } else if (unit === table.prefix) {
        const isClean = isEmpty && isApart && index === 0 && keys === ''
        state = { ...state, isPrefixed: true, mayHaveHalfLines: state.mayHaveHalfLines || !isClean }
        if (!isClean) keys += uncertain
      } else if (state.isCovered && unit === '\x03') state = { ...state, isCovered: false }
      else keys += state.isCovered && /[\r\n]/.test(unit) ? `${unit}${uncertain}` : unit
    }
    return { keys, state }
  }
}

function keyOf(unit: string, table: KeyTable, before: MultiplexerState): { keys: string; state: MultiplexerState } {
  const state = { ...before, isPrefixed: false }
  if (table.pastes.test(unit)) return { keys: mayRun, state: { ...state, isCovered: unit === '=' } }
  if (table.opens.test(unit) || table.isHarmless.test(unit)) return { keys: '', state }
  if (table.changes.test(unit)) return { keys: state.mayHaveHalfLines ? uncertain : '', state }
  return { keys: uncertain, state: { ...state, isCovered: true } }
}

interface Client {
  readonly group: number
  readonly table: KeyTable
  /** It may show panes of an earlier client. */
  readonly isAttached: boolean
}

/** The multiplexer in the foreground of a terminal, which stands between it and the program that reads; null when it is another program. */
function clientOf(pid: number): Client | null {
  try {
    const [, , , , , foreground] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    const group = Number(foreground)
    const [, ...args] = readFileSync(`/proc/${group}/cmdline`, 'utf8').split('\0').slice(0, -1)
    const name = readFileSync(`/proc/${group}/comm`, 'utf8')
    const table = tables.find(([pattern]) => pattern.test(name))?.[1]
    return table === undefined ? null : { group, table, isAttached: args.some((arg) => table.attaches.test(arg)) }
  } catch {
    // It has ended, or the system does not say: its keys are those of the line editor.
    return null
  }
}
