import { expect, test } from 'vitest'
import { callerName, callerWords, commandLineName, libraryName, mcpClientName } from './caller-name.ts'

test.each<[string, string, string]>([
  ['a client of MCP', mcpClientName({ name: 'claude-code', version: '2.1.4' }, false), 'claude-code 2.1.4 (MCP)'],
  ['over HTTP', mcpClientName({ name: 'cursor', version: '' }, true), 'cursor (MCP over HTTP)'],
  ['one that does not say', mcpClientName({ name: 3 }, false), 'a client (MCP)'],
  ['a person at a terminal', commandLineName('ada', 'pts/3'), 'agentpty CLI (ada@pts/3)'],
  ['a script', commandLineName('ada', null), 'agentpty CLI (ada)'],
  ['a program with the library', libraryName('build.ts'), 'library (build.ts)'],
])('%s has a name', (_what, name, want) => {
  expect(name).toBe(want)
})

const scope = { id: 'sc-1', name: 'reviewer', holds: () => true }

test('the name says by which scope it is bounded, and is the connection’s where there is no other', () => {
  expect(callerName({ client: 'rpc-7-af', scope })).toBe('rpc-7-af, scope reviewer')
})

test('a name from outside stays on its line, spells out what misleads, and is bounded', () => {
  expect(callerName({ client: 'x', program: 'agent\u202e\x1b[2J\nallowed by root' })).toBe(
    'agent⟨U+202E⟩⟨U+001B⟩[2J allowed by root',
  )
  expect(callerName({ client: 'x', program: 'y'.repeat(5_000) }).length).toBeLessThan(300)
})

test('the journal’s caller in words: a person, by what name, in which scope, through which terminals', () => {
  const who = { client: 'mcp-1', program: 'codex 1 (MCP)', scope: 'reviewer', chain: ['term-1', 'term-2'] }
  expect(callerWords(who)).toBe('codex 1 (MCP), scope reviewer through term-1 → term-2')
  expect(callerWords({ ...who, through: ['claude in term-1', 'codex in term-2'] })).toBe(
    'codex 1 (MCP), scope reviewer through claude in term-1 → codex in term-2',
  )
  expect(callerWords({ client: 'rpc-1', person: true })).toBe('person rpc-1')
})
