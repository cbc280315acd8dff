/** An environment: a program on a terminal that is reset to the same beginning again and again, and stepped through. */

import * as z from 'zod'
import { Columns, FolderName, ProgramText, Rows, VariableName } from '../call/terminal-fields.ts'
import { argumentsPerCommandMax } from '../limits.ts'
import { ScopeName } from '../scope.ts'
import { confidences, kinds, states } from '../session/verdict.ts'
import { withExample } from '../verbs/verb.ts'
import { actionsPerEpisodeMax, environmentLayersMax, stepMsDefault, stepMsMax } from './gym-limits.ts'
import { AskedTask } from './trial.ts'

/** How files are made what they were: named in `info`, fastest first. */
export const resetKinds = ['overlay-memory', 'overlay-disk', 'copy', 'git'] as const
export const ResetKind = z.enum(resetKinds)
export type ResetKind = z.infer<typeof ResetKind>

export const Program = z.union([ProgramText.min(1), z.array(ProgramText).min(1).max(argumentsPerCommandMax)])

const InsideFolder = FolderName.regex(/^\/(?!.*(?:^|\/)\.\.?(?:\/|$))./, 'an absolute path without ".." other than /')

export const EnvironmentSpec = z.strictObject({
  task: withExample(
    AskedTask.optional().describe(
      'A task’s folder, as Harbor has it, or one that comes with agentpty, like "tty-30/htop-kill": its files, its program, and its verifier’s reward at the end of an episode.',
    ),
    { folder: 'tty-30/htop-kill', seed: 7 },
  ),
  program: Program.optional().describe(
    'A string is run by bash with `-c`, a list directly. Without it: an interactive bash.',
  ),
  terminals: withExample(
    z
      .record(z.string().regex(/^[\w-]{1,64}$/), Program)
      .optional()
      .describe('Further terminals of the same container, by their names.'),
    { server: ['python3', '-m', 'http.server'] },
  ),
  files: FolderName.optional().describe('What lies in the working folder after each reset. It is only read.'),
  layers: withExample(
    z
      .array(z.strictObject({ target: InsideFolder, folder: FolderName }))
      .max(environmentLayersMax)
      .default([])
      .describe(
        'Further folders: what lies in `folder` lies at `target` after each reset, above what the system has there. `folder` is only read.',
      ),
    [{ target: '/data', folder: './data' }],
  ),
  workdir: InsideFolder.default('/app').describe('The working folder inside.'),
  env: z.record(VariableName, ProgramText).default({}).describe('Variables besides the few that every container has.'),
  clock: withExample(
    z
      .strictObject({ startAt: z.iso.datetime({ offset: true }) })
      .optional()
      .describe(
        'Its programs see this time at each reset, which goes on from there, by libfaketime. Without it the real one.',
      ),
    { startAt: '2026-01-31T08:00:00Z' },
  ),
  rows: Rows.default(24),
  cols: Columns.default(80),
  isolation: z
    .enum(['container', 'none'])
    .default('container')
    .describe('`none`: a plain folder of this machine, for machines without namespaces.'),
  resetBy: z
    .enum(['auto', ...resetKinds])
    .default('auto')
    .describe('How files are reset; `auto`: the fastest that works here.'),
  network: z.enum(['off', 'on']).default('off'),
  observation: z
    .enum(['delta', 'screen', 'both'])
    .default('delta')
    .describe('What has appeared since the last step (of full-screen programs the screen), the whole screen, or both.'),
  text: z
    .enum(['rendered', 'raw'])
    .default('rendered')
    .describe(
      '`raw`: what has appeared keeps tabs, blanks at the end of lines and line ends as they were printed. `rendered`: as a screen shows it.',
    ),
  success: withExample(
    z
      .strictObject({ text: z.string().min(1).max(1_000) })
      .optional()
      .describe('The episode ends with reward 1 once this text appears.'),
    { text: 'tests passed' },
  ),
  scope: ScopeName.optional().describe(
    'Its terminals belong to this scope: who has its token sees them and types into them.',
  ),
  stepTimeoutMs: z
    .number()
    .int()
    .min(0)
    .max(stepMsMax)
    .default(stepMsDefault)
    .describe('A step that takes longer ends `busy`.'),
  maxEpisodeSteps: z
    .number()
    .int()
    .min(1)
    .max(actionsPerEpisodeMax)
    .optional()
    .describe('Then the episode is truncated.'),
})
export type EnvironmentSpec = Readonly<z.output<typeof EnvironmentSpec>>
export type EnvironmentInput = z.input<typeof EnvironmentSpec>

export const Observed = z.string().describe('What the terminal shows, as `observation` of the environment says.')

/** A failure of the machinery: an episode with one says nothing about its player. */
export const InfraError = z.object({ code: z.string(), message: z.string() })

export const StepInfo = z.object({
  state: z.enum(states).describe('`busy`: the step has ended first; go on with a wait.'),
  kind: z.enum(kinds).optional(),
  confidence: z.enum(confidences).optional(),
  evidence: z.array(z.string()).optional(),
  exitCode: z.number().int().optional().describe('Of the command that has ended in this step, or of the program.'),
  signal: z.string().optional(),
  cursor: z
    .object({ from: z.number().int(), to: z.number().int() })
    .describe('Offsets of the output that this step shows.'),
  screen: z.string().optional().describe('With `observation: "both"`.'),
  note: z.string().optional(),
  missedBytes: z.number().int().optional().describe('Output that was no longer kept when it was asked for.'),
  invalidBytes: z
    .number()
    .int()
    .optional()
    .describe('Bytes of the output of this step that are not UTF-8, which is shown as U+FFFD.'),
  omittedBytes: z
    .number()
    .int()
    .optional()
    .describe('Output of this step that the observation leaves out, because it is longer than 256 KiB.'),
  timing: z.object({ stepMs: z.number() }),
  isolation: z.enum(['container', 'none']),
  resetBy: ResetKind,
  episodeId: z.string(),
  step: z.number().int(),
  terminalId: z.string(),
  terminals: z
    .record(z.string(), z.string())
    .optional()
    .describe('At a reset, the ids of further terminals by their names.'),
  rewards: z.record(z.string(), z.number()).optional().describe('All that the verifier has given.'),
  infraError: InfraError.optional().describe('The machinery failed: mask this episode.'),
})
export type StepInfo = z.infer<typeof StepInfo>

export const stepFields = {
  observation: Observed,
  reward: z.number(),
  terminated: z.boolean(),
  truncated: z.boolean(),
  info: StepInfo,
}
export const StepResult = z.object(stepFields)
export type StepResult = z.infer<typeof StepResult>
export const ResetResult = StepResult.pick({ observation: true, info: true })
export type ResetResult = z.infer<typeof ResetResult>
