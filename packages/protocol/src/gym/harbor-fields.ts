/** Fields that are used in several tables of Harbor's files. */

import * as z from 'zod'
import { taskItemsMax } from './gym-limits.ts'

/** Null where it is not written; null itself is never written. */
export const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().default(null)

export const Seconds = z.number().positive()
/** A name or a number of the image's users. */
export const User = z.union([z.string().min(1).max(256), z.number().int().min(0)])
export const Variables = z
  .record(z.string().regex(/^[^=\0]+$/, 'the name of a variable, without "="'), z.string())
  .refine((variables) => Object.keys(variables).length <= taskItemsMax, `more than ${taskItemsMax} variables`)
export const Texts = z.array(z.string()).max(taskItemsMax)

/** A folder's name below another one. */
export const FolderName = z
  .string()
  .max(255)
  .regex(
    /^(?!\.)(?!.*\.\.)[\w .-]+$/,
    'a name of letters, digits, "-", "_" and ".", without a leading dot and without ".."',
  )

const Host = z
  .string()
  .max(253)
  .regex(
    /^(?:\*\.)?[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i,
    'a host name or "*.suffix", without a scheme, a port or a path',
  )

export const NetworkMode = z.enum(['public', 'no-network', 'allowlist'])
export const Hosts = z.array(Host).max(taskItemsMax)

interface NetworkFields {
  readonly network_mode: z.infer<typeof NetworkMode> | null
  readonly allowed_hosts: readonly string[] | null
}

/** Hosts stand with "allowlist" only, and there always. */
export function checkNetwork({ network_mode, allowed_hosts }: NetworkFields, context: z.RefinementCtx): void {
  const wrong = (message: string) => context.addIssue({ code: 'custom', path: ['allowed_hosts'], message })
  const isListed = (allowed_hosts?.length ?? 0) > 0
  if (network_mode === 'allowlist' && !isListed) wrong('network_mode is "allowlist"; name at least one host here')
  if (network_mode !== 'allowlist' && isListed)
    wrong('hosts count with network_mode = "allowlist" only; set it, or leave them out')
}

/** The network during one phase; null: as in `[environment]`. */
export const phaseNetwork = { network_mode: maybe(NetworkMode), allowed_hosts: maybe(Hosts) }

/** Run again and again until it succeeds. Failures during `start_period_sec` do not count; then `retries` in a row are too many. */
export const Healthcheck = z.looseObject({
  command: z.string().min(1),
  interval_sec: Seconds.default(5),
  timeout_sec: Seconds.default(30),
  start_period_sec: z.number().min(0).default(0),
  start_interval_sec: Seconds.default(5),
  retries: z.number().int().min(1).default(3),
})

const ArtifactTarget = z
  .string()
  .min(1)
  .refine((path) => !path.startsWith('/') && !/^[A-Za-z]:/.test(path), 'must be relative')
  .refine((path) => !path.includes('\\'), 'may have no backslash; separate folders by "/"')
  .refine((path) => !path.split('/').includes('..'), 'may not lead out of the folder by ".."')
  .refine((path) => path !== 'manifest.json', 'is the name of the list of artifacts; choose another one')

/** A path that is copied out of the environment when the agent is done. */
const Artifact = z.union([
  z.string().min(1),
  z.looseObject({
    source: z.string().min(1),
    destination: maybe(ArtifactTarget),
    exclude: Texts.default([]),
    /** Name of a side container; schema 1.4. */
    service: maybe(z.string().min(1)),
  }),
])
export const Artifacts = z.array(Artifact).max(taskItemsMax).default([])

export const Person = z.looseObject({ name: z.string(), email: maybe(z.string()) })

/** `org/name`. */
export const PackageName = z
  .string()
  .max(255)
  .regex(
    /^(?!\.)(?!.*\.\.)[A-Za-z\d._-]+\/(?!\.)[A-Za-z\d._-]+$/,
    '"org/name" of letters, digits, "-", "_" and ".", without a leading dot and without ".."',
  )

/** A value that is read-only at every level. */
export type DeepReadonly<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
    : Value
