/** Registering by address, and doors under their own names: the written entries, the output, and the undo. */

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import type { Instance } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

let instance: Instance

beforeEach(() => {
  instance = scratchInstance({ PATH: '/usr/bin:/bin' })
})

const at = (path: string) => join(instance.user, path)
const read = (path: string) => readFileSync(at(path), 'utf8')

function write(path: string, text: string, mode = 0o600): void {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text, { mode })
}

interface Report {
  readonly note: string
  readonly clients: readonly Readonly<Record<'client' | 'kind' | 'detail' | 'note', string>>[]
}

async function init(...args: readonly string[]) {
  const { code, stdout } = await instance.cli('init', '--json', ...args)
  const { note, clients }: Report = JSON.parse(stdout)
  return { code, note, clients, kinds: clients.map(({ kind }) => kind), printed: stdout }
}

async function address(query = '') {
  const { http } = await instance.status()
  return { url: `${http?.url}/mcp${query}`, headers: { Authorization: `Bearer ${await instance.token()}` } }
}

type Shape = (address: { url: string; headers: object }) => unknown
const json = (group: string) => (text: string) => JSON.parse(text)[group].agentpty
const http: Shape = ({ url, headers }) => ({ type: 'http', url, headers })
const httpUrl: Shape = ({ url, headers }) => ({ httpUrl: url, headers })
const serverUrl: Shape = ({ url, headers }) => ({ serverUrl: url, headers })
const uri: Shape = ({ url, headers }) => ({
  name: 'agentpty',
  type: 'streamable_http',
  uri: url,
  headers,
  enabled: true,
  timeout: 300,
})
const asIs: Shape = ({ url, headers }) => ({ url, headers })

/** The format in each client's documentation. */
const shapes: readonly (readonly [string, string, (text: string) => unknown, Shape])[] = [
  ['claude', '.claude.json', json('mcpServers'), http],
  ['gemini', '.gemini/settings.json', json('mcpServers'), httpUrl],
  ['copilot', '.copilot/mcp-config.json', json('mcpServers'), (at) => ({ ...(http(at) as object), tools: ['*'] })],
  ['opencode', '.config/opencode/opencode.json', json('mcp'), (at) => ({ type: 'remote', ...at, enabled: true })],
  ['qwen', '.qwen/settings.json', json('mcpServers'), httpUrl],
  ['cursor', '.cursor/mcp.json', json('mcpServers'), asIs],
  ['windsurf', '.codeium/windsurf/mcp_config.json', json('mcpServers'), serverUrl],
  ['vscode', '.config/Code/User/mcp.json', json('servers'), http],
  ['zed', '.config/zed/settings.json', json('context_servers'), asIs],
  ['goose', '.config/goose/config.yaml', (text) => parseYaml(text).extensions.agentpty, uri],
]

describe('by address', () => {
  test.each(shapes)('%s is registered in its own format, in %s', async (client, path, entryIn, shape) => {
    expect((await init('--http', '--client', client, '--yes')).kinds).toEqual(['add'])
    expect(entryIn(read(path))).toEqual(shape(await address()))
    assert.equal(statSync(at(path)).mode & 0o777, 0o600)
    expect((await init('--http', '--client', client, '--yes')).kinds).toEqual(['same'])
    expect((await init('--undo', '--yes')).kinds).toEqual(['restore'])
    assert.ok(!existsSync(at(path)))
  })

  test('codex is registered in its own table, and its file is restored exactly', async () => {
    const before = '# mine\nmodel = "gpt-5.5"\n\n[mcp_servers.other]\ncommand = "x"\n\n[tui]\ntheme = "dark"\n'
    write('.codex/config.toml', before)
    await init('--http', '--client', 'codex', '--yes')
    const { url, headers } = await address()
    expect(read('.codex/config.toml')).toContain(`[mcp_servers.agentpty]\nurl = "${url}"\n`)
    expect(read('.codex/config.toml')).toContain(`Authorization = "${headers.Authorization}"\n`)
    expect((await init('--http', '--client', 'codex', '--yes')).kinds).toEqual(['same'])
    writeFileSync(at('.codex/config.toml'), `${read('.codex/config.toml')}# later\n`)
    expect((await init('--undo', '--yes')).kinds).toEqual(['remove'])
    assert.doesNotMatch(read('.codex/config.toml'), /agentpty|Bearer/)
  })

  test('the token is written, and shown nowhere', async () => {
    const token = await instance.token()
    for (const args of [[], ['--yes'], ['--yes']]) {
      const { printed } = await init('--http', '--client', 'claude', ...args)
      assert.ok(!printed.includes(token), printed)
      expect(printed).toContain(`Bearer ${token.slice(0, 4)}…`)
    }
    assert.ok(read('.claude.json').includes(token))
    assert.ok(!(await instance.cli('init', '--http', '--client', 'cursor')).stdout.includes(token))
  })

  test('a client that takes no address is left alone and named, and the others are registered', async () => {
    const { code, clients } = await init('--http', '--client', 'claude-desktop', '--client', 'gemini', '--yes')
    assert.equal(code, 1)
    expect(clients).toMatchObject([
      { client: 'gemini', kind: 'add' },
      { client: 'claude-desktop', kind: 'problem', detail: expect.stringContaining('without --http') },
    ])
  })

  test('a file that other users may read is named, because it contains the token', async () => {
    write('.gemini/settings.json', '{}', 0o644)
    const { clients } = await init('--http', '--client', 'gemini')
    expect(clients[0]?.note).toContain(`chmod 600 ${at('.gemini/settings.json')}`)
    expect((await init('--client', 'gemini')).clients[0]?.note).toBe('')
  })

  test('a temporary address is named as one', async () => {
    const other = scratchInstance()
    const { port } = new URL((await other.status()).http?.url ?? '')
    writeFileSync(join(instance.home, 'config.yaml'), `httpPort: ${port}\n`)
    expect((await init('--http', '--client', 'gemini')).note).toContain(`port ${port} was taken`)
  })

  test('without HTTP there is no address, and that is reported', async () => {
    writeFileSync(join(instance.home, 'config.yaml'), 'httpPort: null\n')
    const { code, stderr } = await instance.cli('init', '--http', '--client', 'gemini', '--yes')
    assert.equal(code, 2)
    expect(stderr).toContain('HTTP is off')
    assert.ok(!existsSync(at('.gemini')))
  })
})

