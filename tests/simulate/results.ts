/** The checks of results: their range, their omissions, and the outcome of waits. */

import type { Session } from '@agentpty/engine/session'
import { must } from './broken.ts'
import type { Asked } from './calls.ts'
import type { Reader, SimTerminal } from './sim-terminal.ts'
import { stampsIn } from './stamps.ts'
import type { WaitFor } from './steps.ts'

export interface Shown {
  readonly output: string
  readonly cursor: number
  readonly missedBytes?: number | undefined
  readonly exitCode?: number | undefined
  readonly state?: string | undefined
}

/** The placeholder of an omission, or of a text that is rows of a picture. */
const partial = /\[\.\.\.|\[scrolled up|^\[rows? \d/m

/** A result shows nothing after its own offset, nor after the parsed output. */
export function checkShown(terminal: SimTerminal, session: Session, shown: Shown, since: number | null): void {
  const { id, program, truth } = terminal
  const { output, cursor, missedBytes = 0 } = shown
  must(cursor <= session.parsedTo, 'visible', () => `${id}: cursor ${cursor}, parsed ${session.parsedTo}`)
  checkPicture(terminal, output, cursor)
  const isWhole = shown.state !== 'exited' || cursor === terminal.pty.end || terminal.pty.isClosed
  must(isWhole, 'exit', () => `${id}: exited, shown to ${cursor} of ${terminal.pty.end}`)
  if (shown.exitCode !== undefined && shown.state !== 'exited') {
    const mark = `\x1b]133;D;${shown.exitCode}\x07`
    // The command ended at the start of its mark.
    const isThere = truth.subarray(0, cursor + mark.length - 1).includes(mark) || program === 'wild'
    must(isThere, 'visible', () => `${id}: exit code ${shown.exitCode} is shown before its mark, at ${cursor}`)
  }
  if (since === null || program === 'wild') return
  const from = since + missedBytes
  // While the text is built, more may be evicted without a statement.
  const evicted = Math.max(0, Math.min(session.log.start, cursor) - since)
  must(missedBytes <= evicted, 'evicted', () => `${id}: ${missedBytes} missed from ${since}, ${evicted} were evicted`)
  checkStamps(terminal, output, { from, until: cursor })
}

/** Everything seen of the terminal was printed before `until`. */
export function checkPicture({ id, truth, program }: SimTerminal, picture: string, until: number): void {
  // A program that draws over itself may leave the end of an older stamp after an incomplete newer one.
  const borrowed = program === 'wild' ? 2 : 0
  for (const { offset, end } of stampsIn(picture)) {
    const isReal = stampsIn(truth.toString('latin1', offset, end)).length === 1
    must(!isReal || end - borrowed <= until, 'visible', () => `${id} shows ${offset}-${end} at ${until}`)
  }
}

/** A text of plain output shows each stamp in its range once, in order, and no other. */
function checkStamps(
  terminal: SimTerminal,
  output: string,
  range: { readonly from: number; readonly until: number },
): void {
  const want = terminal.stamps.filter(({ offset, end }) => offset >= range.from && end <= range.until)
  const got = stampsIn(output)
  const wanted = new Set(want.map(({ offset }) => offset))
  const isOrdered = got.every(({ offset }, index) => index === 0 || offset > (got[index - 1]?.offset ?? 0))
  const known = got.every(({ offset }) => wanted.has(offset))
  const isWhole = partial.test(output) || got.length === want.length
  must(known && isOrdered && isWhole, 'chain', () => {
    const list = (stamps: readonly { readonly offset: number }[]) => stamps.map(({ offset }) => offset).join(' ')
    return `${terminal.id} ${range.from}-${range.until}: shows ${list(got)}, printed ${list(want)}`
  })
}

/** Raw output is the exact bytes. */
export function checkRaw(terminal: SimTerminal, session: Session, shown: Shown, since: number): void {
  const { id, truth } = terminal
  const { output, cursor, missedBytes = 0 } = shown
  must(cursor <= session.parsedTo, 'visible', () => `${id}: cursor ${cursor}, parsed ${session.parsedTo}`)
  const from = since + missedBytes
  const text = truth.subarray(from, cursor).toString('utf8')
  must(
    output === text,
    'chain',
    () => `${id} ${from}-${cursor}: ${JSON.stringify(output)}, not ${JSON.stringify(text)}`,
  )
  const isCut = terminal.program !== 'wild' && cursor < session.parsedTo && output.endsWith('\ufffd')
  must(!isCut, 'chain', () => `${id}: a character is cut at ${cursor}`)
  const evicted = Math.max(0, Math.min(session.log.start, session.parsedTo) - since)
  must(missedBytes === evicted, 'evicted', () => `${id}: ${missedBytes} missed from ${since}, ${evicted} were evicted`)
}

export function advance(reader: Reader, { cursor, missedBytes = 0 }: Shown): void {
  must(cursor >= reader.next + missedBytes, 'chain', () => `from ${reader.next} to ${cursor}, ${missedBytes} missed`)
  reader.visited += cursor - reader.next - missedBytes
  reader.missed += missedBytes
  reader.next = cursor
}

export interface Outcome extends Asked {
  readonly name: string
  readonly startedAt: number
}

/** The outcome of a wait for one condition agrees with the terminal's true state. */
export function checkOutcome(call: Outcome, index: number, outcome: string | undefined, now: number): void {
  const session = call.sessions[index]
  const terminal = call.terminals[index]
  if (session === undefined || terminal === undefined || outcome === undefined) return
  const has = (state: boolean) =>
    must(state, 'outcome', () => `${terminal.id} ${outcome} for ${JSON.stringify(call.waitFor)}`)
  if (outcome === 'timeout') has(now >= call.startedAt + call.timeoutMs && !hasCome(terminal, session, call))
  if (outcome === 'exited') has(session.exit !== null && (terminal.pty.exit !== null || terminal.pty.isClosed))
  if (outcome === 'met') has(isMet(call.waitFor, call, terminal, session, now))
}

function isMet(waitFor: WaitFor, call: Outcome, terminal: SimTerminal, session: Session, now: number): boolean {
  const since = call.since ?? 0
  if (waitFor === 'exit') return session.exit !== null
  if (waitFor === 'output') return session.parsedTo > since
  if (waitFor === 'command') return terminal.program === 'wild' || promptIsBack(terminal, since, session.parsedTo)
  if (typeof waitFor === 'string') return true
  if ('text' in waitFor) return terminal.program === 'wild' || isFound(terminal, session, call)
  if ('quietMs' in waitFor) return terminal.wasQuiet(waitFor.quietMs, call.startedAt, now)
  return true
}

/** A prompt has appeared after `since` and was parsed. */
function promptIsBack({ truth }: SimTerminal, since: number, until: number): boolean {
  return truth.subarray(since, until).includes('\x1b]133;B\x07')
}

/** The awaited event had happened. Only `wait` answers immediately; while others build their text, more may arrive. */
function hasCome(terminal: SimTerminal, session: Session, call: Outcome): boolean {
  const start = Math.max(call.since ?? 0, session.log.start)
  return call.name === 'wait' && isFound(terminal, session, { ...call, since: start })
}

/** The text ends in parsed output after the offset at which the wait started. Plain output only. */
function isFound({ truth, program }: SimTerminal, { parsedTo }: Session, { waitFor, since }: Outcome): boolean {
  if (typeof waitFor === 'string' || !('text' in waitFor) || since === null || program === 'wild') return false
  const seen = truth.subarray(Math.max(0, since - waitFor.text.length + 1), parsedTo)
  return seen.includes(waitFor.text)
}
