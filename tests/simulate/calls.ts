/** Calls in flight, and the checks of their results. */

import type { Session } from '@agentpty/engine/session'
import { isTermError } from '@agentpty/protocol'
import type { CallContext } from '@agentpty/protocol/call'
import type { VerbInput, VerbName, VerbOutput } from '@agentpty/protocol/verbs'
import { Broken, must } from './broken.ts'
import type { Daemon } from './daemon.ts'
import type { SimTerminal } from './sim-terminal.ts'
import type { WaitFor } from './steps.ts'

export interface Asked {
  readonly terminals: readonly SimTerminal[]
  readonly sessions: readonly Session[]
  readonly waitFor: WaitFor
  readonly timeoutMs: number
  /** The offset at which the caller's visible output starts; null when only the engine knows it. */
  readonly since: number | null
}

export interface Call extends Asked {
  readonly number: number
  readonly name: VerbName
  readonly daemon: Daemon
  readonly startedAt: number
  readonly abort: AbortController
  isSettled: boolean
}

/** Errors that a simulated call may meet; every call may meet a terminal that is gone. */
const expectedErrors: Readonly<Partial<Record<VerbName, readonly string[]>>> = {
  create: ['cancelled', 'not_a_shell'],
  send: ['session_exited', 'cancelled', 'not_a_shell'],
  sendKeys: ['session_exited', 'cancelled', 'not_a_shell'],
  run: ['session_exited', 'cancelled', 'shell_busy', 'not_a_shell'],
  read: ['cancelled', 'not_a_shell'],
  wait: ['cancelled', 'not_a_shell'],
  resize: ['session_exited'],
  close: ['session_exited'],
  rename: ['name_taken'],
  write: ['session_exited', 'person_types'],
  take: ['session_exited'],
  askToTake: ['session_exited', 'cancelled'],
  dismiss: ['not_asking'],
  approvals: ['cancelled'],
  decide: ['not_asking'],
  openPage: ['denied'],
  devices: ['denied'],
  revokeDevice: ['denied'],
  pushKey: ['denied'],
  subscribePush: ['denied'],
  unsubscribePush: ['denied'],
  testPush: ['denied'],
  signal: ['session_exited'],
  answer: ['not_asking', 'session_exited', 'cancelled'],
  spawn: ['cancelled'],
  fork: ['invalid_input'],
  resume: ['invalid_input'],
  instruct: ['session_exited', 'cancelled', 'agent_busy', 'needs_answer', 'line_not_empty', 'not_submitted'],
  sendMessage: ['session_exited', 'limit_reached', 'invalid_input'],
  awaitAgents: ['cancelled'],
  reply: ['cancelled', 'not_asking', 'agent_busy', 'not_submitted', 'session_exited'],
  runPipeline: ['limit_reached'],
  stopLineage: ['own_terminal'],
  retry: ['invalid_input'],
  makeEnvironment: ['sandbox_unavailable'],
  resetEnvironment: ['environment_not_found'],
  stepEnvironment: ['environment_not_found'],
  execInEnvironment: ['environment_not_found'],
  verifyEnvironment: ['environment_not_found'],
  forkEnvironment: ['environment_not_found'],
  closeEnvironment: ['environment_not_found'],
}

export interface CallsOptions {
  readonly now: () => number
  readonly trace: (line: string) => void
  readonly broke: (error: unknown) => void
}

export class Calls {
  readonly open: Call[] = []
  readonly #options: CallsOptions
  #last = 0

  constructor(options: CallsOptions) {
    this.#options = options
  }

  start<Name extends VerbName>(
    daemon: Daemon,
    name: Name,
    input: VerbInput<Name>,
    asked: Asked & { readonly check: (result: VerbOutput<Name>, call: Call) => void },
    caller: Partial<CallContext> = {},
  ): void {
    const abort = new AbortController()
    const number = ++this.#last
    const { check, ...rest } = asked
    const call: Call = { ...rest, number, name, daemon, startedAt: this.#options.now(), abort, isSettled: false }
    this.open.push(call)
    daemon.client.call(name, input, { ...caller, signal: abort.signal }).then(
      (result) =>
        this.#settle(call, () => {
          this.#options.trace(`call ${number} ${name} gave ${JSON.stringify(result)}`)
          check(result, call)
        }),
      (error: unknown) => this.#settle(call, () => this.#checkError(call, error)),
    )
  }

  /** No wait exceeds its time, counted from when the host had sent and the emulator had parsed all output. */
  checkDeadlines(parsedAt: number): void {
    for (const { number, name, daemon, startedAt, timeoutMs, terminals } of this.open) {
      if (!daemon.isAlive || terminals.some(({ pty }) => pty.hasNews)) continue
      const since = Math.max(startedAt + timeoutMs, parsedAt, ...terminals.map(({ reportedAt }) => reportedAt))
      const late = this.#options.now() - since
      must(late < graceMs, 'settles', () => `call ${number} ${name} is ${late} ms late`)
    }
  }

  #settle(call: Call, check: () => void): void {
    if (!call.daemon.isAlive) return
    try {
      must(!call.isSettled, 'settles', () => `call ${call.number} settled again`)
      call.isSettled = true
      this.open.splice(this.open.indexOf(call), 1)
      check()
    } catch (error) {
      this.#options.broke(error)
    }
  }

  #checkError({ number, name, abort, terminals }: Call, error: unknown): void {
    if (!isTermError(error)) throw error
    this.#options.trace(`call ${number} ${name} failed with ${error.code}: ${error.message}`)
    const isExpected = expectedErrors[name]?.includes(error.code) === true || error.code === 'session_not_found'
    if (!isExpected) throw new Broken('error', `call ${number} ${name} failed with ${error.code}: ${error.message}`)
    must(error.code !== 'cancelled' || abort.signal.aborted, 'error', () => `call ${number} was not cancelled`)
    const hasEnded = terminals.some(({ pty }) => pty.exit !== null || pty.isClosed)
    must(error.code !== 'session_exited' || hasEnded, 'error', () => `call ${number}: ${error.message}`)
  }
}

/** An Escape that must settle, the Enter after a paste, a late write, a last sample: in sequence. */
const graceMs = 1_500
