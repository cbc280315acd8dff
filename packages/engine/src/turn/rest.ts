/**
 * The way a program waits for its caller, and the differences of a later wait from it.
 *
 * A timer or a connection that it does not have at rest was opened by its work.
 */

import type { Facts, Millis, Offset } from '@agentpty/protocol'
import type { Kind } from '@agentpty/protocol/session'
import { promptOf } from './prompt-shape.ts'

/** Over all waits of one program for its caller so far. */
export interface Rest {
  readonly waiter: number
  /** Its process group. */
  readonly foreground: number
  /** Null when it has waited without end at least once: then a timer means work. */
  readonly timeoutMs: Millis | null
  /** When the timer it rested with was due, by the host's clock; null without one. */
  readonly timerAt: Millis | null
  /** The most that it had while it waited. */
  readonly threads: number
  readonly children: number
  /** Its main thread polled without end while another waited, at least once: then a timer there means work. */
  readonly mainEndless: boolean
  /** It waited for its caller while no program was on the terminal that it relays. */
  readonly relayed: boolean
  readonly otherFds: number
  readonly sockets: number
  /** The terminal edited lines for it: it had not put it into raw mode. */
  readonly canonical: boolean
  /** There was text before the cursor, or on the screen: it asks when it waits. */
  readonly asked: boolean
  /** It has asked in each of its waits: where it does not ask, it works. */
  readonly asksAlways: boolean
  readonly kind: Kind | null
  /** It has been at a prompt of its own, now or before. */
  readonly interprets: boolean
}

/** A program that looked for input between naps when input came. */
export interface Nap {
  readonly foreground: number
  readonly kind: Kind | null
}

/** A moment by the host's clock and by ours. */
export interface RestStart {
  readonly host: Millis
  readonly own: Millis
}

/** A longer timer only keeps a connection alive, or refreshes a screen. */
const workTimerMs = 3_000
/** A timer that goes off this much earlier than the one at rest is another one. */
const timerSlackMs = 20

/** The present state of a program that waits for its caller. */
interface WaitNow {
  readonly facts: Facts
  readonly restingSince: RestStart
  readonly asked: boolean
  readonly kind: Kind | null
}

/** Joins the present rest with earlier ones of the same program. Null when no thread is seen waiting. */
function restOf({ facts, restingSince, asked, kind }: WaitNow, lastRest: Rest | null): Rest | null {
  if (facts.wait === 'none') return null
  const { waiter, foreground, timeoutMs, otherFds, sockets, canonical } = facts
  const known = lastRest?.waiter === waiter ? lastRest : null
  const isEndless = timeoutMs === null || (known !== null && known.timeoutMs === null)
  return {
    waiter,
    foreground,
    timeoutMs: isEndless ? null : timeoutMs,
    timerAt: timeoutMs === null ? null : restingSince.host + timeoutMs,
    threads: Math.max(facts.threads, known?.threads ?? 0),
    children: Math.max(facts.children, known?.children ?? 0),
    mainEndless: facts.mainTimeoutMs === null || known?.mainEndless === true,
    relayed: facts.relay || known?.relayed === true,
    otherFds,
    sockets,
    canonical,
    asked: asked || known?.asked === true,
    asksAlways: asked && known?.asksAlways !== false,
    kind,
    interprets: kind === 'repl' || known?.interprets === true,
  }
}

function napOf(wait: WaitNow | null): Nap | null {
  if (wait === null || wait.facts.wait !== 'none') return null
  const { foreground, activity } = wait.facts
  return activity === 'rounds' || activity === 'sleeps' ? { foreground, kind: wait.kind } : null
}

/** Input made the program wait for a connection that it does not have at rest. */
export function hasNewConnection(facts: Facts, lastRest: Rest | null): boolean {
  return lastRest?.waiter === facts.waiter && facts.sockets > lastRest.sockets
}

/** A thread or a child that it does not have at rest may still work on the last input. */
export function hasNewWorker({ waiter, threads, children }: Facts, lastRest: Rest | null): boolean {
  return lastRest?.waiter === waiter && (threads > lastRest.threads || children > lastRest.children)
}

/** A timer in its main thread's loop, which has none at rest. */
export function hasNewMainTimer({ waiter, mainTimeoutMs }: Facts, lastRest: Rest | null): boolean {
  return lastRest?.waiter === waiter && lastRest.mainEndless && isWorkTimer(mainTimeoutMs)
}

/** A timer of its work: it goes off before the one it rested with, or it rested without one. */
export function hasNewTimer(facts: Facts, lastRest: Rest | null, restingSince: RestStart): boolean {
  const { timeoutMs } = facts
  if (lastRest?.waiter !== facts.waiter || !isWorkTimer(timeoutMs)) return false
  if (lastRest.timerAt === null) return lastRest.timeoutMs === null
  return restingSince.host + timeoutMs < lastRest.timerAt - timerSlackMs
}

/** The timer that it rested with is still the first to go off. */
export function hasTimerOfRest({ waiter, timeoutMs }: Facts, lastRest: Rest | null, restingSince: RestStart): boolean {
  if (lastRest?.waiter !== waiter || lastRest.timerAt === null || timeoutMs === null) return false
  return Math.abs(restingSince.host + timeoutMs - lastRest.timerAt) <= timerSlackMs
}

export function isWorkTimer(timeoutMs: Millis | null): timeoutMs is Millis {
  return timeoutMs !== null && timeoutMs <= workTimerMs
}

/** It waits for nothing that it did not wait for at rest. */
export function isAsAtRest(facts: Facts, lastRest: Rest | null): boolean {
  return (
    lastRest?.waiter === facts.waiter &&
    facts.sockets <= lastRest.sockets &&
    facts.otherFds <= lastRest.otherFds &&
    (facts.timeoutMs === null) === (lastRest.timeoutMs === null)
  )
}

