/** The verbs as MCP tools, in as few tokens as tell a model what to do. */

import {
  isOperationName,
  type OperationName,
  type ToolOperation,
  toolOperations,
} from '../../contracts/call/operations.ts'
import { inputJsonSchema } from '../../contracts/mcp/json-schema.ts'
import type { ToolDescription } from '../../contracts/mcp/tool.ts'
import { isObject, type JsonObject } from '../../contracts/wire/json-lines.ts'
import { viewUri } from './view.ts'

/** Said once; elsewhere the field's name and default are enough. */
const waitForHelp =
  '"ready" (your turn; {ready:"high"}: at least so sure) | "output" | "command" (shell command done) | "exit" | "none" | {text} | {pattern} | {quietMs} | {stableMs} | array: any of them'

const fieldHelp: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  terminal_create: { waitFor: 'default ready; as in terminal_send' },
  terminal_send: {
    instruct: 'text instructs an agent: typed only once it is idle, never into its dialogs',
    waitFor: `${waitForHelp}. Default ready`,
    waitTimeoutMs: 'default 30000',
  },
  terminal_read: { waitFor: 'as in terminal_send; default none' },
}

/**
 * What a result is read for. That it may hold more is no secret and no news; a client that writes programs against the tools
 * learns the names from here.
 */
const resultFields: Readonly<Record<string, readonly string[]>> = {
  terminal_create: ['terminalId', 'output', 'cursor', 'state'],
  terminal_send: ['output', 'cursor', 'outcome', 'state', 'kind', 'exitCode'],
  terminal_run: ['terminalId', 'output', 'outcome', 'exitCode', 'commands'],
  terminal_send_keys: ['output', 'cursor', 'state'],
  terminal_read: ['output', 'cursor', 'outcome', 'state'],
  terminal_wait: ['terminals'],
  terminal_screenshot: ['screen', 'state'],
  terminal_list: ['terminals'],
}

/** Where a host that can show pages shows the terminal itself. */
const withView = new Set(['terminal_create', 'terminal_screenshot'])

/** Found by these words where tools are not shown before they are searched for. */
const searchHints: Readonly<Record<string, string>> = {
  terminal_create: 'shell, ssh, REPL, debugger, tmux, agent',
}

/** Fields that older tools had, or that programs use; they work, but a model need not read about them. */
const quietFields = new Set(['waitForOutput', 'waitForString', 'terminal_close.force'])

export function listTools(): readonly ToolDescription[] {
  return Object.values(toolOperations).map(toTool)
}

const namesByTool: ReadonlyMap<string, OperationName> = new Map(
  Object.entries(toolOperations).flatMap(([name, { tool }]) => (isOperationName(name) ? [[tool, name]] : [])),
)

/** The verb behind a tool; undefined for a tool we do not have. */
export function verbOfTool(tool: string): OperationName | undefined {
  return namesByTool.get(tool)
}

function toTool(operation: ToolOperation): ToolDescription {
  const { tool, title, summary, effect } = operation
  const fields = resultFields[tool]
  const meta = metaOf(tool)
  return {
    name: tool,
    description: summary,
    inputSchema: compactSchema(tool, inputJsonSchema(operation.input)),
    ...(fields === undefined ? {} : { outputSchema: openObject(fields) }),
    // What reads cannot destroy.
    annotations: {
      title,
      ...(effect === 'reads' ? { readOnlyHint: true } : { destructiveHint: effect === 'destroys' }),
    },
    ...(meta === null ? {} : { _meta: meta }),
  }
}

const openObject = (fields: readonly string[]): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(fields.map((field) => [field, {}])),
})

function metaOf(tool: string): JsonObject | null {
  const searchHint = searchHints[tool]
  const meta = {
    ...(searchHint === undefined ? {} : { 'anthropic/searchHint': searchHint }),
    ...(withView.has(tool) ? { ui: { resourceUri: viewUri } } : {}),
  }
  return Object.keys(meta).length === 0 ? null : meta
}

/** Bounds, patterns and closedness are checked when a call comes; reading about them helps no model. */
function compactSchema(tool: string, schema: JsonObject): ToolDescription['inputSchema'] {
  const help = fieldHelp[tool] ?? {}
  const { properties, required } = schema
  const fields = Object.entries(isObject(properties) ? properties : {})
    .filter(([name]) => !quietFields.has(name) && !quietFields.has(`${tool}.${name}`))
    .map(([name, field]) => [name, compactField(name, isObject(field) ? field : {}, help[name])])
  return {
    type: 'object',
    properties: Object.fromEntries(fields),
    ...(Array.isArray(required) && required.length > 0 ? { required } : {}),
  }
}

function compactField(name: string, field: JsonObject, description: string | undefined): JsonObject {
  const said = description === undefined ? {} : { description }
  if (name === 'waitFor') return said
  const { type, items, enum: values, anyOf } = field
  if (Array.isArray(anyOf))
    return { anyOf: anyOf.filter(isObject).map((one) => compactField('', one, undefined)), ...said }
  if (Array.isArray(values)) return { enum: values, ...said }
  if (type === 'array') return { type, items: isObject(items) ? compactField('', items, undefined) : {}, ...said }
  return { type, ...said }
}
