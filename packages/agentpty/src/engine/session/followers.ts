/** Everybody who follows one session. */

import { TermError } from '../../contracts/errors.ts'
import { subscribersPerSessionMax, windowsPerSessionMax } from '../../contracts/limits.ts'
import type { Clock, Stop } from '../../contracts/ports.ts'
import type { FollowOptions, SessionEvent } from '../../contracts/session/events.ts'
import type { SessionInfo } from '../../contracts/session/session-info.ts'
import type { TurnAnswer } from '../turn/judge-turn.ts'
import { TurnFeed } from '../turn/turn-feed.ts'
import { FrameFollower, type Watched } from './frame-follower.ts'
import { type Followed, SessionFollower } from './session-follower.ts'

export interface FollowedSession extends Followed, Watched {
  readonly info: SessionInfo
  /** Kernel facts are read until this is stopped. */
  watch(): Stop
  turn(): TurnAnswer
}

export class Followers {
  readonly #clock: Clock
  readonly #session: FollowedSession
  readonly #turnFeed: TurnFeed
  readonly #followers = new Set<SessionFollower | FrameFollower>()
  /** Verdicts that slow followers have missed. */
  droppedTurns = 0

  constructor(clock: Clock, session: FollowedSession) {
    this.#clock = clock
    this.#session = session
    this.#turnFeed = new TurnFeed(clock, () => this.publishTurn())
  }

  /** The turn may have changed. */
  publishTurn(): void {
    if (this.#turnFeed.isHeard) this.#turnFeed.publish(this.#session.turn())
  }

  /** There may be something new. */
  recheck(): void {
    for (const follower of this.#followers) follower.recheck()
  }

  /** The session goes away. */
  end(): void {
    for (const follower of this.#followers) follower.end()
  }

  /** Errors: `limit_reached`. */
  async *follow(options: FollowOptions): AsyncGenerator<SessionEvent> {
    this.#assertRoom(options.frames !== undefined)
    const { log } = this.#session
    const follower =
      options.frames === undefined
        ? new SessionFollower(this.#session, options, () => this.droppedTurns++)
        : new FrameFollower(this.#clock, this.#session, options.frames, options.lease === true)
    const end = () => follower.end()
    const release = options.turn ? this.#session.watch() : () => {}
    const stopTurns = options.turn
      ? this.#turnFeed.listen(
          (verdict, heldMs) => follower.turn({ type: 'turn', at: log.end, verdict, heldMs }),
          this.#session.turn(),
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
      stopTurns()
      release()
    }
  }

  #assertRoom(isWindow: boolean): void {
    const { id } = this.#session.info
    const windows = [...this.#followers].filter((one) => one instanceof FrameFollower).length
    if (isWindow && windows >= windowsPerSessionMax)
      throw new TermError('limit_reached', `${windows} watch ${id} already.`, 'Let one of them end first.')
    if (this.#followers.size >= subscribersPerSessionMax)
      throw new TermError(
        'limit_reached',
        `${this.#followers.size} follow ${id} already.`,
        'Let one of them end first.',
      )
  }
}