/** Prompts that are remembered: a program with more has no prompt but prints text. */
const knownPromptsMax = 16
/** Characters of a prompt; a longer line is text. */
const promptCharactersMax = 200

/**
 * The state of the program when it last waited for its caller, so that the next wait is recognized sooner.
 *
 * A rest is learned only once it is over. A wait must not be compared with itself: a prompt is not known just because
 * it is there now. It becomes known when input comes there.
 */
export class RestMemory {
  #knownPrompts: readonly string[] = []
  #lastRest: Rest | null = null
  #lastNap: Nap | null = null
  #wentOn = false
  /** The present rest of the program, and the log's end at it; null while it works. */
  #current: {
    readonly end: Offset
    readonly rest: Rest | null
    readonly nap: Nap | null
    readonly prompt: string
    readonly isSure: boolean
  } | null = null

  /** Since the last input it has continued by itself from an uncertain rest. */
  get wentOn(): boolean {
    return this.#wentOn
  }

  get lastRest(): Rest | null {
    return this.#lastRest
  }

  get lastNap(): Nap | null {
    return this.#lastNap
  }

  /** The log's end where the program rests now; null while it works. */
  get restsAt(): Offset | null {
    return this.#current?.end ?? null
  }

  /** It is the caller's turn. `wait` is null when no facts are known; `before` is the text before the cursor. */
  note(end: Offset, wait: WaitNow | null, shown: { readonly before: string; readonly isSure: boolean }): void {
    const rest = wait === null ? null : restOf(wait, this.#lastRest)
    this.#current = { end, rest, nap: napOf(wait), prompt: promptOf(shown.before), isSure: shown.isSure }
  }

  /** Ends the rest, because input came or because the program continued by itself. */
  ended(by: 'input' | 'itself'): void {
    if (by === 'input') this.#wentOn = false
    else if (this.#current?.isSure === false) this.#wentOn = true
    if (this.#current === null) return
    const { rest, nap, prompt, isSure } = this.#current
    this.#current = null
    // An uncertain rest that the program itself ended was no rest.
    if (rest !== null && (isSure || by === 'input')) this.#lastRest = rest
    if (by === 'input') this.#lastNap = nap
    this.#knownPrompts = this.#knownPrompts.filter((known) => known !== prompt)
    // Text that the program replaced by itself, as a clock or a spinner does, was no prompt.
    if (by === 'itself' || prompt === '' || prompt.length > promptCharactersMax) return
    this.#knownPrompts = [...this.#knownPrompts, prompt].slice(-knownPromptsMax)
  }

  /** The text before the cursor is that of an earlier rest. */
  isKnownPrompt(before: string): boolean {
    return this.#knownPrompts.includes(promptOf(before))
  }
}

/** The newest waits of all programs in one session. An editor has three or four, a debugger two. */
const waitsMax = 32

/** The modes of the terminal that the facts do not include. */
interface ScreenMode {
  readonly alternateScreen: boolean
}

interface KnownWait {
  readonly facts: Facts
  readonly alternateScreen: boolean
  /** False once the program went on from it by itself. */
  isTrusted: boolean
}

/**
 * The waits of a program that its caller's input has ended: where in the program they were called, on what, and how the terminal
 * was set. A program that is in one of them again most likely waits for its caller again.
 *
 * A wait from which the program once continued without input is not trusted any more: the program also works there.
 */
export class KnownWaits {
  #waits: readonly KnownWait[] = []
  /** The wait that the program is in while it is its caller's turn. */
  #current: KnownWait | null = null

  /** It is the caller's turn. `facts` is null when none are known. */
  note(facts: Facts | null, { alternateScreen }: ScreenMode): void {
    const isKnowable = facts !== null && facts.wait !== 'none' && facts.callSite !== 0
    this.#current = isKnowable ? { facts, alternateScreen, isTrusted: true } : null
  }

  /** The wait is over, because input came or because the program went on by itself. */
  ended(by: 'input' | 'itself'): void {
    const current = this.#current
    this.#current = null
    if (current === null) return
    const known = this.#find(current.facts, current)
    if (known !== undefined) known.isTrusted &&= by === 'input'
    else this.#waits = [{ ...current, isTrusted: by === 'input' }, ...this.#waits.slice(0, waitsMax - 1)]
  }

  /** Something else has happened to the program, which says nothing of the wait. */
  disturbed(): void {
    this.#current = null
  }

  has(facts: Facts | null, mode: ScreenMode): boolean {
    return facts !== null && facts.callSite !== 0 && this.#find(facts, mode)?.isTrusted === true
  }

  #find(facts: Facts, { alternateScreen }: ScreenMode): KnownWait | undefined {
    return this.#waits.find((one) => one.alternateScreen === alternateScreen && isSameWait(one.facts, facts))
  }
}

function isSameWait(a: Facts, b: Facts): boolean {
  return (
    a.callSite === b.callSite &&
    a.waiterThread === b.waiterThread &&
    a.wait === b.wait &&
    a.foreground === b.foreground &&
    a.canonical === b.canonical &&
    a.echo === b.echo &&
    a.signals === b.signals &&
    a.inner === b.inner &&
    timerOf(a) === timerOf(b)
  )
}

/** A timer of work is another wait than none, or than one that keeps something alive. */
function timerOf({ timeoutMs }: Facts): 'none' | 'short' | 'long' {
  if (timeoutMs === null) return 'none'
  return isWorkTimer(timeoutMs) ? 'short' : 'long'
}
