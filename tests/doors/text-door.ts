/** A door whose tools return only text, as a test calls it. */

import assert from 'node:assert/strict'
import type { Client } from '@modelcontextprotocol/client'

export interface TextAnswer {
  readonly text: string
  readonly isError: boolean
}

export async function callForText(client: Client, name: string, input: object): Promise<TextAnswer> {
  const { content, isError } = await client.callTool({ name, arguments: { ...input } })
  const [first, ...more] = content as readonly { readonly type: string; readonly text: string }[]
  assert.deepEqual([first?.type, more], ['text', []])
  return { text: first?.text ?? '', isError: isError === true }
}
