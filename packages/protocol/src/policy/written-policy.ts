/** The rules of one file as they are written there, each with its line; wrong ones are left out and reported. */

import type * as z from 'zod'
import { type GateSetting, gateSettings } from '../effects/gate.ts'
import { plainYaml, type YamlFault, type YamlValue, yamlLineAt } from '../home/config-file.ts'
import { policyPatternCharactersMax, policyPatternsMax } from '../limits.ts'
import { type Sandbox, SandboxSettings } from '../sandbox/sandbox.ts'
import { type PolicyProfile, type PolicyVerdict, policyProfiles } from './policy.ts'
import { PolicySettings, policyVerdicts, type TypingKind, typingKinds } from './rules.ts'

export interface Written<Value> {
  readonly value: Value
  /** Counts from 1. */
  readonly line: number
}

type Texts = readonly Written<string>[]

export interface WrittenPolicy {
  readonly profile: Written<PolicyProfile> | null
  readonly deny: Texts
  readonly ask: Texts
  readonly allow: Texts
  /** `only` is null where it is not written: then anything may be. */
  readonly tools: { readonly only: Texts | null; readonly deny: Texts }
  readonly paths: { readonly read: Texts; readonly write: Texts; readonly deny: Texts }
  readonly urls: { readonly only: Texts | null; readonly deny: Texts }
  readonly typing: Readonly<Partial<Record<TypingKind, Written<PolicyVerdict>>>>
  readonly sandbox: Written<Sandbox> | null
  readonly gate: Written<GateSetting> | null
  readonly approvalTimeoutMs: Written<number> | null
}

export interface PolicyFault extends YamlFault {
  /** A key that is not known, rather than a value that cannot be. */
  readonly isUnknownKey: boolean
  readonly advice: string
}

export interface ReadPolicy {
  readonly written: WrittenPolicy
  readonly faults: readonly PolicyFault[]
}

/** `value`: a map of rules. */
export function readWrittenPolicy(value: YamlValue): ReadPolicy {
  const parsed = isEmpty(value) ? null : PolicySettings.safeParse(plainYaml(value))
  const written: WrittenPolicy = {
    profile: oneOf(policyProfiles, at(value, 'profile')),
    deny: textsAt(value, 'deny') ?? [],
    ask: textsAt(value, 'ask') ?? [],
    allow: textsAt(value, 'allow') ?? [],
    tools: { only: textsAt(value, 'tools', 'only'), deny: textsAt(value, 'tools', 'deny') ?? [] },
    paths: {
      read: textsAt(value, 'paths', 'read') ?? [],
      write: textsAt(value, 'paths', 'write') ?? [],
      deny: textsAt(value, 'paths', 'deny') ?? [],
    },
    urls: { only: textsAt(value, 'urls', 'only'), deny: textsAt(value, 'urls', 'deny') ?? [] },
    typing: typingAt(value),
    sandbox: sandboxAt(value),
    gate: oneOf(gateSettings, at(value, 'gate')),
    approvalTimeoutMs: timeoutAt(value),
  }
  return { written, faults: parsed?.error?.issues.flatMap((issue) => faultsOf(issue, value)) ?? [] }
}

/** Nothing but comments is no policy, and nothing wrong. */
const isEmpty = (value: YamlValue) => value.kind === 'scalar' && value.value === null

function at(value: YamlValue, ...path: readonly string[]): YamlValue | null {
  let current: YamlValue | undefined = value
  for (const step of path) {
    if (current?.kind !== 'map') return null
    current = current.entries.find(({ name }) => name === step)?.value
  }
  return current ?? null
}

/** Null when there is no such list. */
function textsAt(value: YamlValue, ...path: readonly string[]): Texts | null {
  const list = at(value, ...path)
  if (list?.kind !== 'list') return null
  return list.items
    .slice(0, policyPatternsMax)
    .flatMap((item) =>
      item.kind === 'scalar' && isPattern(item.value) ? [{ value: item.value, line: item.line }] : [],
    )
}

function isPattern(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= policyPatternCharactersMax
}

function oneOf<Value extends string>(values: readonly Value[], given: YamlValue | null): Written<Value> | null {
  const known = given?.kind === 'scalar' ? values.find((one) => one === given.value) : undefined
  return known === undefined || given === null ? null : { value: known, line: given.line }
}

function typingAt(value: YamlValue): WrittenPolicy['typing'] {
  const found = typingKinds.flatMap((kind) => {
    const verdict = oneOf(policyVerdicts, at(value, 'typing', kind))
    return verdict === null ? [] : [[kind, verdict] as const]
  })
  return Object.fromEntries(found)
}

function timeoutAt(value: YamlValue): Written<number> | null {
  const given = at(value, 'approvalTimeoutMs')
  const parsed = given?.kind === 'scalar' ? PolicySettings.shape.approvalTimeoutMs.safeParse(given.value) : null
  return parsed?.data === undefined || given === null ? null : { value: parsed.data, line: given.line }
}

/** A wrong value counts as the strictest one, rather than as none. */
function sandboxAt(value: YamlValue): Written<Sandbox> | null {
  const given = at(value, 'sandbox')
  if (given === null) return null
  const parsed = PolicySettings.shape.sandbox.safeParse(plainYaml(given))
  const line = yamlLineAt(value, ['sandbox'])
  return { value: parsed.data ?? true, line }
}

function faultsOf(issue: z.core.$ZodIssue, value: YamlValue): readonly PolicyFault[] {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      isUnknownKey: true,
      line: yamlLineAt(value, [...issue.path, key]),
      what: `there is no key "${[...path, key].join('.')}"`,
      advice: `There are: ${keysBelow(path).join(', ')}.`,
    }))
  const about = path.length === 0 ? '' : `${path.join('.')}: `
  return [
    {
      isUnknownKey: false,
      line: yamlLineAt(value, issue.path),
      what: `${about}${issue.message}`,
      advice: adviceFor(path),
    },
  ]
}

function keysBelow([key]: readonly string[]): readonly string[] {
  const shapes: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    tools: { only: 0, deny: 0 },
    paths: { read: 0, write: 0, deny: 0 },
    urls: { only: 0, deny: 0 },
    typing: Object.fromEntries(typingKinds.map((kind) => [kind, 0])),
    sandbox: SandboxSettings.shape,
  }
  return Object.keys(key === undefined ? PolicySettings.shape : (shapes[key] ?? {}))
}

function adviceFor([key]: readonly string[]): string {
  if (key === undefined || !Object.hasOwn(PolicySettings.shape, key))
    return `Its keys are: ${keysBelow([]).join(', ')}.`
  const field = PolicySettings.shape[key as keyof typeof PolicySettings.shape]
  return field.unwrap().description ?? ''
}
