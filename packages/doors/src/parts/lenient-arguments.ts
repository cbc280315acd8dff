/**
 * Arguments as clients of other systems write them. What those systems accepted is accepted here too: a number or a
 * boolean as text, a text as a number, a single value where a list is meant, a list or an object as its JSON.
 */

import { parseInput } from '@agentpty/protocol/call'
import { inputJsonSchema } from '@agentpty/protocol/mcp'
import { isObject, type JsonObject } from '@agentpty/protocol/wire'
import type * as z from 'zod'

/** Parses the arguments of a call of the tool `name`. Errors: `invalid_input`. */
export function parseLenient<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  tool: { readonly name: string; readonly example: unknown },
): z.output<Schema> {
  return parseInput(schema, lenientArguments(schema, input), tool)
}

/** Converts what can only be meant in one way; everything else stays for the schema to judge. */
export function lenientArguments(schema: z.ZodType, input: unknown): unknown {
  if (!isObject(input)) return input
  const properties = propertiesOf(schema)
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      Object.hasOwn(properties, name) ? lenientValue(choicesOf(properties[name]), value) : value,
    ]),
  )
}

const known = new WeakMap<z.ZodType, JsonObject>()

function propertiesOf(schema: z.ZodType): JsonObject {
  const made = known.get(schema)
  if (made !== undefined) return made
  const { properties } = inputJsonSchema(schema)
  const found = isObject(properties) ? properties : {}
  known.set(schema, found)
  return found
}

/** The schema, or for a union each of its alternatives. */
function choicesOf(schema: unknown): readonly JsonObject[] {
  if (!isObject(schema)) return []
  const { anyOf } = schema
  return Array.isArray(anyOf) ? anyOf.flatMap(choicesOf) : [schema]
}

function lenientValue(choices: readonly JsonObject[], value: unknown): unknown {
  const takes = (...types: readonly string[]) => choices.some((choice) => isOf(choice, types))
  const list = choices.find((choice) => isOf(choice, ['array']))
  if (Array.isArray(value)) {
    const items = choicesOf(list?.['items'])
    return value.map((item) => lenientValue(items, item))
  }
  if (typeof value === 'number') return takes('string') && !takes('number', 'integer') ? String(value) : value
  if (typeof value !== 'string' || takes('string')) return value
  if (takes('number', 'integer') && /^\s*-?\d+(\.\d+)?\s*$/.test(value)) return Number(value)
  if (takes('boolean') && (value === 'true' || value === 'false')) return value === 'true'
  if (list !== undefined || takes('object')) return fromJson(value, list)
  return value
}

const isOf = ({ type }: JsonObject, types: readonly string[]): boolean =>
  [type].flat().some((one) => types.some((name) => name === one))

function fromJson(text: string, list: JsonObject | undefined): unknown {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null) return parsed
  } catch {
    // The text is not JSON: it is a single value of a list, or wrong.
  }
  return list === undefined ? text : [lenientValue(choicesOf(list['items']), text)]
}
