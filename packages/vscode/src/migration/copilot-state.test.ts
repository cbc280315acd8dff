import { expect, test } from 'vitest'
import { type EntrySituation, type EntryState, entryState, moveFor } from './copilot-state.ts'

const served = { url: 'http://127.0.0.1:17580', token: 'right' }
const file = (entry: unknown) => JSON.stringify({ mcpServers: { other: { command: 'x' }, 'terminal-agent': entry } })
const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })
/** The entry as terminal-agent's documentation and code write it. */
const theirs = { type: 'http', url: 'http://127.0.0.1:17580/mcp', tools: ['*'] }

test.each<[string, string | null, EntryState]>([
  ['no file', null, 'missing'],
  ['an empty file', ' \n', 'missing'],
  ['another server alone', JSON.stringify({ mcpServers: { other: {} } }), 'missing'],
  ['no servers', '{}', 'missing'],
  ['half a file', '{"mcpServers": {', 'malformed'],
  ['a list', '[]', 'malformed'],
  ['servers that are none', '{"mcpServers": 7}', 'malformed'],
  ['as terminal-agent wrote it', file(theirs), 'without token'],
  ['at another port of it', file({ ...theirs, url: 'http://127.0.0.1:41234/mcp' }), 'without token'],
  ['ours', file({ ...theirs, url: `${served.url}/mcp?toolset=terminal-agent`, ...bearer('right') }), 'current'],
  ['ours of another port', file({ ...theirs, url: 'http://127.0.0.1:2/mcp?toolset=x', ...bearer('right') }), 'stale'],
  ['ours with an old token', file({ ...theirs, ...bearer('old') }), 'stale'],
  ['a command', file({ command: 'agentpty', args: ['mcp'] }), 'other'],
  ['another machine', file({ ...theirs, url: 'http://box.example/mcp' }), 'other'],
  ['another path', file({ ...theirs, url: 'http://127.0.0.1:17580/else' }), 'other'],
  ['nothing of use', file({}), 'other'],
])('%s', (_what, text, state) => expect(entryState(text, served)).toBe(state))

const fresh: EntrySituation = { state: 'without token', isAgreed: false, isTheirsHere: false, wasTheirsHere: false }

test.each<[string, Partial<EntrySituation>, ReturnType<typeof moveFor>]>([
  ['an entry without a token asks', {}, 'ask'],
  ['also while terminal-agent is installed', { isTheirsHere: true }, 'ask'],
  ['consent given before is not asked for again', { isAgreed: true }, 'write'],
  ['an installed terminal-agent keeps its entry', { isAgreed: true, isTheirsHere: true }, 'nothing'],
  [
    'an entry removed by its uninstallation comes back',
    { state: 'missing', isAgreed: true, wasTheirsHere: true },
    'write',
  ],
  ['an entry removed by a person stays removed', { state: 'missing', isAgreed: true }, 'nothing'],
  ['an old address asks', { state: 'stale' }, 'ask'],
  ['an old address is updated after consent', { state: 'stale', isAgreed: true }, 'write'],
  ['a file that cannot be read is left alone', { state: 'malformed', isAgreed: true }, 'nothing'],
  ['a custom entry is left alone', { state: 'other', isAgreed: true }, 'nothing'],
  ['a correct entry is left alone', { state: 'current', isAgreed: true }, 'nothing'],
])('%s', (_what, known, move) => expect(moveFor({ ...fresh, ...known })).toBe(move))
