/** The verbs as MCP tools, in as few tokens as a model needs. */

import { defined } from '@agentpty/protocol'
import { inputJsonSchema, type ToolDescription } from '@agentpty/protocol/mcp'
import { isVerbName, type ToolVerb, toolVerbs, type VerbName } from '@agentpty/protocol/verbs'
import { isObject, type JsonObject } from '@agentpty/protocol/wire'
import { viewUri } from './view.ts'

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
  const meta = defined({
    'anthropic/searchHint': searchHint,
    ui: hasView ? { resourceUri: viewUri } : undefined,
  })
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
