/** The rules of persons and repositories, ready to be tested; and how those of several files come together. */

import { type GateSetting, gateSettings } from '@agentpty/protocol/effects'
import {
  type PolicyProfile,
  type PolicyVerdict,
  policyProfiles,
  policyVerdicts,
  type RuleSource,
  type TypingKind,
  typingKinds,
} from '@agentpty/protocol/policy'
import type { Sandbox } from '@agentpty/protocol/sandbox'
import type { CommandPattern } from './command-pattern.ts'
import type { UrlPattern } from './url-pattern.ts'
import type { PathPattern } from './wildcard.ts'

export interface Rule<Pattern> {
  readonly pattern: Pattern
  readonly text: string
  readonly source: RuleSource
}

export type CommandRule = Rule<CommandPattern>
export type PathRule = Rule<PathPattern>
export type UrlRule = Rule<UrlPattern>
/** Names in small letters; `*` is any characters. */
export type ToolRule = Rule<string>

export interface Sourced<Value> {
  readonly value: Value
  readonly source: RuleSource
}

/** A list of allowed entries; every other one is denied. */
export interface OnlyList<Kind> {
  readonly rules: readonly Kind[]
  readonly source: RuleSource
}

export interface PolicyRules {
  readonly profile: Sourced<PolicyProfile> | null
  readonly deny: readonly CommandRule[]
  readonly ask: readonly CommandRule[]
  readonly allow: readonly CommandRule[]
  readonly tools: { readonly only: readonly OnlyList<ToolRule>[]; readonly deny: readonly ToolRule[] }
  readonly paths: {
    readonly read: readonly PathRule[]
    readonly write: readonly PathRule[]
    readonly deny: readonly PathRule[]
  }
  /** A named address must be in each of the lists. */
  readonly urls: { readonly only: readonly OnlyList<UrlRule>[]; readonly deny: readonly UrlRule[] }
  /** Rules for typing that replace those of the profile. */
  readonly typing: TypingRules
  /** No looser than this, whatever else says. */
  readonly typingAtLeast: TypingRules
  /** The walls that every terminal of an agent gets: of the user, and of each repository. */
  readonly sandboxes: readonly Sourced<Sandbox>[]
  /** The gate that every terminal gets at least. */
  readonly gate: Sourced<GateSetting> | null
  readonly approvalTimeoutMs: Sourced<number> | null
  /** Files that could not be read: what is not known to read only is asked about. */
  readonly broken: readonly RuleSource[]
  /** Folders of agentpty itself. Writing there changes the rules, and reading its token gives all of its rights. */
  readonly guarded: readonly string[]
}

export type TypingRules = Readonly<Partial<Record<TypingKind, Sourced<PolicyVerdict>>>>

export const noRules: PolicyRules = {
  profile: null,
  deny: [],
  ask: [],
  allow: [],
  tools: { only: [], deny: [] },
  paths: { read: [], write: [], deny: [] },
  urls: { only: [], deny: [] },
  typing: {},
  typingAtLeast: {},
  sandboxes: [],
  gate: null,
  approvalTimeoutMs: null,
  broken: [],
  guarded: [],
}

/** The user’s rules, and those of repositories, which only tighten: whatever of theirs would loosen is left out. */
export function joinRules(user: PolicyRules, ...repositories: readonly PolicyRules[]): PolicyRules {
  return repositories.reduce(tightened, user)
}

function tightened(one: PolicyRules, other: PolicyRules): PolicyRules {
  return {
    profile: stricterProfile(one.profile, other.profile),
    deny: [...one.deny, ...other.deny],
    ask: [...one.ask, ...other.ask],
    allow: one.allow,
    tools: { only: [...one.tools.only, ...other.tools.only], deny: [...one.tools.deny, ...other.tools.deny] },
    paths: { ...one.paths, deny: [...one.paths.deny, ...other.paths.deny] },
    urls: { only: [...one.urls.only, ...other.urls.only], deny: [...one.urls.deny, ...other.urls.deny] },
    typing: one.typing,
    typingAtLeast: stricterTyping(stricterTyping(one.typingAtLeast, other.typingAtLeast), other.typing),
    sandboxes: [...one.sandboxes, ...other.sandboxes],
    gate: stricterGate(one.gate, other.gate),
    approvalTimeoutMs: one.approvalTimeoutMs,
    broken: [...one.broken, ...other.broken],
    guarded: one.guarded,
  }
}

