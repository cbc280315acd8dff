/** The schemas of verbs as JSON Schema. */

import * as z from 'zod'
import type { JsonObject } from '../wire/json-lines.ts'

/** JSON Schema of what a caller may send. */
export function inputJsonSchema(schema: z.ZodType): JsonObject {
  return { ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) }
}
