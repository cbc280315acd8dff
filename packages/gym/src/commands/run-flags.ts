/** Flags that `gym run` and `gym validate` share: which trials, how many, where to. */

import { type CommandCall, type Flag, type FlagValues, numberFlag, textFlag, textsFlag } from '@agentpty/cli'
import { invalidInput } from '@agentpty/protocol'
import type { RunRequest } from '@agentpty/protocol/gym'

export const allowGenerator: Flag = {
  type: 'boolean',
  help: 'run generate.py of foreign tasks on this machine with your rights',
}

export const runFlags: Readonly<Record<string, Flag>> = {
  n: { type: 'string', short: 'n', value: 'N', help: 'trials at the same time; default 4' },
  seeds: { type: 'string', value: 'LIST', help: 'the seeds of generated tasks: 1..5 or 1,7; default 1' },
  retries: {
    type: 'string',
    value: 'N',
    help: 'repeat a trial up to N times if the environment fails; default 0',
  },
  out: { type: 'string', short: 'o', value: 'DIR', help: 'the folder of jobs; default jobs' },
  name: { type: 'string', value: 'NAME', help: 'the name of this job’s folder; default: the time' },
  'timeout-multiplier': { type: 'string', value: 'X', help: 'multiply all time limits by X' },
  'allow-run': { type: 'boolean', help: 'execute RUN lines of Dockerfiles inside the environment, without images' },
  'allow-generator': allowGenerator,
  'allow-network': { type: 'boolean', help: 'give tasks the network if they ask for it' },
  'offline-ok': { type: 'boolean', help: 'run tasks that need the network without it' },
  'host-env': {
    type: 'string',
    value: 'NAMES',
    multiple: true,
    help: 'your environment variables that tasks may receive',
  },
}

/** For each trial: to a daemon that is started anew where the one before was lost. */
export const connecting =
  ({ connect }: CommandCall['options']) =>
  () =>
    connect({ mayStart: true })

const concurrentDefault = 4
const seedsMax = 1_000

/** Errors: `invalid_input` for flags that cannot be read. */
export function runRequest({ words, flags, options }: CommandCall, signal: AbortSignal): Omit<RunRequest, 'agent'> {
  return {
    tasks: words,
    seeds: seedsOf(textFlag(flags, 'seeds') ?? '1'),
    attempts: countFlag(flags, 'attempts') ?? 1,
    concurrent: countFlag(flags, 'n') ?? concurrentDefault,
    retries: numberFlag(flags, 'retries') ?? 0,
    out: textFlag(flags, 'out') ?? 'jobs',
    jobName: textFlag(flags, 'name'),
    allowRun: flags['allow-run'] === true,
    allowGenerator: flags['allow-generator'] === true,
    allowNetwork: flags['allow-network'] === true,
    offlineOk: flags['offline-ok'] === true,
    hostVariables: allowed(flags, options.variables),
    timeoutMultiplier: multiplierOf(textFlag(flags, 'timeout-multiplier')),
    signal,
  }
}

function allowed(flags: FlagValues, variables: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const names = textsFlag(flags, 'host-env').flatMap((list) => list.split(','))
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(variables, name)).map((name) => [name, variables[name] ?? '']),
  )
}

/** `1..5`, `3`, `1,4,7`. Errors: `invalid_input`. */
export function seedsOf(text: string): readonly number[] {
  const seeds = text.split(',').flatMap((part): readonly number[] => {
    const [, from = '', to = from] = /^(\d{1,9})(?:\.\.(\d{1,9}))?$/.exec(part.trim()) ?? []
    const count = Number(to) - Number(from) + 1
    if (from === '' || count < 1 || count > seedsMax) return []
    return Array.from({ length: count }, (_, index) => Number(from) + index)
  })
  if (seeds.length > 0 && text.split(',').length <= seeds.length) return [...new Set(seeds)]
  throw invalidInput(`--seeds ${text}: not a list of seeds.`, 'For example: --seeds 1..5 or --seeds 1,7')
}

/** Errors: `invalid_input` for anything but a whole number above 0. */
function countFlag(flags: FlagValues, name: string): number | undefined {
  const count = numberFlag(flags, name)
  if (count !== 0) return count
  throw invalidInput(`--${name} 0: nothing would be played.`, `For example: --${name} 4`)
}

function multiplierOf(text: string | undefined): number {
  const value = Number(text ?? 1)
  if (Number.isFinite(value) && value > 0) return value
  throw invalidInput(`--timeout-multiplier ${text}: not a number above 0.`, 'For example: --timeout-multiplier 2.5')
}
