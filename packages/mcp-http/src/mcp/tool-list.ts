/** The verbs as MCP tools, in as few tokens as a model needs. */

import { defined } from '@agentpty/protocol'
import { inputJsonSchema, type ToolAnswer, type ToolDescription, type Toolset } from '@agentpty/protocol/mcp'
import { isVerbName, type ToolVerb, toolVerbs, type VerbName, type VerbOutput } from '@agentpty/protocol/verbs'
import { isObject, type JsonObject } from '@agentpty/protocol/wire'
import { viewUri } from './terminal-uri.ts'

export function listTools(): readonly ToolDescription[] {
  return Object.values(toolVerbs).map(toTool)
}

const namesByTool: ReadonlyMap<string, VerbName> = new Map(
  Object.entries(toolVerbs).flatMap(([name, { tool }]) => (isVerbName(name) ? [[tool, name]] : [])),
)

/** The verb behind a tool; undefined for a tool we do not have. */
export function verbOfTool(tool: string): VerbName | undefined {
  return namesByTool.get(tool)
}

function toTool({ tool, title, summary, effect, input, models = {} }: ToolVerb): ToolDescription {
  const { resultFields, searchHint, hasView } = models
  const meta = defined({ 'anthropic/searchHint': searchHint, ui: hasView ? { resourceUri: viewUri } : undefined })
  return defined({
    name: tool,
    description: summary,
    inputSchema: compactSchema(inputJsonSchema(input)),
    outputSchema: resultFields === undefined ? undefined : openObject(resultFields),
    // A tool that only reads cannot destroy anything.
    annotations: {
      title,
      ...(effect === 'reads' ? { readOnlyHint: true } : { destructiveHint: effect === 'destroys' }),
    },
    _meta: Object.keys(meta).length === 0 ? undefined : meta,
  })
}

const openObject = (fields: readonly string[]): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(fields.map((field) => [field, {}])),
})

/** Bounds, patterns and additional properties are checked when a call comes; models need not read about them. */
function compactSchema({ properties, required }: JsonObject): ToolDescription['inputSchema'] {
  const fields = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, field]) =>
    isObject(field) && field['forModels'] !== null ? [[name, compactField(name, field)] as const] : [],
  )
  return defined({
    type: 'object',
    properties: Object.fromEntries(fields),
    required: Array.isArray(required) && required.length > 0 ? required : undefined,
  })
}

function compactField(name: string, field: JsonObject): JsonObject {
  const { type, items, enum: values, anyOf, forModels } = field
  const help = typeof forModels === 'string' ? { description: forModels } : {}
  if (name === 'waitFor') return help
  // Its settings are for people; a model says whether.
  if (name === 'sandbox') return { type: 'boolean' }
  if (Array.isArray(anyOf)) return { anyOf: anyOf.filter(isObject).map((one) => compactField('', one)), ...help }
  if (Array.isArray(values)) return { enum: values, ...help }
  if (type === 'array') return { type, items: isObject(items) ? compactField('', items) : {}, ...help }
  return { type, ...help }
}

/**
 * A result as a model reads it: without what is obvious.
 *
 * A call that is not an error did what was asked; a wait that was met, a verdict that is not a guess, and the keys that
 * the caller itself has named are not worth their tokens in every result. Long fields come last: clients that shorten a
 * result keep its beginning, and a model needs the offset to read on from.
 */
export function brief(result: JsonObject): JsonObject {
  const kept = Object.entries(result).filter(([name, value]) => !goesWithoutSaying(name, value, result))
  return Object.fromEntries([...kept.filter(([name]) => !isLong(name)), ...kept.filter(([name]) => isLong(name))])
}

const isLong = (name: string): boolean => name === 'output' || name === 'screen'

function goesWithoutSaying(name: string, value: unknown, result: JsonObject): boolean {
  switch (name) {
    case 'sent':
    case 'keys':
    case 'sequences':
    // They are marked in the text.
    case 'highlights':
      return true
    case 'outcome':
      return value === 'met'
    case 'confidence':
      return value !== 'low'
    case 'evidence':
      return result['state'] === 'ready' && result['confidence'] !== 'low'
    default:
      return false
  }
}

/** Our own tools: each is a verb. */
export const terminalToolset: Toolset = {
  name: 'terminal',
  instructions:
    'Real terminals. terminal_run for one shell command; terminal_create + terminal_send for anything that talks back (REPL, debugger, ssh, installer, another agent): each call returns when it is your turn again, with what was printed. On outcome "timeout" the program still works: go on with terminal_read since the cursor. Full-screen programs: terminal_send_keys, terminal_screenshot.',
  tools: listTools(),
  async call(tool, input, { client, caller, origin, isForModel, ...context }) {
    const name = verbOfTool(tool)
    if (name === undefined) throw new Error(`no tool ${tool}`)
    // The client parses the input: what an agent sent is checked there, once.
    const result = await client.call(name, input as never, { ...context, numbersNames: true })
    const { image, ...rest } = { image: undefined, ...result }
    if (image !== undefined) return withImage(image, rest, isForModel)
    const fields = brief(rest)
    return { text: JSON.stringify(fields), structured: isForModel ? fields : rest }
  },
}

/** Models get no structured content: clients that have some show their model nothing else of the result. */
function withImage({ mimeType, data, width, height }: Image, rest: JsonObject, isForModel: boolean): ToolAnswer {
  const { screen: _, ...fields } = brief(rest)
  const answer = { text: JSON.stringify({ ...fields, width, height }), image: { mimeType, data } }
  return isForModel ? answer : { ...answer, structured: { ...rest, width, height } }
}

type Image = NonNullable<VerbOutput<'screenshot'>['image']>
