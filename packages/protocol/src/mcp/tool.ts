/** Tools: their description for clients, their answers, and the names of toolsets. */

import * as z from 'zod'
import { invalidInput } from '../errors.ts'
import type { VerbName } from '../verbs/verbs.ts'
import type { JsonObject } from '../wire/line-wire.ts'

export const toolsetNames = [
  'terminal',
  'agents',
  'terminal-agent',
  'deep-terminal',
  'terminalcp',
  'termtile',
  'tty-use',
] as const
export type ToolsetName = (typeof toolsetNames)[number]

export interface ToolDescription {
  readonly name: string
  readonly title?: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly inputSchema: JsonObject & { readonly properties?: JsonObject; readonly required?: readonly string[] }
  readonly outputSchema?: JsonObject
  readonly _meta?: JsonObject
  /** The verbs that each call of a door’s tool needs: a rule that denies one of them hides the tool. Clients do not receive this field. */
  readonly becomes?: readonly VerbName[]
  readonly annotations?: {
    readonly title?: string
    readonly readOnlyHint?: boolean
    readonly destructiveHint?: boolean
  }
}

export interface ToolAnswer {
  readonly text: string
  readonly structured?: JsonObject
  readonly isError?: boolean
  /** An image for a model besides the text. */
  readonly image?: ToolImage
}

export interface ToolImage {
  readonly mimeType: 'image/svg+xml' | 'image/png'
  /** The markup of an SVG; a PNG in base64. */
  readonly data: string
}

/** Names as they are given on a command line, `a,b`. Errors: `invalid_input`. */
export function parseToolsets(text: string): readonly ToolsetName[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '')
  const known = names.filter((name): name is ToolsetName => toolsetNames.some((one) => one === name))
  const unknown = names.find((name) => !toolsetNames.some((one) => one === name))
  if (unknown === undefined && known.length > 0) return known
  throw invalidInput(
    unknown === undefined ? 'No toolset is named.' : `There is no toolset "${unknown}".`,
    `Choose from: ${toolsetNames.join(', ')}.`,
  )
}

// The schemas of verbs as JSON Schema.

/** JSON Schema of what a caller may send. */
export function inputJsonSchema(schema: z.ZodType): JsonObject {
  return { ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) }
}
