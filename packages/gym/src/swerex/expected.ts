/** What a client expects beside the prompt: regular expressions, as pexpect has them, of which most are a plain text. */

import { readRaw } from '@agentpty/doors/parts'
import type { ServerClient } from '@agentpty/protocol'
import type { WaitFor } from '@agentpty/protocol/call'
import { withoutEscapes } from '@agentpty/protocol/escapes'

type Conditions = Extract<WaitFor, readonly unknown[]>

const isPlain = (text: string): boolean => !/[\\^$.*+?()[\]{}|]/.test(text)

export const conditionsFor = (expect: readonly string[]): Conditions =>
  expect.map((one) => (isPlain(one) ? { text: one } : { pattern: one }))

export interface Before {
  /** Up to what was expected, or all. */
  readonly output: string
  /** Null: none of them has come. */
  readonly found: string | null
}

/** What a terminal has printed since `since`, up to the first of what was expected. */
export async function outputBefore(
  client: ServerClient,
  terminalId: string,
  { since, expect }: { readonly since: number; readonly expect: readonly string[] },
): Promise<Before> {
  const { text } = await readRaw(client, terminalId, since)
  const output = withoutEscapes(text).replaceAll('\r\n', '\n')
  let first: { readonly at: number; readonly one: string } | null = null
  for (const one of expect) {
    const at = isPlain(one)
      ? output.indexOf(one)
      : output.indexOf(await lineOf(client, terminalId, { since, pattern: one }))
    if (at >= 0 && (first === null || at < first.at)) first = { at, one }
  }
  return first === null ? { output, found: null } : { output: output.slice(0, first.at), found: first.one }
}

/** The first line that a pattern matches, by the engine, which bounds how long that takes; a line that there is not, when none. */
async function lineOf(
  client: ServerClient,
  terminalId: string,
  { since, pattern }: { readonly since: number; readonly pattern: string },
): Promise<string> {
  const { output, matches = 0 } = await client.call('read', { terminalId, since, find: pattern })
  const [line = ''] = output.split('\n')
  return matches === 0 ? '\0' : line.replace(/^\d+: /, '')
}
