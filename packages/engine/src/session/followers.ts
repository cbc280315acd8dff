/** All followers of one session. */

import {
  type Clock,
  limitReached,
  type Millis,
  type Offset,
  type Size,
  type Stop,
  subscribersPerSessionMax,
  windowsPerSessionMax,
} from '@agentpty/protocol'
import type { SecretValues } from '@agentpty/protocol/secrets'
import {
  type EchoState,
  type FollowOptions,
  followersUnrationedMax,
  type SessionEvent,
  type SessionInfo,
} from '@agentpty/protocol/session'
import type { Timeline } from '../log/timeline.ts'
import type { CommandTracker } from '../marks/command-tracker.ts'
import type { TurnAnswer } from '../turn/judge-turn.ts'
import { TurnFeed } from '../turn/turn-feed.ts'
import { FrameFollower, type Watched } from './frame-follower.ts'
import { EchoGate, type EchoMoment } from './input-writer.ts'
import {
  CrowdBudget,
  type Followed,
  FollowerNews,
  type Leased,
  type Ration,
  SessionFollower,
} from './session-follower.ts'
import { SnapshotFollower } from './snapshot-follower.ts'
import { type Late, TerminalSnapshots } from './terminal-snapshots.ts'

export interface FollowedSession extends Followed, Watched, Leased {
  readonly info: SessionInfo
  readonly timeline: Timeline
  readonly commands: CommandTracker
  readonly modes: Pick<EchoMoment, 'alternateScreen'>
  readonly program: { readonly latestFacts: EchoMoment['facts'] }
  /** Kernel facts are read until this is stopped. */
  watch(): Stop
  turn(): TurnAnswer
}

/** `hides`: nothing of these is drawn in a snapshot. All else is masked by who passes the events on. */
export type EngineFollowOptions = FollowOptions & { readonly hides?: SecretValues }

type Follower = SessionFollower | FrameFollower | SnapshotFollower

export class Followers {
  readonly #clock: Clock
  readonly #session: FollowedSession
  readonly #crowdBudget: CrowdBudget
  readonly #turnFeed: TurnFeed
  readonly #followers = new Set<Follower>()
  readonly #snapshots: TerminalSnapshots
  readonly #echoGate = new EchoGate()
  #lookedAt: Millis = Number.NEGATIVE_INFINITY
  /** Verdicts that slow followers have missed. */
  droppedTurns = 0

  constructor(clock: Clock, session: FollowedSession, crowdBudget = new CrowdBudget(clock)) {
    this.#crowdBudget = crowdBudget
    this.#clock = clock
    this.#session = session
    this.#snapshots = new TerminalSnapshots(clock, session)
    this.#turnFeed = new TurnFeed(clock, () => this.publishTurn())
  }

  /** When a follower last showed all of it: its screen, in a window or with an emulator. */
  get lookedAt(): Millis {
    return this.isLookedAt ? this.#clock.now() : this.#lookedAt
  }

  get isLookedAt(): boolean {
    return this.viewers > 0
  }

  get viewers(): number {
    let viewers = 0
    for (const follower of this.#followers) if (looks(follower)) viewers++
    return viewers
  }

  /** Input is on its way. */
  typed(bytes: Uint8Array): void {
    this.#echoGate.typed(bytes)
    this.publishTurn()
    this.recheck()
  }

  /** The turn may have changed. */
  publishTurn(): void {
    if (this.#turnFeed.isHeard) this.#turnFeed.publish(this.#session.turn())
  }

  /** There may be something new. */
  recheck(): void {
    for (const follower of this.#followers) follower.recheck()
  }

  /** The terminal has another size from `offset` on. */
  resized(offset: Offset, size: Size): void {
    for (const follower of this.#followers) if (follower instanceof SnapshotFollower) follower.resized(offset, size)
    this.recheck()
  }

  end(): void {
    for (const follower of this.#followers) follower.end()
  }

  /** Errors: `limit_reached`. */
  async *follow(options: EngineFollowOptions): AsyncGenerator<SessionEvent> {
    this.#assertRoom(options.frames !== undefined)
    const { log } = this.#session
    const follower = this.#open(options)
    const end = () => follower.end()
    const release = options.turn || options.echo ? this.#session.watch() : () => {}
    const stopTurns = options.turn
      ? this.#turnFeed.listen(
          (verdict, heldMs) => follower.turn({ type: 'turn', at: log.end, verdict, heldMs }),
          this.#session.turn(),
          { wantsEvidence: options.turn === 'evidence' },
        )
      : () => {}
    this.#followers.add(follower)
    options.signal?.addEventListener('abort', end, { once: true })
    if (options.signal?.aborted) end()
    try {
      yield* follower.events()
    } finally {
      options.signal?.removeEventListener('abort', end)
      this.#followers.delete(follower)
      if (looks(follower)) this.#lookedAt = this.#clock.now()
      stopTurns()
      release()
    }
  }

  #open(options: EngineFollowOptions): Follower {
    const { frames, output, hides = null } = options
    const news = new FollowerNews(this.#session, () => this.#echo(), options)
    if (frames !== undefined) {
      const hideIn = (text: string) => hides?.masked(text) ?? text
      return new FrameFollower(this.#clock, this.#session, { window: frames, hideIn, news })
    }
    const dropped = () => this.droppedTurns++
    const parts = { clock: this.#clock, ration: this.#ration(), dropped, news }
    if (output === undefined || 'since' in output) return new SessionFollower(this.#session, options, parts)
    const snapshot = (late: Late | null) =>
      late === null ? this.#snapshots.now(hides) : this.#snapshots.late(hides, late)
    return new SnapshotFollower(this.#session, { ...parts, snapshot })
  }

  /** Few get every byte, however many there are. */
  #ration(): Ration {
    const budget = this.#crowdBudget
    const isCrowd = () => this.#followers.size > followersUnrationedMax
    return {
      get isSpent() {
        return isCrowd() && budget.isSpent
      },
      spend: (bytes) => isCrowd() && budget.spend(bytes),
    }
  }

  #echo(): EchoState {
    const { modes, commands, program } = this.#session
    const { verdict } = this.#session.turn()
    const { alternateScreen } = modes
    this.#echoGate.look({ verdict, facts: program.latestFacts, alternateScreen, atPrompt: commands.atPrompt })
    return this.#echoGate.state
  }

  #assertRoom(isWindow: boolean): void {
    const { id } = this.#session.info
    const windows = [...this.#followers].filter((one) => one instanceof FrameFollower).length
    if (isWindow && windows >= windowsPerSessionMax)
      throw limitReached(`${windows} watch ${id} already.`, 'Let one of them end first.')
    if (this.#followers.size >= subscribersPerSessionMax)
      throw limitReached(`${this.#followers.size} follow ${id} already.`, 'Let one of them end first.')
  }
}

/** A window among many on a wall does not count as viewing this session. */
const looks = (follower: Follower): boolean =>
  follower instanceof SnapshotFollower || (follower instanceof FrameFollower && !follower.isPinned)
