/** Terminals as MCP resources, over both transports and for both eras. */

import assert from 'node:assert/strict'
import type { Client } from '@modelcontextprotocol/client'
import xterm from '@xterm/headless'
import { expect, test } from 'vitest'
import { scratchInstance } from '../harness/scratch.ts'

const { Terminal } = xterm
const instance = scratchInstance()

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

test('a replayed recording shows the current screen', async () => {
  const caller = await instance.mcp()
  const { terminalId } = await caller.call('create', { cols: 60, rows: 12 })
  await caller.call('send', { terminalId, text: 'seq 1 30; printf "\\033[1mbold\\033[0m caf\\303\\251\\n"' })
  await caller.call('resize', { terminalId, cols: 70, rows: 14 })
  await caller.call('send', { terminalId, text: 'echo after' })
  const [header, ...events] = (await textOf(caller.protocol, `terminal://${terminalId}/recording`))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(header).toMatchObject({ version: 2, width: 60, height: 12 })
  const player = new Terminal({ cols: header.width, rows: header.height, allowProposedApi: true })
  for (const [, kind, data] of events) {
    const [cols, rows] = kind === 'r' ? data.split('x').map(Number) : []
    if (kind === 'r') player.resize(cols, rows)
    else await new Promise<void>((resolve) => player.write(data, resolve))
  }
  const { active } = player.buffer
  const shown = Array.from({ length: 14 }, (_, row) => active.getLine(active.baseY + row)?.translateToString(true))
  const { screen } = await caller.call('screenshot', { terminalId })
  assert.equal(shown.join('\n').trimEnd(), screen.trimEnd())
  const times = events.map(([at]) => at)
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  )
  const { stdout } = await instance.cli('recording', terminalId)
  expect(stdout.split('\n')[0]).toBe(JSON.stringify(header))
})

test.each(['terminal://term-999/screen', 'terminal://term-1/picture', 'file:///etc/passwd'])(
  '%s is not found, and the error says why',
  async (uri) => {
    const { protocol } = await instance.mcp()
    await expect(protocol.readResource({ uri })).rejects.toThrow(/term-999|screen, log, recording/)
  },
)

test('a subscriber is notified of a change once, and again after it has read', async () => {
  const caller = await instance.http('old')
  const { terminalId } = await caller.call('create', {})
  const uri = `terminal://${terminalId}/log`
  const notified: string[] = []
  let next = () => {}
  caller.protocol.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    notified.push(params.uri)
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
  assert.deepEqual(notified, [uri])
  expect(await textOf(caller.protocol, uri)).toContain('two')
  const second = news()
  await caller.call('send', { terminalId, text: 'echo three' })
  await second
  assert.deepEqual(notified, [uri, uri])
  await caller.protocol.unsubscribeResource({ uri })
})
