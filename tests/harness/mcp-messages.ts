/** MCP messages written by hand. */

import assert from 'node:assert/strict'

export const clientInfo = { name: 'by-hand', version: '1' }

export interface Message {
  readonly id?: number | string | null
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

export const opening = (era: string) => ({ protocolVersion: era, capabilities: {}, clientInfo })

/** The sender's description in each request of 2026-07-28. */
export const envelope = (era: string, capabilities: object = {}) => ({
  'io.modelcontextprotocol/protocolVersion': era,
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': capabilities,
})

export const request = (id: number, method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })

export const notification = (method: string) => JSON.stringify({ jsonrpc: '2.0', method })

export function resultOf({ result, error }: Message): unknown {
  assert.equal(error, undefined, JSON.stringify(error))
  return result
}
