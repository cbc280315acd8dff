/**
 * Holds what programs in terminals open within limits. Every terminal is opened through here, whichever verb, tool or command
 * asks for it, before anything of it is started.
 *
 * Limits count for a subtree: those of the configuration for the outermost terminal and all below it, those that a terminal was given
 * for it and all below it. All of them hold, so that whoever is below can only narrow. A terminal that was opened from
 * outside every terminal is not limited. Where a terminal hangs stands in its notes: it stays there when those above it have gone.
 */

import {
  type GivenLimits,
  type SetTreeLimits,
  type TreeLimits,
  treeDepthMax,
} from '../../contracts/agents/tree-limits.ts'
import { BoundedMap } from '../../contracts/bounded-map.ts'
import { TermError } from '../../contracts/errors.ts'
import { keptSessionsMax } from '../../contracts/limits.ts'
import type { Clock } from '../../contracts/ports.ts'
import type { SessionInfo } from '../../contracts/session/session-info.ts'
import type { Millis } from '../../contracts/units.ts'

const minuteMs = 60_000

type Branch = Pick<SessionInfo, 'ancestors' | 'givenLimits' | 'endsAt'>
type Above = Branch & Pick<SessionInfo, 'id'>

export interface Opening extends Branch {
  /** It is open, and counted as such from now on; or it could not be opened. */
  readonly done: () => void
}

interface Bound {
  /** The terminal whose subtree it is. */
  readonly of: string
  readonly limits: TreeLimits | SetTreeLimits
}

export class TreeLimitKeeper {
  readonly #clock: Clock
  readonly #settings: () => SetTreeLimits
  readonly #opening = new Set<readonly string[]>()
  /** When terminals were opened below one, in the minute before the newest. */
  readonly #starts = new BoundedMap<string, readonly Millis[]>(keptSessionsMax)

  constructor(clock: Clock, settings: () => SetTreeLimits) {
    this.#clock = clock
    this.#settings = settings
  }

  /** `running`: the terminals whose programs run. Errors: `limit_reached`. */
  open(above: Above | null, running: readonly Branch[]): Opening {
    if (above === null) return { ancestors: [], givenLimits: [], endsAt: null, done: () => {} }
    const ancestors = [...above.ancestors, above.id]
    const [root = above.id] = ancestors
    const settings = this.#settings()
    const bounds: readonly Bound[] = [{ of: root, limits: settings }, ...above.givenLimits]
    const all = [...running.map((one) => one.ancestors), ...this.#opening]
    for (const bound of bounds) assertRoom(bound, ancestors, all)
    for (const bound of bounds) this.#assertPace(bound)
    for (const { of } of bounds) this.#started(of)
    this.#opening.add(ancestors)
    const endsAt = earliest(above.endsAt, this.endOf(settings))
    return { ancestors, givenLimits: above.givenLimits, endsAt, done: () => void this.#opening.delete(ancestors) }
  }

  /** When a terminal that is opened now is over its time; null: never. */
  endOf({ wallMinutes = null }: TreeLimits | SetTreeLimits): number | null {
    return wallMinutes === null ? null : this.#clock.wall() + wallMinutes * minuteMs
  }

  /** Errors: `limit_reached`, with how long to wait. */
  #assertPace({ of, limits: { startsPerMinute } }: Bound): void {
    if (startsPerMinute === undefined) return
    const starts = this.#recent(of)
    if (starts.length < startsPerMinute) return
    const first = starts.at(-startsPerMinute)
    const next =
      first === undefined
        ? 'Work in the terminals that are there, or do it yourself.'
        : `Wait ${Math.max(1, Math.ceil((first + minuteMs - this.#clock.now()) / 1_000))} s, or do it yourself.`
    throw reached(`${starts.length} terminals were opened below ${of} within a minute`, { startsPerMinute }, next)
  }

  #recent(of: string): readonly Millis[] {
    const since = this.#clock.now() - minuteMs
    return (this.#starts.get(of) ?? []).filter((at) => at > since)
  }

  #started(of: string): void {
    this.#starts.set(of, [...this.#recent(of), this.#clock.now()])
  }
}

/** Errors: `limit_reached`. */
function assertRoom({ of, limits }: Bound, ancestors: readonly string[], all: readonly (readonly string[])[]): void {
  const parent = ancestors.at(-1)
  const depth = Math.min(limits.depth ?? treeDepthMax, treeDepthMax)
  const levels = ancestors.length - ancestors.indexOf(of)
  if (levels > depth)
    throw reached(`${parent} is ${levels - 1} levels below ${of}`, { depth }, 'Do it yourself, in this terminal.')
  const { children = Number.POSITIVE_INFINITY, total = Number.POSITIVE_INFINITY } = limits
  const own = all.filter((one) => one.at(-1) === parent).length
  if (own >= children) throw reached(`${parent} has opened ${own} terminals that run`, { children }, closeSome)
  const below = all.filter((one) => one.includes(of)).length
  if (below >= total) throw reached(`${below} terminals run below ${of}`, { total }, closeSome)
}

const closeSome = 'Close those that are not needed, wait until one ends, or do it yourself.'

function reached(what: string, limit: Readonly<Record<string, number>>, next: string): TermError {
  const [[name, value] = []] = Object.entries(limit)
  return new TermError(
    'limit_reached',
    `${what}, and the limit (agents.limits.${name}) is ${value}: nothing was started.`,
    next,
  )
}

/** The limits of a terminal and all below it: those from above, and its own. */
export function withGiven(given: TreeLimits | null, id: string, above: readonly GivenLimits[]): readonly GivenLimits[] {
  return given === null ? above : [...above, { of: id, limits: given }]
}

export function earliest(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return Math.min(one, other)
}
