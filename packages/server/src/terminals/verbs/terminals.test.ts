/** A caller cannot close its own terminal, however it names it. */

import type { VerbInput } from '@agentpty/protocol/verbs'
import { expect, test } from 'vitest'
import { openFakeEngine } from '../../fake-engine.ts'

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

/** term-1 has opened term-2, which has opened term-3; term-4 is on its own. */
async function openTree() {
  const { client } = openFakeEngine()
  const from = (terminal: string | null) => (terminal === null ? {} : { env: { AGENTPTY_TERMINAL: terminal } })
  for (const above of [null, 'term-1', 'term-2', null])
    await client.call('create', { command: ['agent'], ...quick }, from(above))
  const left = async () => {
    for await (const { terminals } of client.watch()) return terminals.map(({ terminalId }) => terminalId)
    return []
  }
  return { client, from, left }
}

test('with below all that was opened from it is closed, and nothing else', async () => {
  const { client, left } = await openTree()
  expect((await client.call('close', { terminalId: 'term-1', below: true })).closed).toEqual([
    'term-3',
    'term-2',
    'term-1',
  ])
  expect(await left()).toEqual(['term-4'])
})

test('what hangs from a terminal that has gone is closed with those above it', async () => {
  const { client, left } = await openTree()
  await client.call('close', { terminalId: 'term-2' })
  await client.call('close', { terminalId: 'term-1', below: true })
  expect(await left()).toEqual(['term-4'])
})

test.each(['term-1', 'term-2'])(
  'a child can neither close nor hold nor signal %s above it, whatever it adds',
  async (terminalId) => {
    const { client, from, left } = await openTree()
    const child = from('term-3')
    const all = [
      client.call('close', { terminalId, force: true }, child),
      client.call('close', { terminalIds: ['term-4', terminalId], below: true, force: true }, child),
      client.call('pause', { terminalIds: [terminalId], paused: true, force: true }, child),
      client.call('signal', { terminalId, signal: 'SIGKILL' }, child),
    ]
    for (const one of all) await expect(one).rejects.toMatchObject({ code: 'own_terminal' })
    expect(await left()).toEqual(['term-1', 'term-2', 'term-3', 'term-4'])
  },
)

test('a parent closes and pauses what it has opened', async () => {
  const { client, from, left } = await openTree()
  const request = { terminalIds: ['term-2'], paused: true }
  expect((await client.call('pause', request, from('term-1'))).terminals).toEqual(['term-2', 'term-3'])
  await client.call('close', { terminalId: 'term-2', below: true }, from('term-1'))
  expect(await left()).toEqual(['term-1', 'term-4'])
})
