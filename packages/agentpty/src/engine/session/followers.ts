/** Everybody who follows one session. */

import { TermError } from '../../contracts/errors.ts'
import type { FollowOptions, SessionEvent } from '../../contracts/events.ts'
import { subscribersPerSessionMax } from '../../contracts/limits.ts'
import type { Clock } from '../../contracts/ports.ts'
import type { SessionInfo } from '../../contracts/session-info.ts'
import type { TurnFeed } from '../turn/turn-feed.ts'
import { FrameFollower, type Watched } from './frame-follower.ts'
import { type Followed, SessionFollower } from './session-follower.ts'

export interface FollowedSession extends Followed, Watched {
  readonly info: SessionInfo
  /** Holds kernel facts flowing until the answer is called. */
  watch(): () => void
}

export class Followers {
  readonly #clock: Clock
  readonly #session: FollowedSession
  readonly #turnFeed: TurnFeed
  readonly #followers = new Set<SessionFollower | FrameFollower>()

  constructor(clock: Clock, session: FollowedSession, turnFeed: TurnFeed) {
    this.#clock = clock
    this.#session = session
    this.#turnFeed = turnFeed
  }

  /** There may be something new. */
  look(): void {
    for (const follower of this.#followers) follower.look()
  }

  /** The session goes away. */
  end(): void {
    for (const follower of this.#followers) follower.end()
  }

  /** Errors: `limit_reached`. */
  async *follow(options: FollowOptions): AsyncGenerator<SessionEvent> {
    this.#assertRoom()
    const { log } = this.#session
    const follower =
      options.frames === undefined
        ? new SessionFollower(this.#session, options)
        : new FrameFollower(this.#clock, this.#session, options.frames)
    const end = () => follower.end()
    const release = options.turn ? this.#session.watch() : () => {}
    const deafen = options.turn
      ? this.#turnFeed.listen((verdict, heldMs) => follower.turn({ type: 'turn', at: log.end, verdict, heldMs }))
      : () => {}
    this.#followers.add(follower)
    options.signal?.addEventListener('abort', end, { once: true })
    if (options.signal?.aborted) end()
    try {
      yield* follower.events()
    } finally {
      options.signal?.removeEventListener('abort', end)
      this.#followers.delete(follower)
      deafen()
      release()
    }
  }

  #assertRoom(): void {
    if (this.#followers.size < subscribersPerSessionMax) return
    throw new TermError(
      'limit_reached',
      `${subscribersPerSessionMax} follow ${this.#session.info.id} already.`,
      'Let one of them end first.',
    )
  }
}
