/**
 * The state of all terminals at a glance, while there are listeners. One timer for all of them keeps it up, and compares a few
 * numbers of each.
 *
 * Judging a turn costs samples of the kernel. They are taken briefly, and only of a terminal where something may have changed: after
 * its output has paused, after input, and occasionally during output that never pauses. A program that works in silence is sampled ever
 * more rarely. A program that waits for input and prints nothing is not sampled.
 */

import { type Clock, isTermError, type Millis, type Offset, pause, type Stop } from '@agentpty/protocol'
import {
  floodGapMs,
  glanceGapMsMin,
  glanceMs,
  glancesAtOnceMax,
  livelyGapMsMax,
  overviewGatherMs,
  promptGlanceMs,
  silentGapMsMax,
} from '@agentpty/protocol/needs'
import type { Verdict } from '@agentpty/protocol/session'
import type { Session } from '../session/session.ts'

export interface Glance {
  readonly session: Session
  /** Null before the first one. */
  verdict: Verdict | null
  /** Wall clock: since when it has been in the state of the verdict. */
  since: number
  /** Wall clock in whole seconds; null before any. */
  lastOutputAt: number | null
  revision: number
  /** The log's end when it was last judged. */
  judgedTo: Offset
}

interface Kept extends Glance {
  end: Offset
  /** Moments with output, one after the other. */
  lively: number
  mayHaveChanged: boolean
  judgedAt: Millis
  gapMs: Millis
  isJudging: boolean
}

/** A terminal that rests is not judged again once the gap between two judgements has become this long. */
const restGapMsMax = 4_000
/** The number of consecutive moments with output that make a flood. */
const floodMoments = 4

export interface GlancedHost {
  readonly allSessions: readonly Session[]
}

export class Glances {
  readonly #clock: Clock
  readonly #host: GlancedHost
  readonly #kept = new Map<string, Kept>()
  readonly #listeners = new Set<() => void>()
  #judging = 0
  looks = 0
  #stopTimer: Stop = () => {}

  constructor(clock: Clock, host: GlancedHost) {
    this.#clock = clock
    this.#host = host
  }

  get all(): Iterable<Glance> {
    return this.#kept.values()
  }

  /** Calls the listener after each check of all terminals; returns a function that ends this. Without listeners nothing is checked. */
  listen(listener: () => void): Stop {
    this.#listeners.add(listener)
    if (this.#listeners.size === 1) this.#tick()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#stopTimer()
    }
  }

  /** Resolves when all that may have changed has been judged, or at this time. */
  async settled(latest: Millis): Promise<void> {
    const stop = this.listen(() => {})
    this.#look()
    while (this.#clock.now() < latest && [...this.#kept.values()].some(isUnknown)) {
      await pause(this.#clock, glanceMs)
      this.#look()
    }
    stop()
  }

  #tick(): void {
    this.#stopTimer = this.#clock.callAt(this.#clock.now() + overviewGatherMs, () => {
      this.#look()
      for (const listener of this.#listeners) listener()
      if (this.#listeners.size > 0) this.#tick()
    })
  }

  #look(): void {
    const seen = new Set<string>()
    this.looks += 1
    for (const session of this.#host.allSessions) {
      const { id } = session.info
      seen.add(id)
      const known = this.#kept.get(id)
      const kept = known?.session === session ? known : this.#add(id, session)
      this.#note(kept)
      if (this.#judging < glancesAtOnceMax && this.#isDue(kept)) void this.#judge(kept)
    }
    if (seen.size < this.#kept.size) for (const id of this.#kept.keys()) if (!seen.has(id)) this.#kept.delete(id)
  }

  #add(id: string, session: Session): Kept {
    const kept: Kept = {
      session,
      verdict: null,
      since: session.info.createdAt,
      lastOutputAt: null,
      revision: 0,
      judgedTo: -1,
      end: session.log.end,
      lively: 0,
      mayHaveChanged: true,
      judgedAt: Number.NEGATIVE_INFINITY,
      gapMs: glanceGapMsMin,
      isJudging: false,
    }
    this.#kept.set(id, kept)
    return kept
  }

  #note(kept: Kept): void {
    const { log, program } = kept.session
    if (log.end === kept.end) kept.lively = 0
    else {
      kept.end = log.end
      kept.lively += 1
      kept.mayHaveChanged = true
      kept.lastOutputAt = Math.floor(this.#clock.wall() / 1_000) * 1_000
    }
    if (program.lastInputAt > kept.judgedAt) kept.mayHaveChanged = true
  }

  #isDue(kept: Kept): boolean {
    const { session, verdict, judgedAt, isJudging } = kept
    if (isJudging || verdict?.state === 'exited') return false
    if (verdict === null || session.exit !== null) return true
    const quietFor = this.#clock.now() - judgedAt
    if (kept.lively >= floodMoments) return quietFor >= floodGapMs || kept.lively === floodMoments
    if (kept.lively > 0) return false
    if (kept.mayHaveChanged) return quietFor >= Math.min(kept.gapMs, livelyGapMsMax)
    // More may be known of it without output: the agent, its screen. One that rests is judged again a few times only.
    return quietFor >= kept.gapMs && (verdict.state === 'busy' || kept.gapMs < restGapMsMax)
  }

  async #judge(kept: Kept): Promise<void> {
    const { session } = kept
    kept.isJudging = true
    kept.mayHaveChanged = false
    this.#judging += 1
    const { end } = session.log
    try {
      const verdict = await session.freshVerdict(session.commands.atPrompt ? promptGlanceMs : glanceMs)
      this.#judged(kept, verdict)
    } catch (error) {
      // Too many calls wait for it to admit a glance. They know its state, and the next glance will.
      if (!isTermError(error) || error.code !== 'limit_reached') throw error
    } finally {
      kept.isJudging = false
      kept.judgedTo = end
      kept.judgedAt = this.#clock.now()
      this.#judging -= 1
    }
  }

  #judged(kept: Kept, verdict: Verdict): void {
    const before = kept.verdict
    kept.verdict = verdict
    if (before !== null && isSame(before, verdict)) {
      kept.gapMs = Math.min(kept.gapMs * 2, silentGapMsMax)
      return
    }
    const { exit, exitedAt, history } = kept.session
    const began = exit === null ? (history.restsSince(kept.session) ?? verdict.since) : exitedAt
    const since = this.#clock.wall() - Math.max(0, this.#clock.now() - began)
    if (before?.state !== verdict.state || before.kind !== verdict.kind)
      kept.since = Math.max(kept.since, Math.round(since))
    kept.gapMs = glanceGapMsMin
    kept.revision += 1
  }
}

const isUnknown = ({ verdict, isJudging, mayHaveChanged, lively }: Kept): boolean =>
  verdict === null || isJudging || (mayHaveChanged && lively === 0)

function isSame(a: Verdict, b: Verdict): boolean {
  return a.state === b.state && a.kind === b.kind && a.needs === b.needs && a.question === b.question
}
