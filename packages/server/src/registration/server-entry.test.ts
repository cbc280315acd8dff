import type { ToolsetName } from '@agentpty/protocol/mcp'
import { expect, test } from 'vitest'
import { offeredServer } from './server-entry.ts'

const env = { AGENTPTY_HOME: '/h' }
const address = { url: 'http://127.0.0.1:17580', token: 'secret', wantedPort: 17_580 }

test.each<[readonly ToolsetName[] | null, string, readonly string[], string]>([
  [null, 'agentpty', [], ''],
  [['terminal'], 'agentpty', [], ''],
  [['termtile'], 'termtile', ['--toolset', 'termtile'], '?toolset=termtile'],
  [['terminal', 'tty-use'], 'agentpty', ['--toolset', 'terminal,tty-use'], '?toolset=terminal,tty-use'],
  [['tty-use', 'termtile'], 'agentpty', ['--toolset', 'tty-use,termtile'], '?toolset=tty-use,termtile'],
])('%j is offered as %s', (toolsets, name, flags, query) => {
  expect(offeredServer({ command: ['agentpty'], env }, toolsets, null)).toEqual({
    name,
    note: '',
    way: { kind: 'stdio', command: ['agentpty', 'mcp', ...flags], env },
  })
  expect(offeredServer({ command: ['agentpty'], env }, toolsets, address)).toEqual({
    name,
    note: '',
    way: { kind: 'http', url: `http://127.0.0.1:17580/mcp${query}`, token: 'secret' },
  })
})

test.each([
  [0, /httpPort is 0/],
  [17_580, /^$/],
  [4_000, /port 4000 was taken/],
])('with port %d set, what is said of the address is %s', (wantedPort, note) =>
  expect(offeredServer({ command: [], env: {} }, null, { ...address, wantedPort }).note).toMatch(note),
)