describe('doors', () => {
  test('terminal-agent is registered as Copilot’s users had it, plus the token, and serves them', async () => {
    await init('--http', '--toolset', 'terminal-agent', '--client', 'copilot', '--yes')
    const { url, headers } = await address('?toolset=terminal-agent')
    const entry = { type: 'http', url, headers, tools: ['*'] }
    expect(JSON.parse(read('.copilot/mcp-config.json'))).toEqual({ mcpServers: { 'terminal-agent': entry } })
    const { protocol } = await instance.http('old', new URL(url).search)
    expect((await protocol.listTools()).tools.map(({ name }) => name)).toContain('graph_create_agent')
  })

  test('a single door has its own name, several together have ours', async () => {
    await init('--toolset', 'termtile', '--client', 'cursor', '--yes')
    await init('--toolset', 'terminal,termtile', '--client', 'cursor', '--yes')
    const { termtile, agentpty } = JSON.parse(read('.cursor/mcp.json')).mcpServers
    expect(termtile.args.slice(1)).toEqual(['mcp', '--toolset', 'termtile'])
    expect(agentpty.args.slice(1)).toEqual(['mcp', '--toolset', 'terminal,termtile'])
    expect((await instance.cli('init', '--toolset', 'nothing')).code).toBe(2)
  })

  test('next to our own tools it is added and removed alone, and in the end the file is unchanged', async () => {
    const before = '{\n\t"mcpServers": {\n\t\t"other": {"command":"x"}\n\t}\n}\n'
    write('.cursor/mcp.json', before)
    await init('--client', 'cursor', '--yes')
    await init('--toolset', 'tty-use', '--client', 'cursor', '--yes')
    const names = () => Object.keys(JSON.parse(read('.cursor/mcp.json')).mcpServers)
    expect(names().toSorted()).toEqual(['agentpty', 'other', 'tty-use'])
    const undone = await init('--undo', '--toolset', 'tty-use', '--yes')
    expect(undone.clients).toMatchObject([{ kind: 'remove', detail: 'the entry alone: agentpty stays' }])
    expect(names().toSorted()).toEqual(['agentpty', 'other'])
    expect((await init('--undo', '--toolset', 'tty-use', '--yes')).clients).toEqual([])
    expect((await init('--undo', '--yes')).kinds).toEqual(['restore'])
    assert.equal(read('.cursor/mcp.json'), before)
  })

  test('in a file changed in between, all our entries are removed, and the previous entry of that name is restored', async () => {
    const original = { command: 'npx', args: ['@mariozechner/terminalcp', '--mcp'] }
    write('.cursor/mcp.json', JSON.stringify({ mcpServers: { terminalcp: original } }))
    await init('--client', 'cursor', '--yes')
    writeFileSync(at('.cursor/mcp.json'), read('.cursor/mcp.json').replace('{', '{"mine":1,'))
    expect((await init('--toolset', 'terminalcp', '--client', 'cursor', '--yes')).kinds).toEqual(['update'])
    writeFileSync(at('.cursor/mcp.json'), read('.cursor/mcp.json').replace('{', '{"yours":2,'))
    expect((await init('--undo', '--yes')).kinds).toEqual(['remove'])
    expect(JSON.parse(read('.cursor/mcp.json'))).toEqual({ yours: 2, mine: 1, mcpServers: { terminalcp: original } })
  })
})
