/** Long calls of clients without tasks: they receive progress and can cancel. */

import assert from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import { scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()

const ways = (['stdio', 'HTTP'] as const).flatMap((way) => (['new', 'old'] as const).map((era) => [way, era] as const))

describe.each(ways)('over %s in the %s era', (way, era) => {
  const connect = () => (way === 'stdio' ? instance.mcp(era) : instance.http(era))

  test('progress is reported while a call waits', async () => {
    const caller = await connect()
    const { terminalId } = await caller.call('create', { command: 'read word' })
    const { progress, total } = await new Promise<{ progress: number; total?: number | undefined }>((resolve) => {
      const input = { terminalIds: [terminalId], waitFor: 'exit', waitTimeoutMs: 50_000 }
      const waiting = caller.protocol.callTool({ name: 'terminal_wait', arguments: input }, { onprogress: resolve })
      void waiting.catch(() => assert.fail('the wait ends when its terminal does'))
    })
    expect(progress).toBeGreaterThan(0)
    assert.equal(total, 50_000)
    await caller.call('close', { terminalId })
  })

  test('a cancelled call ends, and its terminal continues', async () => {
    const caller = await connect()
    const { terminalId } = await caller.call('create', { command: 'read word; echo got $word' })
    const enough = new AbortController()
    const input = { terminalIds: [terminalId], waitFor: 'exit' as const }
    const waiting = caller.call('wait', input, { signal: enough.signal })
    enough.abort()
    await expect(waiting).rejects.toThrow()
    const { output } = await caller.call('send', { terminalId, text: 'it' })
    expect(output).toContain('got it')
  })
})
