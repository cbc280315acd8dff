/** Which walls hold for a terminal: the requested ones, and none looser than the user's, the repository's and the caller's. Pure. */

import { TermError } from '@agentpty/protocol'
import {
  isAllowedHost,
  parseNetworkHost,
  type Sandbox,
  type SandboxNetwork,
  type SandboxSettings,
} from '@agentpty/protocol/sandbox'

/** With every place as an absolute path; what is left out was not said. */
export type StatedSandbox = SandboxSettings

export interface Wishes {
  readonly asked: Sandbox | undefined
  /** The settings that are mandatory: those of the user, the repositories and the caller’s own terminal. */
  readonly required: readonly StatedSandbox[]
}

/** Null: no walls. Errors: `denied`. */
export function settleSandbox({ asked, required }: Wishes): StatedSandbox | null {
  if (required.length === 0) return statedBy(asked)
  const base = required.reduce(tightest)
  const wanted = statedBy(asked)
  if (asked === undefined || asked === true) return base
  if (wanted === null) throw looser('no sandbox')
  const together = tightest(base, wanted)
  const key = keys.find((one) => wanted[one] !== undefined && !says(together[one], wanted[one]))
  if (key !== undefined) throw looser(`sandbox.${key} ${JSON.stringify(wanted[key])}`)
  return together
}

const keys = ['network', 'writable', 'limits'] as const

function statedBy(asked: Sandbox | undefined): StatedSandbox | null {
  if (asked === true) return {}
  return asked === undefined || asked === false ? null : asked
}

function looser(what: string): TermError {
  return new TermError(
    'denied',
    `Terminals here are in a sandbox, and ${what} would be looser than it is.`,
    'Leave it out to get the sandbox that holds here, or ask the person: it is sandbox below policy in config.yaml, or in .agentpty/policy.yaml.',
  )
}

/** Returns the settings that both allow. A setting that only one has counts; but a missing network setting means off. */
export function tightest(one: StatedSandbox, other: StatedSandbox): StatedSandbox {
  return {
    network: tightestNetwork(one.network ?? 'off', other.network ?? one.network ?? 'off'),
    writable: other.writable === undefined ? (one.writable ?? []) : below(other.writable, one.writable ?? []),
    readOnly: [...new Set([...(one.readOnly ?? []), ...(other.readOnly ?? [])])],
    hidden: [...new Set([...(one.hidden ?? []), ...(other.hidden ?? [])])],
    limits: lowest(one.limits ?? {}, other.limits ?? {}),
  }
}

type Limits = NonNullable<StatedSandbox['limits']>

function lowest(one: Limits, other: Limits): Limits {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])] as (keyof Limits)[]
  const least = (name: keyof Limits) =>
    Math.min(one[name] ?? Number.POSITIVE_INFINITY, other[name] ?? Number.POSITIVE_INFINITY)
  return Object.fromEntries(names.map((name) => [name, least(name)]))
}

function tightestNetwork(one: SandboxNetwork, other: SandboxNetwork): 'off' | 'on' | string[] {
  if (one === 'off' || other === 'off') return 'off'
  if (one === 'on') return other === 'on' ? 'on' : [...other]
  if (other === 'on') return [...one]
  const both = other.filter((entry) => one.includes(entry) || isNamed(one, entry))
  return both.length === 0 ? 'off' : both
}

function isNamed(allowed: readonly string[], entry: string): boolean {
  const { host, port } = parseNetworkHost(entry)
  // Without a port of its own it is any, so it fits only what names none.
  const fitting = port === null ? allowed.filter((one) => parseNetworkHost(one).port === null) : allowed
  return !host.startsWith('*.') && isAllowedHost(fitting, host, port ?? 443)
}

const below = (places: readonly string[], allowed: readonly string[]): string[] =>
  places.filter((place) => allowed.some((folder) => place === folder || place.startsWith(`${folder}/`)))

/** Whether the joined value still says all of what was wanted. */
function says(joined: unknown, wanted: unknown): boolean {
  if (wanted === null || typeof wanted !== 'object') return joined === wanted
  if (Array.isArray(wanted)) return Array.isArray(joined) && wanted.every((one) => joined.includes(one))
  return Object.entries(wanted).every(([name, value]) => (joined as Record<string, unknown>)[name] === value)
}
