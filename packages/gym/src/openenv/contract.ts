/** The messages of OpenEnv (0.3 and newer): what its clients send, over HTTP and over a WebSocket. */

import type { ErrorCode } from '@agentpty/protocol'
import type { JsonObject } from '@agentpty/protocol/wire'
import * as z from 'zod'

/** Further fields are arguments of the environment's own `reset`. */
export const ResetData = z.looseObject({
  seed: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).nullish(),
  episode_id: z.string().max(255).nullish(),
})
export type ResetData = z.output<typeof ResetData>

/** The body of a request. Further fields are ignored, as OpenEnv does. */
export const StepRequest = z.looseObject({
  action: z.union([z.string(), z.record(z.string(), z.unknown())]),
  timeout_s: z.number().positive().nullish(),
  request_id: z.string().max(255).nullish(),
})

export const SocketMessage = z.strictObject({
  type: z.enum(['reset', 'step', 'state', 'close']),
  data: z.record(z.string(), z.unknown()).default({}),
})

export type OpenEnvCode =
  | 'INVALID_JSON'
  | 'UNKNOWN_TYPE'
  | 'VALIDATION_ERROR'
  | 'EXECUTION_ERROR'
  | 'CAPACITY_REACHED'
  | 'FACTORY_ERROR'
  | 'SESSION_ERROR'

/** An error response, in place of an observation or a state. */
export class OpenEnvError extends Error {
  readonly code: OpenEnvCode
  /** Further fields besides message and code. */
  readonly more: JsonObject

  constructor(code: OpenEnvCode, message: string, more: JsonObject = {}) {
    super(message)
    this.code = code
    this.more = more
  }
}

export const codeOf = (code: ErrorCode): OpenEnvCode =>
  code === 'invalid_input' ? 'VALIDATION_ERROR' : 'EXECUTION_ERROR'

export const statusOf: Readonly<Record<OpenEnvCode, number>> = {
  INVALID_JSON: 400,
  UNKNOWN_TYPE: 400,
  VALIDATION_ERROR: 422,
  EXECUTION_ERROR: 500,
  CAPACITY_REACHED: 503,
  FACTORY_ERROR: 500,
  SESSION_ERROR: 500,
}
