import * as z from 'zod'
import { FolderName, ProgramText, VariableName } from '../call/terminal-fields.ts'
import { Action } from '../gym/action.ts'
import { Program, StepResult } from '../gym/environment.ts'
import { execInputBytesMax, execMsDefault, stepMsMax } from '../gym/gym-limits.ts'
import { Verification } from '../gym/trial.ts'
import { environmentId } from './environments.ts'
import { defineVerb } from './verb.ts'

export const stepEnvironment = defineVerb({
  name: 'stepEnvironment',
  title: 'Step environment',
  summary: 'Do one thing in an environment, and see what came of it as soon as it is your turn again.',
  effect: 'destroys',
  touches: 'unscoped',
  safety: { types: null, starts: 'environment', yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty gym', library: 'env.step()' },
  input: z.strictObject({
    environmentId,
    action: Action,
    timeoutMs: z
      .number()
      .int()
      .min(0)
      .max(stepMsMax)
      .optional()
      .describe('A shorter bound than `stepTimeoutMs`, for this step.'),
  }),
  output: StepResult,
  example: { environmentId: 'env-1', action: '6 * 7' },
})

export const execInEnvironment = defineVerb({
  name: 'execInEnvironment',
  title: 'Run beside the terminals',
  summary:
    'Run a command in the container of an environment, on pipes and not on its terminal: for those who prepare and judge.',
  effect: 'destroys',
  touches: 'unscoped',
  safety: { types: null, starts: 'environment', yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty gym', library: 'env.exec()' },
  input: z.strictObject({
    environmentId,
    command: Program.describe('A string is run by bash with `-c`, a list directly.'),
    cwd: FolderName.optional().describe('Inside; without it the working folder.'),
    env: z.record(VariableName, ProgramText).default({}).describe('Besides the variables of the environment.'),
    input: z
      .base64()
      .max(Math.ceil((execInputBytesMax * 4) / 3))
      .optional()
      .describe('Its standard input, in base64.'),
    sweep: z
      .literal(true)
      .optional()
      .describe('First all programs inside are ended, with what they have started; files stay.'),
    timeoutMs: z.number().int().min(1).max(stepMsMax).default(execMsDefault).describe('Then it is ended.'),
  }),
  output: z.object({
    stdout: z.string().describe('In base64.'),
    stderr: z.string().describe('In base64.'),
    droppedBytes: z.number().int().optional().describe('What was said beyond the first 8 MiB of each.'),
    exitCode: z.number().int().nullable().describe('`null` when it was ended after its time.'),
  }),
  example: { environmentId: 'env-1', command: 'cat result.txt' },
})

export const verifyEnvironment = defineVerb({
  name: 'verifyEnvironment',
  title: 'Verify environment',
  summary:
    'End the episode, with every program inside, and let the verifier of the environment’s task judge it. Again: the same answer.',
  effect: 'destroys',
  touches: 'unscoped',
  safety: { types: null, starts: 'environment', yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty gym', library: 'env.verify()' },
  input: z.strictObject({ environmentId }),
  output: Verification,
  example: { environmentId: 'env-1' },
})
