/** Errors of verbs, as each door shows them: the next step is one that its caller has. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()

beforeAll(async () => {
  writeFileSync(join(instance.home, 'config.yaml'), 'sessionsMax: 1\n')
  await (await instance.rpc()).call('create', {})
})

test.each<[string, string, object, string]>([
  ['agents', 'spawn_agent', { agent_type: 'cat' }, 'Close some with kill_agent.'],
  ['deep-terminal', 'deep_terminal', { action: 'start', sessionId: 'one' }, 'Close some with terminate.'],
  ['terminal-agent', 'terminal_create', {}, 'Close some with terminal_close.'],
  ['terminalcp', 'terminalcp', { args: { action: 'start', command: 'cat' } }, 'Close some with stop.'],
  ['termtile', 'spawn_agent', { agent_type: 'cat' }, 'Close some with kill_agent.'],
  ['tty-use', 'tty_use', { input: 'ls' }, 'Close some with tty_use {"reset": true}.'],
])('at the limit of terminals the door %s names its own tools', async (door, name, input, next) => {
  const client = await instance.door(door)
  const shown = await client.callTool({ name, arguments: { ...input } }).then(
    (result) => JSON.stringify(result),
    (error: Error & { data?: unknown }) => JSON.stringify([error.message, error.data]),
  )
  expect(shown.replaceAll('\\\\\\"', '"').replaceAll('\\"', '"')).toContain(next)
})
