/**
 * The waits of a program that its caller's input has ended: where in the program they were called, on what, and how the terminal
 * was set. A program that is in one of them again most likely waits for its caller again.
 *
 * A wait from which the program once continued without input is not trusted any more: the program also works there.
 */

import type { Facts } from '@agentpty/protocol'
import { isWorkTimer } from './rest.ts'

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
