/** Waiting for a shell command where none will ever be marked: refused before anything happens. */

import { expect, test } from 'vitest'
import { openFakeEngine } from '../../fake-engine.ts'

const notAShell = { code: 'not_a_shell' }

test('no terminal is opened', async () => {
  const { client } = openFakeEngine()
  await expect(client.call('create', { command: ['gdb'], waitFor: 'command' })).rejects.toMatchObject(notAShell)
  expect((await client.call('list', {})).terminals).toEqual([])
})

test('nothing is typed', async () => {
  const { client, pty } = openFakeEngine()
  const { terminalId } = await client.call('create', { command: ['gdb'], waitFor: 'output', waitTimeoutMs: 0 })
  await expect(client.call('send', { terminalId, text: 'run', waitFor: 'command' })).rejects.toMatchObject(notAShell)
  await expect(client.call('sendKeys', { terminalId, keys: ['x'], waitFor: 'command' })).rejects.toMatchObject(
    notAShell,
  )
  expect(pty(1).written).toBe('')
})
