/**
 * The owner of all sessions in this process: opens, finds, lists and closes them, and takes over those that an earlier
 * engine left at ptyhost. Ids are never used twice; names are unique among the sessions that are there.
 */

import {
  BoundedMap,
  type Clock,
  defined,
  exitedSessionsMax,
  type KeptSession,
  limitReached,
  type Millis,
  nameCharactersMax,
  type PtyHost,
  type Stop,
  type TurnCosts,
  terminalsWatchersMax,
} from '@agentpty/protocol'
import { type SetTreeLimits, type TokensOf, treeLimitsDefault } from '@agentpty/protocol/agents'
import type { GateMessage } from '@agentpty/protocol/effects'
import type { Config } from '@agentpty/protocol/home'
import { parseSessionInfo, type SessionInfo } from '@agentpty/protocol/session'
import { nonceVariable } from '../session/line-editor.ts'
import { Session } from '../session/session.ts'
import { CrowdBudget } from '../session/session-follower.ts'
import type { SessionOptions } from '../session/session-options.ts'
import { assertOrdinary, assertStartable, firstInfo, type OpenOptions } from './check-start.ts'
import { Leases } from './leases.ts'
import { logShare } from './log-share.ts'
import { assertIsName, nameTaken, SessionNotFound } from './names.ts'
import { type ClosedByLimit, earliest, type Opening, TreeLimitKeeper, withGiven } from './tree-limits.ts'

export interface HostOptions {
  readonly clock: Clock
  readonly pty: PtyHost
  readonly version: string
  /** The next number for an id; never one that was given before. */
  readonly nextId: () => number
  readonly config: Config
  /** Returns the current settings. Errors: `invalid_input`, for settings that are wrong. */
  readonly treeLimits?: () => SetTreeLimits
  /** Counts the tokens of terminals. Without it no tokens count. */
  readonly tokensOf?: TokensOf
}

const idPrefix = 'term-'
const numberOf = (id: string): number => Number(id.slice(idPrefix.length))

/** HUP, then TERM, then KILL, this many ms after each other. */
const closeGraceMs = 200
const expirySweepMs = 60_000

type GateListener = (session: Session, message: GateMessage) => void

export class Host {
  readonly #options: HostOptions
  readonly #treeLimits: TreeLimitKeeper
  /** The terminals that a limit has closed, with the reason. */
  readonly #overTime = new BoundedMap<string, ClosedByLimit>(exitedSessionsMax)
  readonly #sessions = new Map<string, Session>()
  /** Names of sessions that are being opened: two must not get the same. */
  readonly #opening = new Set<string | null>()
  readonly #listeners = new Set<() => void>()
  readonly #gateListeners = new Set<GateListener>()
  readonly leases: Leases
  #openingCount = 0
  readonly #shared: Required<Pick<SessionOptions, 'spent' | 'crowdBudget'>>
  #judgingMs: Millis = 0
  #stopExpiry: Stop = () => {}

