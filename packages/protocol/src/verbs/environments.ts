import * as z from 'zod'
import { EnvironmentSpec, ResetKind, ResetResult } from '../gym/environment.ts'
import { TaskAbout } from '../gym/trial.ts'
import { defineVerb } from './verb.ts'

export const environmentId = z.string().min(1).max(40).describe('The environment, as `makeEnvironment` has named it.')

export const makeEnvironment = defineVerb({
  name: 'makeEnvironment',
  title: 'Make environment',
  summary:
    'Make an environment: a program on a terminal in a container, to be reset and stepped through. Nothing runs before its first reset.',
  effect: 'changes',
  touches: 'unscoped',
  safety: { types: null, starts: 'environment', yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty gym', library: 'makeEnv()' },
  input: EnvironmentSpec,
  output: z.object({
    environmentId,
    isolation: EnvironmentSpec.shape.isolation.unwrap(),
    resetBy: ResetKind.describe('How its files are reset.'),
    workdir: z.string().describe('Where its program starts, inside.'),
    task: TaskAbout.optional(),
  }),
  example: { program: ['python3', '-q'] },
})

export const environments = defineVerb({
  name: 'environments',
  title: 'List environments',
  summary: 'List the environments that are there.',
  effect: 'reads',
  touches: 'unscoped',
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty gym', library: 'client.call("environments")' },
  input: z.strictObject({}),
  output: z.object({
    environments: z.array(
      makeEnvironment.output.extend({
        episodeId: z.string().nullable().describe('`null` before the first reset.'),
        step: z.number().int().describe('Steps of this episode so far.'),
        terminalId: z.string().nullable().describe('The terminal of its program.'),
      }),
    ),
  }),
  example: {},
})

export const forkEnvironment = defineVerb({
  name: 'forkEnvironment',
  title: 'Fork environment',
  summary:
    'Make another environment that has come as far as this one: by taking its actions again, or with its files and new programs.',
  effect: 'changes',
  touches: 'unscoped',
  safety: { types: null, starts: 'environment', yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty gym', library: 'env.fork()' },
  input: z.strictObject({
    environmentId,
    how: z
      .enum(['replay', 'files'])
      .default('replay')
      .describe(
        '`replay`: the same seed and the same actions. `files`: the files as they are now, and its programs begin anew; of a task of several steps, once it is judged, in the next one.',
      ),
  }),
  output: ResetResult.extend({
    environmentId,
    task: TaskAbout.optional(),
    replayed: z.number().int().describe('Actions that were taken again.'),
    differsAt: z
      .number()
      .int()
      .nullable()
      .describe('The first step that has shown something else than in the original; `null`: none.'),
  }),
  example: { environmentId: 'env-1' },
})

export const resetEnvironment = defineVerb({
  name: 'resetEnvironment',
  title: 'Reset environment',
  summary:
    'Begin an episode: its files are what they were, its programs are new, and all that the last one has left is gone.',
  effect: 'destroys',
  touches: 'unscoped',
  safety: { types: null, starts: 'environment', yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty gym', library: 'env.reset()' },
  input: z.strictObject({
    environmentId,
    seed: z
      .number()
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('Programs find it as AGENTPTY_SEED and PYTHONHASHSEED.'),
  }),
  output: ResetResult,
  example: { environmentId: 'env-1', seed: 7 },
})

export const closeEnvironment = defineVerb({
  name: 'closeEnvironment',
  title: 'Close environment',
  summary: 'End an environment: its programs, its files, its terminals.',
  effect: 'destroys',
  touches: 'unscoped',
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty gym', library: 'env.close()' },
  input: z.strictObject({ environmentId }),
  output: z.object({ closed: z.literal(true).describe('Always `true`; one that cannot be ended is an error.') }),
  example: { environmentId: 'env-1' },
})
