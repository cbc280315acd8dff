/** task.yaml of terminal-bench 1, and solution.yaml: keystrokes in place of a script. */

import { type DeepReadonly, instructionBytesMax, replyCommandsMax } from '@agentpty/protocol/gym'
import { isObject, type JsonObject } from '@agentpty/protocol/wire'
import * as z from 'zod'
import { readJsonInside } from '../folder-files.ts'
import { parseAs } from '../json-text.ts'
import { tomlText } from '../toml-text.ts'
import { HarborTask, schemaVersionWritten, type WrittenTask } from './harbor-task.ts'

const Minutes = z.number().min(0)

export const TerminalBenchTask = z.looseObject({
  instruction: z.string(),
  difficulty: z.enum(['easy', 'medium', 'hard', 'unknown']),
  author_name: z.string().default('unknown'),
  author_email: z.string().default('unknown'),
  category: z.string().default('software_engineering'),
  tags: z.array(z.string()).default([]),
  parser_name: z.enum(['pytest', 'swebench', 'swelancer', 'mlebench', 'sweperf']).default('pytest'),
  max_agent_timeout_sec: z.number().positive().default(360),
  max_test_timeout_sec: z.number().positive().default(60),
  run_tests_in_same_shell: z.boolean().default(false),
  disable_asciinema: z.boolean().default(false),
  estimated_duration_sec: z.number().min(0).nullish(),
  expert_time_estimate_min: Minutes.nullish(),
  junior_time_estimate_min: Minutes.nullish(),
})
export type TerminalBenchTask = DeepReadonly<z.output<typeof TerminalBenchTask>>

export const KeystrokeCommands = z
  .array(
    z.looseObject({
      command: z.string(),
      /** Seconds; what `append_enter` and `block` leave open. */
      min_timeout_sec: z.number().min(0).default(0),
      max_timeout_sec: z.number().min(0).default(180),
      block: z.boolean().default(false),
      append_enter: z.boolean().default(true),
    }),
  )
  .max(replyCommandsMax)
export type KeystrokeCommands = DeepReadonly<z.output<typeof KeystrokeCommands>>

// task.toml as Harbor writes it: root keys first, `artifacts` last of them, then tables in order; no null. Unchanged keys stay as read.

const firstKeys = ['schema_version', 'source', 'multi_step_reward_strategy']
const tableOrder = ['task', 'steps', 'metadata', 'verifier', 'agent', 'environment', 'solution']

/** The lowest version that has everything that is used. */
const versionOfNewKeys = '1.4'

/** Errors: `invalid_input` for what could not be read again. */
export function writeTaskToml(written: WrittenTask): string {
  parseAs(HarborTask, withoutNullKeys(written), 'task.toml')
  const root: JsonObject = { ...written, schema_version: versionOf(written) }
  const known = new Set([...firstKeys, ...tableOrder, 'artifacts'])
  const others = Object.keys(root).filter((key) => !known.has(key))
  const isTable = (key: string) => isObject(root[key]) && !(root[key] instanceof Date)
  const order = [
    ...firstKeys,
    ...others.filter((key) => !isTable(key)),
    'artifacts',
    ...tableOrder,
    ...others.filter(isTable),
  ]
  return tomlText(Object.fromEntries(order.filter((key) => Object.hasOwn(root, key)).map((key) => [key, root[key]])))
}

/** The version that the file says, or a later one where it uses what came later. */
export function versionOf(written: WrittenTask): string {
  const said = written.schema_version ?? schemaVersionWritten
  const isOld = Number(said.split('.')[1]) < Number(versionOfNewKeys.split('.')[1])
  return isOld && usesNewKeys(written) ? versionOfNewKeys : said
}

function usesNewKeys({ artifacts, verifier, steps }: WrittenTask): boolean {
  const verifiers = [verifier, ...(steps ?? []).map((step) => step.verifier)]
  const copied = [...(artifacts ?? []), ...(steps ?? []).flatMap((step) => step.artifacts ?? [])]
  const hasService = copied.some((one) => typeof one === 'object' && (one.service ?? null) !== null)
  return hasService || verifiers.some((one) => (one?.collect ?? []).length > 0)
}

/** Null in a table with a default means that the key is left out. */
const withoutNullKeys = (table: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(table).filter(([, value]) => value !== null))

/** A solution that is typed and not run, next to the path of solve.sh. The path from the task's folder. */
export const keystrokesPlace = 'solution/keystrokes.json'

/** Null for a task without one. Errors: `invalid_input`, `limit_reached`, `machine_unfit`. */
export function readKeystrokeSolution(folder: string): KeystrokeCommands | null {
  return readJsonInside(KeystrokeCommands, { folder, path: keystrokesPlace, bytesMax: instructionBytesMax })
}
