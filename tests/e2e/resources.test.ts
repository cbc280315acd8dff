/** Terminals as MCP resources, over both ways in and for both eras. */

import assert from 'node:assert/strict'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, expect, test } from 'vitest'
import { Instance } from './instance.ts'

const instance = new Instance()

afterAll(async () => {
  assert.deepEqual(await instance.stop(), [])
})

const textOf = async (client: Client, uri: string) => {
  const { contents } = await client.readResource({ uri })
  const [first] = contents
  return first !== undefined && 'text' in first ? first.text : ''
}

test.each([
  ['stdio', 'new', () => instance.mcp('new')],
  ['stdio', 'old', () => instance.mcp('old')],
  ['HTTP', 'new', () => instance.http('new')],
  ['HTTP', 'old', () => instance.http('old')],
] as const)('screens and logs are listed and read over %s in the %s era', async (_way, _era, connect) => {
  const caller = await connect()
  const { terminalId } = await caller.call('create', {})
  await caller.call('send', { terminalId, text: 'seq 101 150' })
  const { resources } = await caller.protocol.listResources()
  expect(resources.map(({ uri }) => uri)).toEqual(
    expect.arrayContaining([`terminal://${terminalId}/screen`, `terminal://${terminalId}/log`]),
  )
  const screen = await textOf(caller.protocol, `terminal://${terminalId}/screen`)
  assert.match(screen, /^122\n[\s\S]*\n150\n\$$/)
  assert.match(await textOf(caller.protocol, `terminal://${terminalId}/log`), /\n101\n[\s\S]*\n150\n\$$/)
  const { resourceTemplates } = await caller.protocol.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain('terminal://{terminalId}/log')
  await caller.call('close', { terminalId })
})

test.each(['terminal://term-999/screen', 'terminal://term-1/picture', 'file:///etc/passwd'])(
  '%s is not found, and the reason is told',
  async (uri) => {
    const { protocol } = await instance.mcp()
    await expect(protocol.readResource({ uri })).rejects.toThrow(/term-999|screen and log/)
  },
)

test('a subscriber is told of a change once, and again after it has read', async () => {
  const caller = await instance.http('old')
  const { terminalId } = await caller.call('create', {})
  const uri = `terminal://${terminalId}/log`
  const told: string[] = []
  let next = () => {}
  caller.protocol.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    told.push(params.uri)
    next()
  })
  const news = () =>
    new Promise<void>((resolve) => {
      next = resolve
    })
  await caller.protocol.subscribeResource({ uri })
  const first = news()
  await caller.call('send', { terminalId, text: 'echo one' })
  await first
  await caller.call('send', { terminalId, text: 'echo two' })
  assert.deepEqual(told, [uri])
  expect(await textOf(caller.protocol, uri)).toContain('two')
  const second = news()
  await caller.call('send', { terminalId, text: 'echo three' })
  await second
  assert.deepEqual(told, [uri, uri])
  await caller.protocol.unsubscribeResource({ uri })
})
