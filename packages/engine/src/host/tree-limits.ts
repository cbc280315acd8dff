/**
 * Limits the terminals that programs in terminals open. Every verb, tool and command opens terminals through this module, before
 * anything of the terminal is started.
 *
 * Limits count for a subtree. Those of the configuration are for the outermost terminal and all below it; those given to a terminal are
 * for it and all below it. All of them hold, so a terminal below can only narrow them. A terminal that was opened from outside every
 * terminal is not limited. The limit on tokens also holds for instructions, from any caller. The notes of a terminal record its position
 * in the tree, and it keeps that when those above it have gone.
 */

import { basename } from 'node:path'
import { BoundedMap, type Clock, keptSessionsMax, limitReached, type Millis, type TermError } from '@agentpty/protocol'
import { type GivenLimits, type SetTreeLimits, type TreeLimits, treeDepthMax } from '@agentpty/protocol/agents'
import { shownText } from '@agentpty/protocol/approvals'
import type { SessionInfo } from '@agentpty/protocol/session'

const minuteMs = 60_000

type Branch = Pick<SessionInfo, 'ancestors' | 'givenLimits' | 'endsAt'>
type Above = Branch & Pick<SessionInfo, 'id'>

export interface Opening extends Branch {
  /** It is open, and counted as such from now on; or it could not be opened. */
  readonly done: () => void
}

/** A terminal that was closed by a limit, and not by a caller. */
export interface ClosedByLimit {
  readonly info: SessionInfo
  /** The reason, in words that continue "It was". */
  readonly why: string
  /** The wall time, in milliseconds since 1970. */
  readonly closedAt: number
}

interface Bound {
  /** The terminal whose subtree it is. */
  readonly of: string
  readonly limits: TreeLimits | SetTreeLimits
}

interface TreeLimitsOptions {
  readonly clock: Clock
  readonly settings: () => SetTreeLimits
  /** Counts the tokens of a terminal and all below it. */
  readonly tokensOf: (terminalId: string) => Promise<number>
}

export class TreeLimitKeeper {
  readonly #clock: Clock
  readonly #settings: () => SetTreeLimits
  readonly #tokensOf: TreeLimitsOptions['tokensOf']
  readonly #opening = new Set<readonly string[]>()
  /** When terminals were opened below one, in the minute before the newest. */
  readonly #starts = new BoundedMap<string, readonly Millis[]>(keptSessionsMax)

  constructor({ clock, settings, tokensOf }: TreeLimitsOptions) {
    this.#clock = clock
    this.#settings = settings
    this.#tokensOf = tokensOf
  }

  /**
   * Checks the token limits before an instruction to an agent. Returns null immediately where no such limit holds. `what`: the refused
   * action, as in `nothing was typed`. Errors: `limit_reached`.
   */
  assertTokens(terminal: Above | null, what: string): Promise<void> | null {
    const bounds = terminal === null ? [] : this.#boundsOf(terminal)
    const limited = bounds.flatMap(({ of, limits: { tokens = null } }) => (tokens === null ? [] : [{ of, tokens }]))
    return limited.length === 0 ? null : this.#assertBelow(limited, what)
  }

  /** `running`: the terminals whose programs run. Errors: `limit_reached`. */
  open(above: Above | null, running: readonly Branch[]): Opening {
    if (above === null) return { ancestors: [], givenLimits: [], endsAt: null, done: () => {} }
    const ancestors = [...above.ancestors, above.id]
    const bounds = this.#boundsOf(above)
    const all = [...running.map((one) => one.ancestors), ...this.#opening]
    for (const bound of bounds) assertRoom(bound, ancestors, all)
    for (const bound of bounds) this.#assertPace(bound)
    for (const { of } of bounds) this.#started(of)
    this.#opening.add(ancestors)
    const endsAt = earliest(above.endsAt, this.endOf(this.#settings()))
    return { ancestors, givenLimits: above.givenLimits, endsAt, done: () => void this.#opening.delete(ancestors) }
  }

  /** Counts a terminal of an earlier server by its age; those that have gone since do not count. Called from the oldest on. */
  takeOver({ id, ancestors, givenLimits, createdAt }: Above & Pick<SessionInfo, 'createdAt'>): void {
    const [root] = ancestors
    const ageMs = Math.max(0, this.#clock.wall() - createdAt)
    if (root === undefined || ageMs >= minuteMs) return
    const bounded = new Set([root, ...givenLimits.map(({ of }) => of).filter((of) => of !== id)])
    for (const of of bounded) this.#started(of, this.#clock.now() - ageMs)
  }

  async #assertBelow(
    limited: readonly { readonly of: string; readonly tokens: number }[],
    what: string,
  ): Promise<void> {
    for (const { of, tokens } of limited) {
      const used = await this.#tokensOf(of)
      if (used >= tokens) throw reached(`${of} and those below it have used ${used} tokens`, { tokens }, enough, what)
    }
  }

  /** The outermost terminal’s, by the configuration, and those that were given. */
  #boundsOf({ id, ancestors: [root = id], givenLimits }: Above): readonly Bound[] {
    return [{ of: root, limits: this.#settings() }, ...givenLimits]
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

  #started(of: string, at = this.#clock.now()): void {
    this.#starts.set(of, [...this.#recent(of), at])
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

const enough = 'Finish with what you have, and report that the limit is reached. The caller that set it can raise it.'

function reached(
  why: string,
  limit: Readonly<Record<string, number>>,
  next: string,
  what = 'nothing was started',
): TermError {
  const [[name, value] = []] = Object.entries(limit)
  return limitReached(`${why}, and the limit (agents.limits.${name}) is ${value}: ${what}.`, next)
}

export function withGiven(given: TreeLimits | null, id: string, above: readonly GivenLimits[]): readonly GivenLimits[] {
  return given === null ? above : [...above, { of: id, limits: given }]
}

export function earliest(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return Math.min(one, other)
}

// The chain of terminals through which one was opened.

const chainMax = 32
const programCharactersMax = 60

interface KnownSessions {
  readonly sessions: readonly { readonly info: Pick<SessionInfo, 'id' | 'parent' | 'argv'> }[]
}

/** The terminals through which one was opened, the outermost first, itself included. None for null. */
export function chainTo({ sessions }: KnownSessions, terminalId: string | null): readonly string[] {
  const chain: string[] = []
  for (let id = terminalId; id !== null && chain.length < chainMax && !chain.includes(id); ) {
    chain.unshift(id)
    const above = sessions.find(({ info }) => info.id === id)
    id = above?.info.parent ?? null
  }
  return chain
}

/** Describes the chain for persons, with the program in each terminal: `claude in term-1`. A terminal that is gone is named by its id. */
export function inWords({ sessions }: KnownSessions, chain: readonly string[]): string[] {
  return chain.map((id) => {
    const [program] = sessions.find(({ info }) => info.id === id)?.info.argv ?? []
    return program === undefined
      ? id
      : `${shownText(basename(program), programCharactersMax).replaceAll('\n', ' ')} in ${id}`
  })
}
