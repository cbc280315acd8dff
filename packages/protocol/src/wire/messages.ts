/**
 * The messages between a client and a daemon, each a JSON object.
 *
 *   → {id, method, params, options?}        a verb, or `daemon.status`, `daemon.stop`
 *   → {cancel: id}                the caller cancels its call
 *   ← {id, result} | {id, error: {code, message, hint}}
 *   ← {progress: id, waitedMs, totalMs}
 *
 *   → {id, method: 'tool', params: {toolset, tool, input}}   what an MCP client of that toolset would call
 *
 *   → {id, method: 'follow', params: {terminalId, since?, fromScreen?, frames?, turn?, lease?, echo?, ahead?}}
 *   → {id, method: 'watch', params: {overview?: true}}
 *   ← {event: id, data}           one for each event, bytes in base64; the result comes after the last
 *   → {read: id, count}           `count` more events have been read: at most `ahead` are sent unread, or `streamEventsAheadMax`
 */

import { type ErrorCode, errorCodeOf, isTermError, TermError } from '../errors.ts'
import type { SessionEvent } from '../session/events.ts'
import { isObject, type JsonObject } from './line-wire.ts'
import { base64Of, bytesOf } from './wire.ts'

export interface WireError {
  readonly code: ErrorCode
  readonly message: string
  readonly hint: string
}

/** Anything but a TermError is a defect of ours, and fails only this call. */
export function toWireError(error: unknown): WireError {
  if (isTermError(error)) return { code: error.code, message: error.message, hint: error.hint }
  const message = error instanceof Error ? error.message : String(error)
  return { code: 'internal', message, hint: 'This is a defect in agentpty; please report it with what you did.' }
}

export function fromWireError(value: unknown): TermError {
  if (!isObject(value)) return new TermError('internal', 'The daemon gave an unreadable error.', 'Try again.')
  const { code, message, hint } = value
  return new TermError(errorCodeOf(code), String(message), String(hint ?? ''))
}

export function toWireEvent(event: SessionEvent): JsonObject {
  return event.type === 'output' ? { ...event, bytes: base64Of(event.bytes) } : { ...event }
}

/** Decodes an event of our own daemon, whose version was compared at the handshake. */
export function fromWireEvent(data: unknown): SessionEvent {
  const event = data as SessionEvent & { readonly bytes?: string }
  return event.type === 'output' ? { ...event, bytes: bytesOf(event.bytes ?? '') } : event
}
