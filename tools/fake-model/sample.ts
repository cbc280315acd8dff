/** A small value that satisfies a JSON schema, for housekeeping requests that ask for JSON. */

import { at, listAt } from './json.ts'

export function sample(schema: unknown, text: string): unknown {
  if (typeof schema !== 'object' || schema === null) return text
  const constant = at(schema, 'const') ?? listAt(schema, 'enum')[0]
  if (constant !== undefined) return constant
  const choice = listAt(schema, 'anyOf')[0] ?? listAt(schema, 'oneOf')[0]
  return choice === undefined ? sampleOfType(schema, text) : sample(choice, text)
}

function sampleOfType(schema: object, text: string): unknown {
  const type = [at(schema, 'type')].flat()[0]
  switch (String(type).toLowerCase()) {
    case 'object': {
      const properties = Object.entries(at(schema, 'properties') ?? {})
      return Object.fromEntries(properties.map(([key, property]) => [key, sample(property, text)]))
    }
    case 'array':
      return at(schema, 'minItems') ? [sample(at(schema, 'items'), text)] : []
    case 'number':
    case 'integer':
      return at(schema, 'minimum') ?? 0
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      return text
  }
}