  constructor(options: HostOptions) {
    this.#options = options
    this.#treeLimits = new TreeLimitKeeper({
      clock: options.clock,
      settings: options.treeLimits ?? (() => treeLimitsDefault),
      tokensOf: async (terminalId) => options.tokensOf?.(terminalId, new Set(this.#sessions.keys())) ?? 0,
    })
    const spent = (ms: Millis): void => {
      this.#judgingMs += ms
    }
    this.#shared = { spent, crowdBudget: new CrowdBudget(options.clock) }
    this.leases = new Leases({ clock: options.clock, note: (session, info) => this.#note(session, info) })
    this.#expireLater()
  }

  /** The cost of judging turns so far: samples of programs, and CPU time of sampling and judging. */
  async turnCosts(): Promise<TurnCosts> {
    const { samples, cpuMs } = await this.#options.pty.costs()
    return { samples, cpuMs: cpuMs + this.#judgingMs, judgingMs: this.#judgingMs }
  }

  /** Calls when a session comes, goes or is renamed; returns a function that stops it. Errors: `limit_reached`. */
  onChange(listener: () => void): Stop {
    if (this.#listeners.size >= terminalsWatchersMax) {
      const watchers = `${this.#listeners.size} clients watch the terminals already.`
      throw limitReached(watchers, 'Let one of them end first.')
    }
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  get sessions(): readonly Session[] {
    return [...this.#sessions.values()]
  }

  get allSessions(): readonly Session[] {
    return this.sessions
  }

  /** The highest number of an id that is in use; zero without sessions. */
  get highestNumber(): number {
    return Math.max(0, ...this.sessions.map(({ info }) => numberOf(info.id)))
  }

  /** Takes over what ptyhost still has; resolves when all kept output has been read again. */
  async restore(): Promise<void> {
    const kept = await this.#options.pty.list()
    for (const session of kept.toSorted((a, b) => a.id - b.id)) this.#adopt(session)
    await Promise.all(this.sessions.map((session) => session.caughtUp()))
  }

  /** Errors: `invalid_input`, `limit_reached`, `name_taken`, `spawn_failed`. */
  async open(options: OpenOptions): Promise<Session> {
    assertOrdinary(options)
    const mayStart = this.#treeLimits.assertTokens(options.above, 'nothing was started')
    if (mayStart !== null) await mayStart
    this.#closeOldest()
    this.#assertRoom(options)
    const running = this.sessions.filter(({ exit }) => exit === null).map(({ info }) => info)
    const branch = this.#treeLimits.open(options.above, running)
    this.#opening.add(options.name)
    this.#openingCount++
    try {
      return await this.#open(options, branch)
    } finally {
      branch.done()
      this.#opening.delete(options.name)
      this.#openingCount--
    }
  }

  /** Asserts that its agent may be given more to do. Errors: `limit_reached`. */
  async assertMayInstruct({ info }: Session): Promise<void> {
    await this.#treeLimits.assertTokens(info, 'nothing was typed')
  }

  /** Finds a session by id or name; null when there is none. */
  known(idOrName: string): Session | null {
    return this.#sessions.get(idOrName) ?? this.sessions.find(({ info }) => info.name === idOrName) ?? null
  }

  /** The same. Errors: `session_not_found`. */
  find(idOrName: string): Session {
    const session = this.known(idOrName)
    if (session === null) throw new SessionNotFound(idOrName, this.sessions, this.#overTime.get(idOrName)?.why)
    return session
  }

  /** Errors: `name_taken`, `invalid_input`. */
  rename(session: Session, name: string): void {
    if (session.info.name !== name) this.#assertFree(name, session.info.scope)
    this.#note(session, { ...session.info, name })
  }

  /** Stops or continues every process in it; returns how many there are. */
  async hold(session: Session, isPaused: boolean): Promise<number> {
    const count = await this.#options.pty.hold(session.pid, isPaused ? 'stop' : 'continue')
    if (this.#sessions.get(session.info.id) === session) this.#note(session, { ...session.info, isPaused })
    session.recheckSoon()
    return count
  }

  /** Notes the MCP client that uses it, and when that client ended. */
  noteClient(session: Session, client: Pick<SessionInfo, 'mcpClient' | 'clientEndedAt'>): void {
    if (this.#sessions.get(session.info.id) === session) this.#note(session, { ...session.info, ...client })
  }

  /** Notes that the failure was seen, so that neither this engine nor the next one reports it. */
  seeFailure(session: Session): void {
    if (this.#sessions.get(session.info.id) !== session || session.info.isFailureSeen) return
    this.#note(session, { ...session.info, isFailureSeen: true })
  }

  /** A terminal that has just been closed has no need of its gate's reports. */
  #gateReports(id: string, message: GateMessage): void {
    const session = this.#sessions.get(id)
    if (session === undefined) return
    if (message.kind === 'state')
      this.#note(session, { ...session.info, gate: { state: message.state, reason: message.reason } })
    for (const listener of this.#gateListeners) listener(session, message)
  }

  /** Calls with each report of a terminal's gate; returns a function that stops it. */
  onGateReport(listener: GateListener): Stop {
    this.#gateListeners.add(listener)
    return () => void this.#gateListeners.delete(listener)
  }

  #note(session: Session, info: SessionInfo): void {
    session.info = info
    this.#options.pty.find(numberOf(info.id)).note(JSON.stringify(info))
    this.#changed()
  }

  /** Sends a signal to the program in the foreground. Errors: `session_exited`. */
  async signal({ info }: Session, number: number): Promise<void> {
    await this.#options.pty.find(numberOf(info.id)).signal(number)
  }

  /** Processes that outlived it are counted in the result. */
  async close(session: Session, options: { readonly leaveDaemons: boolean }): Promise<{ readonly survivors: number }> {
    this.#sessions.delete(session.info.id)
    this.leases.forget(session)
    this.#changed()
    return session.close({ graceMs: closeGraceMs, leaveDaemons: options.leaveDaemons })
  }

  /** This engine goes; the sessions stay with ptyhost. */
  dispose(): void {
    this.#stopExpiry()
    for (const session of this.#sessions.values()) {
      this.leases.forget(session)
      session.abandon()
    }
    this.#sessions.clear()
  }

  async #open(options: OpenOptions, { ancestors, givenLimits, endsAt }: Opening): Promise<Session> {
    const { clock, pty, version, nextId, config } = this.#options
    const number = nextId()
    const id = `${idPrefix}${number}`
    const { limits } = options
    const ends = earliest(endsAt, this.#treeLimits.endOf(limits ?? {}))
    const given = withGiven(limits, id, givenLimits)
    const createdAt = clock.wall()
    const logBytes = logShare(this.sessions, this.#openingCount, config)
    const info = firstInfo(options, { id, ancestors, givenLimits: given, endsAt: ends, createdAt, logBytes })
    const { cols, rows, argv, cwd, inside, gate } = options
    const terminal = defined({ id: number, cols, rows, ptmx: inside?.ptmx, gate: gate?.(id) })
    const env = options.env(info.id)
    const spawn = { ...terminal, argv, cwd, env, meta: JSON.stringify(info) }
    assertStartable({ ...spawn, meta: `${spawn.meta}${' '.repeat(nameCharactersMax)}` })
    const opened = await pty.spawn({ ...spawn, logBytes })
    const known = { info, sizes: [{ offset: 0, cols, rows }], start: 0, history: null, nonce: env[nonceVariable] }
    const gateReports = (message: GateMessage) => this.#gateReports(info.id, message)
    const session = new Session({ clock, version, ...opened, ...defined(known), gateReports, ...this.#shared })
    this.#sessions.set(info.id, session)
    this.#closeInTime(session)
    this.#changed()
    return session
  }

  #adopt(kept: KeptSession): void {
    const { clock, pty, version } = this.#options
    const { cols, rows } = kept
    const info = parseSessionInfo(kept.meta)
    const session = new Session({
      clock,
      version,
      info,
      gateReports: (message) => this.#gateReports(info.id, message),
      pid: kept.pid,
      pty: pty.find(kept.id),
      sizes: [{ offset: 0, cols, rows }, ...kept.resizes],
      start: kept.start,
      history: kept,
      ...this.#shared,
    })
    this.#sessions.set(session.info.id, session)
    this.#treeLimits.takeOver(session.info)
    this.leases.takeUp(session)
    this.#closeInTime(session)
  }

  /** Closes the session when its time is over. Terminals below it are closed at the same time or earlier. */
  #closeInTime(session: Session): void {
    const { clock } = this.#options
    const { id, endsAt, createdAt } = session.info
    if (endsAt === null) return
    clock.callAt(clock.now() + Math.max(0, endsAt - clock.wall()), () => {
      if (this.#sessions.get(id) !== session || session.exit !== null) return
      const minutes = Math.round((endsAt - createdAt) / 60_000)
      const why = `closed after ${minutes} min, when its time was over (agents.limits.wallMinutes)`
      this.#overTime.set(id, { why, info: session.info, closedAt: clock.wall() })
      // A host that is gone has closed it already.
      this.close(session, { leaveDaemons: false }).catch(() => undefined)
    })
  }

  /** The newest terminals that a limit has closed. */
  get closedByLimit(): readonly ClosedByLimit[] {
    return [...this.#overTime.entries.values()]
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }

  #assertRoom({ name, scope }: Pick<OpenOptions, 'name' | 'scope'>): void {
    const max = this.#options.config.sessionsMax
    if (this.#sessions.size + this.#openingCount >= max) {
      throw limitReached(`${max} terminals are open, which is the limit.`, 'Close some with terminal_close.')
    }
    if (name !== null) this.#assertFree(name, scope)
  }

  /** `scope`: of the terminal that gets the name. */
  #assertFree(name: string, scope: string | null): void {
    assertIsName(name)
    const holder = this.sessions.find(({ info }) => info.name === name)?.info ?? null
    if (holder === null && !this.#opening.has(name)) return
    throw nameTaken(name, holder, { scope, wall: this.#options.clock.wall() })
  }

  /** A client that runs thousands of commands, each in a terminal of its own, must not run into the limit. */
  #closeOldest(): void {
    const exited = this.sessions.filter(({ exit }) => exit !== null)
    for (const session of exited.slice(0, Math.max(0, exited.length - exitedSessionsMax))) this.#closeExited(session)
  }

  #closeExited(session: Session): void {
    // A host that is gone has closed it already.
    this.close(session, { leaveDaemons: true }).catch(() => undefined)
  }

  /** Exited sessions stay readable for a while, then go. */
  #expireLater(): void {
    const { clock } = this.#options
    this.#stopExpiry = clock.callAt(clock.now() + expirySweepMs, () => {
      const keptMs = this.#options.config.exitedKeptMs
      const old = this.sessions.filter(({ exit, exitedAt }) => exit !== null && clock.now() - exitedAt > keptMs)
      for (const session of old) this.#closeExited(session)
      this.#expireLater()
    })
  }
}
