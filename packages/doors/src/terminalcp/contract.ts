/**
 * The tools of `--toolset terminalcp`: `terminalcp` as of its version 1.3, and `terminal` as of 1.1. Both take an action
 * and its fields, flat or in `args`.
 */

import { invalidInput, sendBytesMax } from '@agentpty/protocol'
import { inputJsonSchema } from '@agentpty/protocol/mcp'
import { isObject, type JsonObject, parseObject } from '@agentpty/protocol/wire'
import * as z from 'zod'
import { parseLenient } from '../parts/lenient-arguments.ts'

/** The version of terminalcp that this door answers as. */
export const terminalcpVersion = '1.3.3'

export const terminalcpActionNames = [
  'start',
  'stop',
  'stdout',
  'stdin',
  'list',
  'stream',
  'term-size',
  'resize',
  'attach',
  'detach',
  'version',
  'kill-server',
] as const
export type TerminalcpAction = (typeof terminalcpActionNames)[number]

const TerminalcpArgs = z.object({
  action: z.enum(terminalcpActionNames),
  command: z.string().nullish().describe('start: what to run, by the shell'),
  cwd: z.string().nullish().describe('start: where'),
  name: z.string().nullish().describe('start: the id to give it'),
  id: z.string().nullish().describe('all but start and list: which process; stop without it ends all you started'),
  data: z
    .union([z.string().max(sendBytesMax), z.array(z.string().max(sendBytesMax)).max(1_000)])
    .nullish()
    .describe('stdin: typed as it is ("\\r" is Enter), or a list of texts and keys like "::C-c", "::Up"'),
  submit: z.boolean().nullish().describe('stdin: press Enter after it'),
  lines: z.number().nullish().describe('stdout: only the last so many'),
  since_last: z.boolean().nullish().describe('stream: only what is new since the last such read'),
  strip_ansi: z.boolean().nullish().describe('stream: without escape sequences'),
  cols: z.number().nullish(),
  rows: z.number().nullish(),
})
export type TerminalcpArgs = Readonly<z.infer<typeof TerminalcpArgs>>

const example = { action: 'start', command: 'python3 -i' }

export const terminalcpSchemas = {
  flat: inputJsonSchema(TerminalcpArgs),
  nested: inputJsonSchema(z.strictObject({ args: TerminalcpArgs })),
}

/** Errors: `invalid_input`, in the words of terminalcp where it has some. */
export function parseTerminalcp(tool: string, input: unknown): TerminalcpArgs {
  const args = argsOf(input)
  if (args === null) throw invalidInput('Invalid arguments: expected JSON object', hint)
  const { action } = args
  if (action === undefined) throw invalidInput('Missing required field: action', hint)
  if (!terminalcpActionNames.some((one) => one === action))
    throw invalidInput(`Unknown action: ${action}`, `Actions: ${terminalcpActionNames.join(', ')}.`)
  return parseLenient(TerminalcpArgs, args, { name: tool, example })
}

const hint = `For example: ${JSON.stringify(example)}`

/** Some models write nested arguments as a string. */
function argsOf(input: unknown): JsonObject | null {
  if (!isObject(input)) return null
  const { args } = input
  if (args === undefined) return input
  if (typeof args === 'string') return parseObject(args)
  return isObject(args) ? args : null
}
