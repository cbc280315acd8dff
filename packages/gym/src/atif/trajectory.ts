/**
 * ATIF 1.7: what an agent did, step by step. No object may have a key that the format does not know; every level has `extra` for the rest.
 *
 * These are the shapes. Rules between fields, and what older versions do not have yet, are checked by gym/atif/validate.ts.
 */

import { Columns, Rows } from '@agentpty/protocol/call'
import { type DeepReadonly, EnvironmentSpec, Program } from '@agentpty/protocol/gym'
import * as z from 'zod'

export const trajectoryVersion = 'ATIF-v1.7'

const Extra = z.record(z.string(), z.unknown()).optional()
const Tokens = z.number().int().min(0).optional()
const TokenIds = z.array(z.number().int()).optional()

const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const
export type ImageType = (typeof imageTypes)[number]

const ContentPart = z
  .strictObject({
    type: z.enum(['text', 'image']),
    text: z.string().optional(),
    /** `path`: from the trajectory's file. */
    source: z.strictObject({ media_type: z.enum(imageTypes), path: z.string().min(1) }).optional(),
  })
  .superRefine(({ type, text, source }, context) => {
    const [wanted, other] = type === 'text' ? (['text', 'source'] as const) : (['source', 'text'] as const)
    const has = { text: text !== undefined, source: source !== undefined }
    const wrong = (key: string, message: string) => context.addIssue({ code: 'custom', path: [key], message })
    if (!has[wanted]) wrong(wanted, `a part of type "${type}" needs it`)
    if (has[other]) wrong(other, `a part of type "${type}" has none`)
  })
export type ContentPart = DeepReadonly<z.output<typeof ContentPart>>

const Content = z.union([z.string(), z.array(ContentPart)])
export type Content = DeepReadonly<z.output<typeof Content>>

const ToolCall = z.strictObject({
  tool_call_id: z.string(),
  function_name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  extra: Extra,
})
export type ToolCall = DeepReadonly<z.output<typeof ToolCall>>

const SubagentReference = z
  .strictObject({
    trajectory_id: z.string().optional(),
    trajectory_path: z.string().optional(),
    session_id: z.string().optional(),
    extra: Extra,
  })
  .refine((reference) => reference.trajectory_id !== undefined || reference.trajectory_path !== undefined, {
    message: 'needs trajectory_id or trajectory_path',
  })

const ObservationResult = z.strictObject({
  source_call_id: z.string().optional(),
  content: Content.optional(),
  subagent_trajectory_ref: z.array(SubagentReference).optional(),
  extra: Extra,
})
export type ObservationResult = DeepReadonly<z.output<typeof ObservationResult>>

const Metrics = z.strictObject({
  prompt_tokens: Tokens,
  completion_tokens: Tokens,
  /** Part of `prompt_tokens`. */
  cached_tokens: Tokens,
  cost_usd: z.number().optional(),
  prompt_token_ids: TokenIds,
  completion_token_ids: TokenIds,
  logprobs: z.array(z.number()).optional(),
  extra: Extra,
})
export type Metrics = DeepReadonly<z.output<typeof Metrics>>

const stepSources = ['system', 'user', 'agent'] as const

const Step = z.strictObject({
  step_id: z.number().int(),
  timestamp: z.string().optional(),
  source: z.enum(stepSources),
  message: Content,
  model_name: z.string().optional(),
  reasoning_effort: z.union([z.string(), z.number()]).optional(),
  reasoning_content: z.string().optional(),
  tool_calls: z.array(ToolCall).optional(),
  observation: z.strictObject({ results: z.array(ObservationResult), extra: Extra }).optional(),
  metrics: Metrics.optional(),
  is_copied_context: z.boolean().optional(),
  /** 0: no model was asked, the step was scripted. */
  llm_call_count: z.number().int().min(0).optional(),
  extra: Extra,
})
export type Step = DeepReadonly<z.output<typeof Step>>

const Agent = z.strictObject({
  name: z.string(),
  version: z.string(),
  model_name: z.string().optional(),
  tool_definitions: z.array(z.record(z.string(), z.unknown())).optional(),
  extra: Extra,
})
export type TrajectoryAgent = DeepReadonly<z.output<typeof Agent>>

const FinalMetrics = z.strictObject({
  total_prompt_tokens: Tokens,
  total_completion_tokens: Tokens,
  total_cached_tokens: Tokens,
  total_cost_usd: z.number().optional(),
  total_steps: Tokens,
  extra: Extra,
})
export type FinalMetrics = DeepReadonly<z.output<typeof FinalMetrics>>

export const Trajectory = z.strictObject({
  schema_version: z.string().regex(/^ATIF-v1\.\d{1,3}$/, 'must be "ATIF-v1.x"'),
  session_id: z.string().optional(),
  trajectory_id: z.string().optional(),
  agent: Agent,
  steps: z.array(Step).min(1),
  notes: z.string().optional(),
  final_metrics: FinalMetrics.optional(),
  continued_trajectory_ref: z.string().optional(),
  extra: Extra,
  /** Subtrajectories of the same shape. They are checked one by one, to a bounded depth. */
  subagent_trajectories: z.array(z.unknown()).optional(),
})
export type Trajectory = DeepReadonly<z.output<typeof Trajectory>>

/** `[metadata.agentpty]` of task.toml: what a task that is made for terminals says beyond Harbor. Other readers pass over it. */
export const OwnMetadata = z.looseObject({
  /** The program on the terminal. Default: an interactive bash. */
  program: Program.optional(),
  /** Further terminals, by their names. */
  terminals: EnvironmentSpec.shape.terminals,
  clock: EnvironmentSpec.shape.clock,
  rows: Rows.optional(),
  cols: Columns.optional(),
  observation: EnvironmentSpec.shape.observation.unwrap().optional(),
  stepTimeoutMs: EnvironmentSpec.shape.stepTimeoutMs.unwrap().optional(),
  maxEpisodeSteps: EnvironmentSpec.shape.maxEpisodeSteps,
  /** Programs that must be on this machine, by their names. */
  commands: z.array(z.string().min(1)).max(100).default([]),
  /** Debian packages that have them. */
  requires: z
    .array(z.string().regex(/^[a-z\d][a-z\d+.-]*$/))
    .max(100)
    .default([]),
  /** The same actions end with the same screen. */
  deterministic: z.boolean().optional(),
})
export type OwnMetadata = DeepReadonly<z.output<typeof OwnMetadata>>
