/**
 * A trajectory of ATIF 1.7, to which steps are added as they happen.
 *
 * ATIF has no field for rewards: a step's is in its `extra.reward`, the whole trajectory's in the root's. A step for which no model was
 * asked, of an oracle say, has `llm_call_count: 0`, so that no training uses it. The file is written whole each time, by rename.
 */

import { join } from 'node:path'
import { isoTime } from '@agentpty/engine/system-clock'
import { type Clock, defined } from '@agentpty/protocol'
import { jsonFileText, writeWhole } from '../whole-file.ts'
import {
  type Content,
  type ContentPart,
  type FinalMetrics,
  type ImageType,
  type Metrics,
  type ObservationResult,
  type Step,
  type ToolCall,
  type Trajectory,
  type TrajectoryAgent,
  trajectoryVersion,
} from './trajectory.ts'

type Extra = Readonly<Record<string, unknown>>

export interface TrajectoryOptions {
  readonly clock: Pick<Clock, 'wall'>
  readonly agent: TrajectoryAgent
  readonly sessionId?: string
  readonly trajectoryId?: string
  readonly notes?: string
}

export interface GivenStep {
  readonly message: Content
  readonly extra?: Extra
}

export interface AgentStep extends GivenStep {
  /** No model chose the action. */
  readonly isScripted?: boolean
  readonly modelName?: string
  readonly reasoning?: string
  readonly metrics?: Metrics
  readonly llmCallCount?: number
  readonly toolCalls?: readonly ToolCall[]
  readonly observations?: readonly ObservationResult[]
  readonly reward?: number
}

export interface TrajectoryEnd {
  readonly reward?: number
  readonly extra?: Extra
}

/** A step before it has a number and a time. */
type NewStep = Pick<Step, 'source' | 'message'> & {
  readonly [Key in Exclude<keyof Step, 'step_id' | 'timestamp' | 'source' | 'message'>]?: Step[Key] | undefined
}

const imageEndings: Readonly<Record<ImageType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
}

export class TrajectoryWriter {
  readonly #options: TrajectoryOptions
  readonly #steps: Step[] = []
  #end: TrajectoryEnd = {}
  #images = 0

  constructor(options: TrajectoryOptions) {
    this.#options = options
  }

  addSystem({ message, extra }: GivenStep): void {
    this.#add({ source: 'system', message, extra })
  }

  addUser({ message, extra }: GivenStep): void {
    this.#add({ source: 'user', message, extra })
  }

  addAgent(step: AgentStep): void {
    const { isScripted = false, toolCalls = [], observations = [], reward, extra } = step
    this.#add({
      source: 'agent',
      message: step.message,
      model_name: step.modelName,
      reasoning_content: isScripted ? undefined : step.reasoning,
      tool_calls: toolCalls.length === 0 ? undefined : toolCalls,
      observation: observations.length === 0 ? undefined : { results: observations },
      metrics: isScripted ? undefined : step.metrics,
      llm_call_count: isScripted ? 0 : step.llmCallCount,
      extra: withReward(extra, reward),
    })
  }

  /** Writes the image next to the trajectory's file in `folder`, and returns its part for a message or an observation. Errors: `machine_unfit`. */
  addImage(folder: string, bytes: Uint8Array, type: ImageType): ContentPart {
    this.#images += 1
    const path = `images/${this.#images}.${imageEndings[type]}`
    writeWhole(join(folder, path), bytes)
    return { type: 'image', source: { media_type: type, path } }
  }

  /** Records the final result; a second call replaces it. */
  end(end: TrajectoryEnd): void {
    this.#end = end
  }

  /** Valid as soon as there is a step. */
  get trajectory(): Trajectory {
    const { agent, sessionId, trajectoryId, notes } = this.#options
    return defined({
      schema_version: trajectoryVersion,
      session_id: sessionId,
      trajectory_id: trajectoryId,
      agent,
      steps: this.#steps,
      notes,
      final_metrics: finalMetrics(this.#steps),
      extra: withReward(this.#end.extra, this.#end.reward),
    })
  }

  /** `path`: of trajectory.json. Errors: `machine_unfit`; then the file is as it was. */
  write(path: string): void {
    writeWhole(path, jsonFileText(this.trajectory))
  }

  #add(step: NewStep): void {
    const timestamp = isoTime(this.#options.clock.wall())
    this.#steps.push(defined({ step_id: this.#steps.length + 1, timestamp, ...step }))
  }
}

function withReward(extra: Extra | undefined, reward: number | undefined): Extra | undefined {
  return reward === undefined ? extra : { ...extra, reward }
}

/** Sums of what steps say; what none of them says is left out. */
function finalMetrics(steps: readonly Step[]): FinalMetrics {
  const sum = (field: 'prompt_tokens' | 'completion_tokens' | 'cached_tokens' | 'cost_usd') => {
    const known = steps.map((step) => step.metrics?.[field]).filter((value) => value !== undefined)
    return known.length === 0 ? undefined : known.reduce((all, one) => all + one, 0)
  }
  return defined({
    total_prompt_tokens: sum('prompt_tokens'),
    total_completion_tokens: sum('completion_tokens'),
    total_cached_tokens: sum('cached_tokens'),
    total_cost_usd: sum('cost_usd'),
    total_steps: steps.length,
  })
}