function stricterGate(one: Sourced<GateSetting> | null, other: Sourced<GateSetting> | null) {
  if (one === null || other === null) return one ?? other
  return gateSettings.indexOf(other.value) > gateSettings.indexOf(one.value) ? other : one
}

function stricterProfile(
  one: Sourced<PolicyProfile> | null,
  other: Sourced<PolicyProfile> | null,
): Sourced<PolicyProfile> | null {
  if (other === null) return one
  return isLooser(one?.value ?? defaultProfile, other.value) ? other : one
}

export const defaultProfile: PolicyProfile = 'standard'

function isLooser(one: PolicyProfile, other: PolicyProfile): boolean {
  return policyProfiles.indexOf(one) > policyProfiles.indexOf(other)
}

export function isLooserThanDefault(profile: PolicyProfile): boolean {
  return isLooser(profile, defaultProfile)
}

export function profileOf({ profile }: PolicyRules): PolicyProfile {
  return profile?.value ?? defaultProfile
}

/** The same rules in another profile, which a person has named. Repositories may tighten it: join them afterwards. */
export function inProfile(rules: PolicyRules, value: PolicyProfile, source: RuleSource): PolicyRules {
  return { ...rules, profile: { value, source } }
}

function stricterTyping(one: TypingRules, other: TypingRules): TypingRules {
  const joined = typingKinds.flatMap((kind) => {
    const stricter = stricterVerdict(one[kind] ?? null, other[kind] ?? null)
    return stricter === null ? [] : [[kind, stricter] as const]
  })
  return Object.fromEntries(joined)
}

function stricterVerdict(
  one: Sourced<PolicyVerdict> | null,
  other: Sourced<PolicyVerdict> | null,
): Sourced<PolicyVerdict> | null {
  if (one === null || other === null) return one ?? other
  return policyVerdicts.indexOf(other.value) > policyVerdicts.indexOf(one.value) ? other : one
}

const typingByProfile: Readonly<Record<PolicyProfile, PolicyVerdict>> = {
  restricted: 'deny',
  standard: 'allow',
  trusted: 'allow',
  off: 'allow',
}

/** Whether text may be typed into programs of this kind, and which rule says so. */
export function typingOf(
  rules: PolicyRules,
  kind: TypingKind,
): { readonly verdict: PolicyVerdict; readonly source: RuleSource | 'built-in' } {
  const own = rules.typing[kind]
  const atLeast = rules.typingAtLeast[kind]
  const verdict = own?.value ?? typingByProfile[profileOf(rules)]
  if (atLeast !== undefined && policyVerdicts.indexOf(atLeast.value) > policyVerdicts.indexOf(verdict))
    return { verdict: atLeast.value, source: atLeast.source }
  return { verdict, source: own?.source ?? rules.profile?.source ?? 'built-in' }
}

export function countRules(rules: PolicyRules): number {
  const { deny, ask, allow, tools, paths, urls } = rules
  const lists = [deny, ask, allow, tools.deny, paths.read, paths.write, paths.deny, urls.deny]
  const only = [...tools.only, ...urls.only].map((list) => list.rules)
  const settings = [rules.profile, rules.approvalTimeoutMs, ...rules.sandboxes].filter((one) => one !== null).length
  const typing = Object.keys(rules.typing).length + Object.keys(rules.typingAtLeast).length
  return [...lists, ...only].reduce((sum, list) => sum + list.length, 0) + settings + typing
}
