/**
 * The keys of tmux and screen. The key after their prefix belongs to the multiplexer: it leaves the line in the pane unchanged, selects
 * another pane, or pastes text.
 *
 * While each prefix was pressed on an empty line, no pane holds a half line. After that, and after any key that is not known as harmless,
 * the line in the pane is uncertain. The keys are the defaults of tmux and screen.
 */

import { readFileSync } from 'node:fs'
import type { Session } from '@agentpty/engine/session'
import type { Clock, Millis } from '@agentpty/protocol'
import type { TypedSoFar } from './shell-lines.ts'

interface KeyTable {
  readonly prefix: string
  /** Opens a pane with an empty line. */
  readonly opens: RegExp
  /** Selects another pane of the same session. */
  readonly changes: RegExp
  /** Changes neither the pane nor its line. */
  readonly isHarmless: RegExp
  /** Types into the pane. */
  readonly pastes: RegExp
  /** Words of its command line that attach panes of an earlier client. */
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

/** tmux takes keys that arrive less than 1 ms apart for a paste, which has no prefix. */
const pasteMs = 5

/** Makes the line uncertain. */
const uncertain = '\x02'
/** Makes the line uncertain, and may run it. */
const mayRun = '\x02\x18\x05'

const units = /\x1b(?:\[[0-9;?]*[ -/]*[@-~]|O.|[^[O])?|[^\x1b]/gsu

interface MultiplexerState {
  /** The process group of the multiplexer's client. */
  readonly group: number
  readonly isPrefixed: boolean
  readonly mayHaveHalfLines: boolean
  /** A view of the multiplexer, such as copy mode, covers the pane and reads the next keys. */
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

  /** Returns the keys that the shell in the pane receives, or keys that make its line as uncertain. */
  keysBehind(text: string, typed: TypedSoFar): string {
    return this.#translate(text, typed).keys
  }

  /** Like {@link keysBehind}, and records that the keys are typed. */
  type(text: string, typed: TypedSoFar): string {
    const { keys, state } = this.#translate(text, typed)
    this.#state = state
    this.#typedAt = this.#clock.now()
    return keys
  }

  /** Records that a person has typed; any pane may hold a half line. */
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

/** The multiplexer in the foreground of a terminal; null for another program. `isAttached`: it shows panes of an earlier client. */
function clientOf(pid: number) {
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
    // The client has ended, or the system does not report it. The keys count as those of the line editor.
    return null
  }
}
