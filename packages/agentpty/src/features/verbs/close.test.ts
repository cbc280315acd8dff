/** A caller cannot close its own terminal, however it names it. */

import { expect, test } from 'vitest'
import type { VerbInput } from '../../contracts/verbs/index.ts'
import { openFakeEngine } from '../fake-engine.ts'

const quick = { waitFor: 'output', waitTimeoutMs: 0 } as const
const inside = { env: { AGENTPTY_TERMINAL: 'term-1' } }

test.each<VerbInput<'close'>>([
  { terminalId: 'term-1' },
  { terminalId: 'mine' },
  { terminalIds: ['term-2', 'mine'] },
  { all: true },
])('%j is refused to a caller in that terminal, and nothing is closed', async (input) => {
  const { client } = openFakeEngine()
  await client.call('create', { name: 'mine', command: ['agent'], ...quick })
  await client.call('create', { command: ['other'], ...quick })
  await expect(client.call('close', input, inside)).rejects.toMatchObject({
    code: 'own_terminal',
    hint: expect.stringContaining('force:true'),
  })
  for (const terminalId of ['term-1', 'term-2'])
    expect(await client.call('rename', { terminalId, name: `still-${terminalId}` })).toMatchObject({ terminalId })
  expect((await client.call('close', { terminalId: 'term-1', force: true }, inside)).closed).toContain('term-1')
})

test('another terminal is closed as ever', async () => {
  const { client } = openFakeEngine()
  await client.call('create', { command: ['agent'], ...quick })
  await client.call('create', { command: ['other'], ...quick })
  expect(await client.call('close', { terminalId: 'term-2' }, inside)).toEqual({ closed: ['term-2'] })
})
