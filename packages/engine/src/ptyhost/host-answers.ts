/** The host's longer answers as the engine's values. */

import { constants } from 'node:os'
import { getSystemErrorMap } from 'node:util'
import {
  activities,
  type ErrorCode,
  type Exit,
  type Facts,
  invalidInput,
  type KeptSession,
  type Spawn,
  TermError,
  type WriteResult,
} from '@agentpty/protocol'
import type { Values } from './frames.ts'
import {
  type answers,
  type Fields,
  type FrameRow,
  factsFlag,
  factsInnerFlag,
  spawnStages,
  waitKinds,
  wallProgram,
  writeResults,
} from './protocol.ts'

type Answer<Name extends keyof typeof answers> = Values<(typeof answers)[Name]['fields']>

const signalNames: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.signals).map(([name, number]) => [number, name]),
)

function signalName(number: number): string {
  return signalNames.get(number) ?? `signal ${number}`
}

export function readExit({ code, signal }: Answer<'exit'>): Exit {
  return signal === 0 ? { code, signal: null } : { code: null, signal: signalName(signal) }
}

export function readWriteResult({ result, signal, droppedBytes }: Answer<'written'>): WriteResult {
  const became = writeResults[result]
  if (became === 'interrupted') return { result: 'interrupted', signal: signalName(signal), droppedBytes }
  if (became === 'dropped') return { result: 'dropped', droppedBytes }
  return { result: 'written' }
}

export function readKeptSession(id: number, answer: Answer<'session'>): KeptSession {
  const { pid, start, end, exited, exitedAt, cols, rows, resizes, moments, meta } = answer
  return { id, pid, start, end, exited, exitedAt: exitedAt || null, cols, rows, resizes, moments, meta }
}

export const nanosecondsPerMs = 1e6

export function readFacts({ flags, innerFlags, cpuNs, ...rest }: Answer<'facts'>): Facts {
  const { exited: _, ...outer } = flagsIn(flags, factsFlag)
  return {
    ...rest,
    ...outer,
    ...flagsIn(innerFlags, factsInnerFlag),
    at: rest.at / nanosecondsPerMs,
    timeoutMs: rest.timeoutMs < 0 ? null : rest.timeoutMs,
    wait: waitKinds[rest.wait] ?? 'none',
    state: String.fromCharCode(rest.state),
    activity: activities[rest.activity] ?? 'other',
    cpuMs: cpuNs / nanosecondsPerMs,
    // An older host does not report it.
    mainTimeoutMs: rest.mainTimeoutMs > 0 ? rest.mainTimeoutMs : null,
  }
}

/** Whether each bit is set, by its name. */
function flagsIn<Name extends string>(value: number, bits: Readonly<Record<Name, number>>) {
  const entries = Object.entries<number>(bits).map(([name, bit]) => [name, (value & bit) !== 0])
  return Object.fromEntries(entries) as Record<Name, boolean>
}

// Why ptyhost does not do what it was asked, as an error that names the next move. The errno of its answer decides which.

interface Refusal {
  readonly code: ErrorCode
  readonly hint: string
}

type ErrnoName = keyof typeof constants.errno

const seeTerminal = 'Look at the terminal with terminal_screenshot, or close it with terminal_close.'
const closeSome = 'Close terminals you no longer need with terminal_close.'
const otherInput: Refusal = { code: 'invalid_input', hint: 'Change what the message names, and call again.' }
const disagree: Refusal = {
  code: 'internal',
  hint: 'The engine and the terminal host disagree. Run: agentpty doctor',
}
const programEnded: Refusal = { code: 'session_exited', hint: seeTerminal }

/** The meaning of each errno from ptyhost. `host-answers.test.ts` compares the names with those its sources use. */
const refusals: Readonly<Partial<Record<ErrnoName, Refusal>>> = {
  EINVAL: otherInput,
  EILSEQ: otherInput,
  E2BIG: otherInput,
  EMSGSIZE: otherInput,
  ENAMETOOLONG: otherInput,
  EBADMSG: disagree,
  ENOSYS: disagree,
  EEXIST: { code: 'internal', hint: 'Call again: the next terminal gets another number.' },
  ECANCELED: { code: 'host_gone', hint: 'Call again in a moment: the next call starts another.' },
  ENOBUFS: { code: 'input_full', hint: seeTerminal },
  EAGAIN: { code: 'limit_reached', hint: closeSome },
  ENOMEM: { code: 'limit_reached', hint: closeSome },
  EIO: programEnded,
  ESRCH: programEnded,
}

