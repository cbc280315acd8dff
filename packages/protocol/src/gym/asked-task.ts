/** A task as who makes an environment of it asks for it, and what is told of it and by its verifier. */

import * as z from 'zod'
import { FolderName, ProgramText, VariableName } from '../call/terminal-fields.ts'
import { Rewards } from './trial-result.ts'

export const AskedTask = z.union([
  FolderName,
  z.strictObject({
    folder: FolderName,
    seed: z.number().int().min(0).optional().describe('Of a task that is made from one. It is not told to the player.'),
    hostEnv: z
      .record(VariableName, ProgramText)
      .default({})
      .describe(
        'Variables that it may ask for. Only where it does are they seen: by programs, or by the verifier alone.',
      ),
    allowRun: z.boolean().default(false).describe('RUN of its Dockerfile is run, inside, after each reset.'),
    context: z
      .string()
      .min(1)
      .optional()
      .describe(
        'A folder below the task’s, such as `environment`: its Dockerfile is followed, and nothing else of the task is done or judged. For callers that do so themselves.',
      ),
    offlineOk: z
      .boolean()
      .default(false)
      .describe('It is played without the network that it needs. Otherwise it is refused where `network` is off.'),
  }),
])
export type AskedTask = z.output<typeof AskedTask>

export const TaskAbout = z.object({
  name: z.string(),
  instruction: z.string(),
  step: z.string().nullable().describe('Of a task of several steps, the one that is played; `null`: it has none.'),
  notes: z.array(z.string()).describe('What is not as the task says.'),
})
export type TaskAbout = Readonly<z.output<typeof TaskAbout>>

export const Verification = z.object({
  reward: z.number().describe('The key `reward`, or the mean of all; 0 where the verifier has given none.'),
  rewards: Rewards.nullable().describe('All that the verifier has given; `null`: none.'),
  problem: z.string().optional().describe('Why it has given none.'),
  output: z.string().describe('What the verifier has said, its end.'),
  nextStep: z.string().nullable().describe('Of a task of several: a fork by `files` goes on with it.'),
})
export type Verification = Readonly<z.output<typeof Verification>>
