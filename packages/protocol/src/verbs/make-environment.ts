import * as z from 'zod'
import { TaskAbout } from '../gym/asked-task.ts'
import { EnvironmentSpec, ResetKind } from '../gym/environment.ts'
import { defineVerb } from './verb.ts'

export const environmentId = z.string().min(1).max(40).describe('The environment, as `makeEnvironment` has named it.')

export const makeEnvironment = defineVerb({
  name: 'makeEnvironment',
  tool: null,
  title: 'Make environment',
  summary:
    'Make an environment: a program on a terminal in a container, to be reset and stepped through. Nothing runs before its first reset.',
  effect: 'changes',
  touches: 'nobody',
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
  answer: { environmentId: 'env-1', isolation: 'container', resetBy: 'overlay-memory', workdir: '/app' },
})
