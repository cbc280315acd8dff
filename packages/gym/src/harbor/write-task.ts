/**
 * task.toml written as Harbor writes it: keys of the root with `artifacts` last, then its tables in their order, and no null. What was read and
 * not changed comes back key for key; a task with every default filled in may be written, too, and then all of them stand there.
 */

import { isObject, type JsonObject } from '@agentpty/protocol/wire'
import { parseAs } from '../malformed.ts'
import { tomlText } from '../toml-text.ts'
import { HarborTask, schemaVersionWritten, type WrittenTask } from './harbor-task.ts'

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
