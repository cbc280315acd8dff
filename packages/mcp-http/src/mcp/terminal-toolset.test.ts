import type { ServerClient } from '@agentpty/protocol'
import { expect, test } from 'vitest'
import { terminalToolset } from './terminal-toolset.ts'

test('a verb is asked with what bounds the call, and not with whose it is', async () => {
  const asked: unknown[] = []
  const client = {
    call: async (...request: unknown[]) => ({ request: asked.push(request) }),
  } as unknown as ServerClient
  const { signal } = new AbortController()
  const progress = () => {}
  const input = { terminalId: 'term-1' }
  const origin = { client: 'agent-1', cwd: '/', scope: null, terminalId: null }
  const call = { client, caller: 'agent-1', origin, isForModel: true, signal }
  await terminalToolset.call('terminal_read', input, { ...call, progress, waitMsMax: 9_000 })
  await terminalToolset.call('terminal_read', input, call)
  expect(asked).toEqual([
    ['read', input, { signal, progress, waitMsMax: 9_000, numbersNames: true }],
    ['read', input, { signal, numbersNames: true }],
  ])
})
