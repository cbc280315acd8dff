import { expect, test } from 'vitest'
import { parseEntry } from './setup.ts'

const headers = { Authorization: 'Bearer x' }
const stdio = (command: readonly string[]) => ({ kind: 'stdio', command, env: {}, cwd: null })
const http = { kind: 'http', url: 'http://127.0.0.1:1/mcp', headers }

test.each<[string, unknown, unknown]>([
  [
    'a program and its arguments',
    { type: 'stdio', command: 'npx', args: ['agentpty', 'mcp'] },
    stdio(['npx', 'agentpty', 'mcp']),
  ],
  ['a list', { type: 'local', command: ['agentpty', 'mcp'] }, stdio(['agentpty', 'mcp'])],
  ['goose', { type: 'stdio', cmd: 'agentpty', args: ['mcp'], timeout: 300 }, stdio(['agentpty', 'mcp'])],
  [
    'variables and a folder',
    { command: 'agentpty', env: { A: 'b' }, cwd: '/x' },
    { kind: 'stdio', command: ['agentpty'], env: { A: 'b' }, cwd: '/x' },
  ],
  ['url', { type: 'http', url: http.url, headers }, http],
  ['httpUrl', { httpUrl: http.url, headers }, http],
  ['serverUrl', { serverUrl: http.url, headers }, http],
  ['uri', { uri: http.url, headers }, http],
  ['http_headers', { url: http.url, http_headers: headers }, http],
  ['an address that is none', { url: 'nowhere' }, null],
  ['nothing', {}, null],
  ['no object', 'agentpty', null],
  ['a number for a command', { command: 7 }, null],
])('%s is understood', (_what, value, way) => expect(parseEntry('agentpty', value).way).toEqual(way))

test.each<[unknown, boolean]>([
  [{ command: 'x' }, true],
  [{ command: 'x', enabled: false }, false],
  [{ command: 'x', disabled: true }, false],
  [{ command: 'x', disabled: false, enabled: true }, true],
])('%j is enabled: %j', (value, isEnabled) => expect(parseEntry('x', value).isEnabled).toBe(isEnabled))
