/** Everything in one simulated run: a host, its terminals, the daemon of the moment, its callers and its followers. */

import type { Session } from '@agentpty/engine/session'
import type { InboxStore } from '@agentpty/protocol/agents'
import { configDefaults } from '@agentpty/protocol/home'
import { parseSessionInfo } from '@agentpty/protocol/session'
import { FakeClock, FakePtyHost } from '@agentpty/protocol/testing'
import { memoryStore } from '@agentpty/server/testing'
import { Random } from '../harness/random.ts'
import { Calls } from './calls.ts'
import { Daemon } from './daemon.ts'
import { EmulatorTimers } from './emulator-timers.ts'
import type { Follower } from './follower.ts'
import type { Program } from './program-output.ts'
import { SimTerminal } from './sim-terminal.ts'

const logSizes = [2_048, 16_384, 1_048_576]

export class World {
  readonly clock = new FakeClock()
  readonly timers = new EmulatorTimers()
  readonly ptyHost = new FakePtyHost(this.clock, { delivery: 'held' })
  readonly calls: Calls
  readonly messages: InboxStore = memoryStore()
  readonly followers: Follower[] = []
  readonly trace: string[] = []
  daemon: Daemon
  /** The first violation. */
  broken: unknown = null
  readonly #terminals = new Map<number, SimTerminal>()
  readonly #logBytes: number
  #lastId = 0
  #lastText = 0
  #parsedAt = 0

  constructor(seed: number) {
    this.#logBytes = new Random(seed ^ 0x5eed).pick(logSizes)
    this.calls = new Calls({
      now: () => this.clock.now(),
      trace: (line) => this.trace.push(`  ${line}`),
      broke: (error) => this.broke(error),
    })
    this.daemon = this.#startDaemon()
    this.daemon.deliverMessages()
  }

  broke(error: unknown): void {
    this.broken ??= error
  }

  /** Terminals that are open or being closed, oldest first. */
  get terminals(): readonly SimTerminal[] {
    return [...this.#terminals.values()].filter(({ pty }) => !pty.isClosed || pty.hasNews)
  }

  terminal(number: number): SimTerminal | null {
    return this.terminals[number % Math.max(1, this.terminals.length)] ?? null
  }

  sessionOf(terminal: SimTerminal): Session | null {
    return this.daemon.find(terminal.id)
  }

  /** The host sends its messages of one terminal. */
  deliver(terminal: SimTerminal, bytes?: number): void {
    const session = this.sessionOf(terminal)
    const end = session?.log.end
    terminal.pty.deliver(bytes)
    terminal.reported(this.clock.now(), session?.log.end !== end)
  }

  /** A text that no other call types. */
  newText(): string {
    return `in${++this.#lastText};`
  }

  newMessage(): string {
    return `msg${++this.#lastText};`
  }

  /** The next daemon takes over the host; the previous one has ended. */
  replaceDaemon(): Daemon {
    this.daemon.kill()
    this.timers.clear()
    this.calls.open.length = 0
    for (const follower of this.followers.splice(0)) follower.abandon()
    this.daemon = this.#startDaemon()
    return this.daemon
  }

  /** Lets time pass: each timer fires, with its consequences, before the next one. */
  async advance(ms: number): Promise<void> {
    const end = this.clock.now() + ms
    for (let at = this.clock.nextAt; at !== null && at <= end; at = this.clock.nextAt) {
      this.clock.advance(Math.max(0, at - this.clock.now()))
      await this.settle()
    }
    this.clock.advance(end - this.clock.now())
  }

  /** The emulator has a turn. */
  parse(): void {
    this.timers.run()
    this.#parsedAt = this.clock.now()
  }

  /** Runs everything that needs neither time nor the host nor the emulator. */
  async settle(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    const now = this.clock.now()
    for (const { id, cols, rows, meta } of this.ptyHost.list()) {
      const pty = this.ptyHost.find(id)
      if (pty === null || this.#terminals.has(id)) continue
      const program = programOf(parseSessionInfo(meta).argv)
      this.#terminals.set(id, new SimTerminal({ id: `term-${id}`, program, pty, size: { cols, rows }, now }))
    }
  }

  /** The invariants between two steps. */
  check(): void {
    for (const terminal of this.terminals) {
      const session = this.sessionOf(terminal)
      if (session !== null) terminal.check(session)
    }
    if (this.timers.pending === 0) this.calls.checkDeadlines(this.#parsedAt)
  }

  /** The state of everything, in one line. */
  state(): string {
    const terminals = this.terminals.map((terminal) => {
      const session = this.sessionOf(terminal)
      if (session === null) return terminal.id
      const { log, parsedTo, exit } = session
      const { state, kind, confidence } = session.turn().verdict
      const turn = `${state} ${kind} ${confidence}`
      return `${terminal.id} ${log.start}-${parsedTo}/${log.end}/${terminal.pty.end} ${turn}${exit ? ' exited' : ''}`
    })
    return `${this.clock.now()} ms; ${terminals.join('; ')}; ${this.calls.open.length} calls, ${this.timers.pending} turns`
  }

  #startDaemon(): Daemon {
    const config = { ...configDefaults, logBytes: this.#logBytes, sessionsMax: 8, exitedKeptMs: 3_600_000 }
    const { clock, ptyHost, messages } = this
    return new Daemon({ clock, ptyHost, nextId: () => ++this.#lastId, config, messages })
  }
}

function programOf([first]: readonly string[]): Program {
  return first === 'wild' || first === 'asking' ? first : 'plain'
}
