/** A slow or hanging daemon does not break its waiting clients. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { beforeEach, expect, test } from 'vitest'
import type { Instance } from '../harness/instance.ts'
import { LinesClient, serverOf } from '../harness/lines-client.ts'
import { scratchInstance } from '../harness/scratch.ts'

let instance: Instance
let daemonPid: number
let terminalId: string

beforeEach(async () => {
  instance = scratchInstance()
  terminalId = (await (await instance.rpc()).call('create', { name: 'lasting' })).terminalId
  daemonPid = (await instance.status()).daemon.pid
})

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'terminal_list' } })

/** A client whose first message is not answered, and which has printed that it waits. */
async function waitingClient(): Promise<{ readonly client: LinesClient; readonly opened: Promise<void> }> {
  const client = new LinesClient(serverOf(instance), 'pipe')
  const opened = client.open()
  assert.ok(client.process.stderr)
  const [notice] = await once(client.process.stderr.setEncoding('utf8'), 'data')
  assert.match(String(notice), /takes long to start; still waiting.*agentpty doctor/)
  return { client, opened }
}

async function expectTerminal({ client, opened }: Awaited<ReturnType<typeof waitingClient>>): Promise<void> {
  await opened
  client.write(list)
  expect(await client.next()).toMatchObject({ result: { structuredContent: { terminals: [{ terminalId }] } } })
  assert.equal(await client.close(), 0)
}

test('a daemon that stands still is waited for, and requests of the meantime are answered', async () => {
  process.kill(daemonPid, 'SIGSTOP')
  const waiting = await waitingClient()
  process.kill(daemonPid, 'SIGCONT')
  await expectTerminal(waiting)
})

test('while an unreachable daemon has the terminals, clients retry until they are free', async () => {
  process.kill(daemonPid, 'SIGSTOP')
  rmSync(instance.paths.daemonSocket)
  const waiting = await waitingClient()
  process.kill(daemonPid, 'SIGKILL')
  await expectTerminal(waiting)
})

test('a client that waits for a daemon can be ended', async () => {
  process.kill(daemonPid, 'SIGSTOP')
  const { client, opened } = await waitingClient()
  const gone = assert.rejects(opened)
  assert.equal(await client.close(), 0)
  await gone
  process.kill(daemonPid, 'SIGCONT')
})
