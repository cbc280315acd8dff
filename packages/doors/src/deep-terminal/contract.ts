/** The tools of `--toolset deep-terminal`: shells by names that callers choose, in one tool with actions. */

import { sendBytesMax } from '@agentpty/protocol'
import * as z from 'zod'

export const deepTerminalActions = ['start', 'execute', 'read', 'terminate', 'sendCommandAndWait'] as const

const milliseconds = z.number().int().min(0).max(86_400_000).optional()
const sessionId = z.string().min(1).max(1_000).optional()
const command = z.string().max(sendBytesMax)

const sessionFields = {
  sessionId: sessionId.describe('A name of your choice'),
  session_id: sessionId.describe('Same as sessionId'),
}

interface Named {
  readonly sessionId?: string | undefined
  readonly session_id?: string | undefined
}

const isNamed = (input: Named) => (input.sessionId ?? input.session_id) !== undefined
const unnamed = { message: 'name the session', path: ['sessionId'] }

function withOneName<Input extends Named>({ session_id, ...input }: Input) {
  return { ...input, sessionId: input.sessionId ?? session_id ?? '' }
}

export const DeepTerminalInput = z
  .strictObject({
    action: z.enum(deepTerminalActions),
    ...sessionFields,
    command: command.optional().describe('What to execute'),
    waitMs: milliseconds.describe('With execute: wait so long for the command to end, and return its output'),
    timeoutMs: milliseconds.describe('With sendCommandAndWait: how long to wait (default: 10000)'),
    shell: z.string().min(1).optional().describe('With start (default: /bin/bash)'),
  })
  .refine(isNamed, unnamed)
  .transform(withOneName)
export type DeepTerminalInput = z.output<typeof DeepTerminalInput>

export const SendCommandInput = z
  .strictObject({ ...sessionFields, command, timeoutMs: milliseconds.describe('Default: 10000') })
  .refine(isNamed, unnamed)
  .transform(withOneName)
export type SendCommandInput = z.output<typeof SendCommandInput>

export const deepTerminalExample = { action: 'execute', sessionId: 'build', command: 'npm run build', waitMs: 10_000 }
export const sendCommandExample = { sessionId: 'build', command: 'npm test', timeoutMs: 30_000 }
