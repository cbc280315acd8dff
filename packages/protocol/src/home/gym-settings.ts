/** `gym:` in config.yaml: how many environments may be open, which doors of the gym are open over HTTP, and what they make. */

import * as z from 'zod'
import { EnvironmentSpec } from '../gym/environment.ts'
import {
  doorEnvironmentsDefault,
  doorIdleMsDefault,
  doorIdleMsMax,
  environmentsMaxDefault,
  environmentsMaxMax,
} from '../gym/gym-limits.ts'
import { plainYaml, type ReadSettings, type YamlValue, yamlLineAt } from './config-file.ts'

export const specFields = Object.keys(EnvironmentSpec.shape) as readonly (keyof EnvironmentSpec)[]

/** Names no folder of this machine, and loosens nothing. */
const mayChangeDefault: readonly (keyof EnvironmentSpec)[] = [
  'program',
  'terminals',
  'workdir',
  'env',
  'clock',
  'rows',
  'cols',
  'observation',
  'text',
  'success',
  'stepTimeoutMs',
  'maxEpisodeSteps',
]

const common = {
  environment: EnvironmentSpec.prefault({}).describe(
    'The environments that it makes, as `makeEnvironment` takes them.',
  ),
  environmentsMax: z
    .number()
    .int()
    .min(1)
    .max(environmentsMaxMax)
    .default(doorEnvironmentsDefault)
    .describe('How many at once.'),
  idleMs: z
    .number()
    .int()
    .min(1)
    .max(doorIdleMsMax)
    .default(doorIdleMsDefault)
    .describe('An environment without a connection is closed after this long without a request.'),
}

const OpenEnv = z.strictObject({
  ...common,
  mayChange: z
    .array(z.enum(specFields as [keyof EnvironmentSpec, ...(keyof EnvironmentSpec)[]]))
    .max(specFields.length)
    .default([...mayChangeDefault])
    .describe(
      'Which fields of `environment` a `reset` may change. Fields that name folders only if they are in this list.',
    ),
})
const SweRex = z.strictObject(common)

const Word = z.union([z.boolean(), z.enum(['on', 'off'])])
const isOn = (word: z.output<typeof Word>) => word === true || word === 'on'

const EnvironmentsMax = z
  .number()
  .int()
  .min(1)
  .max(environmentsMaxMax)
  .describe('How many environments may be open at once, of all clients together.')

/** A word alone opens a door with its defaults, or keeps it shut. */
export const GymSettings = z.strictObject({
  environmentsMax: EnvironmentsMax.default(environmentsMaxDefault),
  openenv: z
    .union([Word.transform((word) => (isOn(word) ? OpenEnv.parse({}) : null)), OpenEnv])
    .default(null)
    .describe('OpenEnv, at /gym/openenv.'),
  swerex: z
    .union([Word.transform((word) => (isOn(word) ? SweRex.parse({}) : null)), SweRex])
    .default(null)
    .describe('SWE-ReX, at /gym/swerex.'),
})
export type GymSettings = Readonly<z.output<typeof GymSettings>>
export type OpenEnvSettings = NonNullable<GymSettings['openenv']>
export type SweRexSettings = NonNullable<GymSettings['swerex']>

/** For editors. */
export const WrittenGymSettings = z.strictObject({
  environmentsMax: EnvironmentsMax.optional(),
  openenv: z.union([Word, OpenEnv]).optional(),
  swerex: z.union([Word, SweRex]).optional(),
})

export const gymDefaults: GymSettings = GymSettings.parse({})

export const gymHelp = 'The number of environments, and the HTTP interfaces of the gym (docs/gym.md).'

export function readGymSettings(value: YamlValue): ReadSettings<GymSettings> {
  const parsed = GymSettings.safeParse(plainYaml(value) ?? {})
  if (parsed.success) return { settings: parsed.data, fault: null }
  const issue = meant(parsed.error.issues[0])
  const path = issue.path.map(String)
  return { settings: null, fault: { line: yamlLineAt(value, path), what: `${path.join('.')}: ${issue.message}` } }
}

interface Fault {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** For a value that is a word or fields, returns the fault of the fields. A wrong word is then reported at its line. */
function meant(issue: z.core.$ZodIssue | undefined): Fault {
  if (issue === undefined) return { path: [], message: 'no value' }
  const inner = issue.code === 'invalid_union' ? issue.errors.at(-1)?.[0] : undefined
  if (inner === undefined || (inner.path.length === 0 && inner.code === 'invalid_type'))
    return { path: issue.path, message: inner === undefined ? issue.message : '"on", "off", or its settings' }
  return { path: [...issue.path, ...inner.path], message: inner.message }
}