/** By number, because numbers differ between systems and only names are the same. */
const byErrno: ReadonlyMap<number, Refusal> = new Map(
  Object.entries(refusals).map(([name, refusal]) => [constants.errno[name as ErrnoName], refusal]),
)

/** Every other errno of the kernel is about a terminal whose program has ended. */
export function hostRefusal(errno: number, message: string): TermError {
  const { code, hint } = byErrno.get(errno) ?? programEnded
  return new TermError(code, `The terminal host refused: ${message}.`, hint)
}

interface OpenRequest {
  readonly answer: FrameRow
  readonly resolve: (values: unknown) => void
  readonly reject: (error: Error) => void
}

/** A request that is on its way. */
export interface Asked<F extends Fields> {
  readonly number: number
  /** Resolves with the answer's values, rejects with what `reject` or `rejectAll` says. */
  readonly answer: Promise<Values<F>>
}

/** Requests that wait for their answer, matched with it by number. */
export class OpenRequests {
  readonly #open = new Map<number, OpenRequest>()
  #last = 0

  /** Has a request sent under a number that was never used on this connection. What `send` throws leaves nothing open. */
  open<F extends Fields>(row: FrameRow<F>, send: (number: number) => void): Asked<F> {
    const number = ++this.#last
    send(number)
    const answer = new Promise<Values<F>>((resolve, reject) => {
      // `resolve` below passes on the values of this row only.
      this.#open.set(number, { answer: row, resolve: (values) => resolve(values as Values<F>), reject })
    })
    return { number, answer }
  }

  /** Does nothing when no request is open under this number. The same is true of `reject`. */
  resolve<F extends Fields>(number: number, answer: FrameRow<F>, values: Values<F>): void {
    const open = this.#take(number)
    if (open === undefined) return
    if (open.answer.type === answer.type) open.resolve(values)
    else open.reject(new Error(`ptyhost sent frame ${answer.type} where ${open.answer.type} was due`))
  }

  reject(number: number, error: TermError): void {
    this.#take(number)?.reject(error)
  }

  rejectAll(makeError: () => TermError): void {
    for (const { reject } of this.#open.values()) reject(makeError())
    this.#open.clear()
  }

  #take(number: number): OpenRequest | undefined {
    const open = this.#open.get(number)
    this.#open.delete(number)
    return open
  }
}

// Why a program could not be started, in words that name the next move.

/** `stage` is the number that SPAWNED has. */
export function spawnFailure(errno: number, stage: number, spawn: Spawn): TermError {
  const [name, text] = getSystemErrorMap().get(-errno) ?? [`errno ${errno}`, `error ${errno}`]
  const at = spawnStages[stage]
  const program = programOf(spawn.argv)
  if (name === 'E2BIG') {
    return invalidInput(
      'The arguments and the environment are more than this system gives a program.',
      'Put what is long into a file, or raise the limit of the stack (ulimit -s), a quarter of which is for them.',
    )
  }
  if (at === 'wall') {
    return new TermError(
      'sandbox_unavailable',
      `bubblewrap did not put up the sandbox (${name}).`,
      'agentpty doctor tries it and says what is missing.',
    )
  }
  if (at === 'cwd') {
    return new TermError('spawn_failed', `Cannot start in "${spawn.cwd}": ${text}.`, 'Give a cwd that exists, or none.')
  }
  if (at === 'exec' && name === 'ENOENT') {
    return new TermError('spawn_failed', `No program "${program}" in PATH.`, 'Check the name, or give its full path.')
  }
  if (at === 'exec') {
    return new TermError('spawn_failed', `Cannot run "${program}": ${text}.`, 'Check that it is an executable file.')
  }
  return new TermError(
    'spawn_failed',
    `The machine has no room for another terminal: ${text} (${name}).`,
    'Close terminals you no longer need with terminal_close.',
  )
}

/** In a sandbox it comes after the second `--`: the wall's own options come first, then bubblewrap's. */
function programOf(argv: readonly string[]): string {
  const at = argv[0] === wallProgram ? argv.indexOf('--', argv.indexOf('--') + 1) + 1 : 0
  return argv[at] ?? 'the program'
}
