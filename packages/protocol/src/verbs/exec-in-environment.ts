import * as z from 'zod'
import { FolderName, ProgramText, VariableName } from '../call/terminal-fields.ts'
import { Program } from '../gym/environment.ts'
import { execInputBytesMax, execMsDefault, stepMsMax } from '../gym/gym-limits.ts'
import { environmentId } from './make-environment.ts'
import { defineVerb } from './verb.ts'

export const execInEnvironment = defineVerb({
  name: 'execInEnvironment',
  tool: null,
  title: 'Run beside the terminals',
  summary:
    'Run a command in the container of an environment, on pipes and not on its terminal: for those who prepare and judge.',
  effect: 'destroys',
  touches: 'nobody',
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
  answer: { stdout: 'NDIK', stderr: '', exitCode: 0 },
})
