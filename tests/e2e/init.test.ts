/** Registering with clients: the preview, the changes, and the undo. */

import assert from 'node:assert/strict'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Instance } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

let instance: Instance

beforeEach(() => {
  instance = scratchInstance({ PATH: '/usr/bin:/bin' })
})

const at = (path: string) => join(instance.user, path)
const read = (path: string) => readFileSync(at(path), 'utf8')

function write(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text, { mode: 0o640 })
}

interface Report {
  readonly changed: boolean
  readonly clients: readonly { readonly client: string; readonly kind: string; readonly detail: string }[]
}

async function init(
  ...args: readonly string[]
): Promise<{ code: number; kinds: Record<string, string>; report: Report }> {
  const { code, stdout } = await instance.cli('init', '--json', ...args)
  const report: Report = JSON.parse(stdout)
  return { code, report, kinds: Object.fromEntries(report.clients.map(({ client, kind }) => [client, kind])) }
}

/** Files as people have written them, in each client's format. */
const files: readonly (readonly [string, string, string])[] = [
  ['claude', '.claude.json', '{"numStartups":3,"mcpServers":{"other":{"command":"x"}},"projects":{}}'],
  [
    'codex',
    '.codex/config.toml',
    '# mine\nmodel = "gpt-5.5"\n\n[mcp_servers.other] # keep\ncommand = "x"\n\n[tui]\ntheme = "dark"\n',
  ],
  ['gemini', '.gemini/settings.json', '{\n\t"security": {\n\t\t"auth": {}\n\t}\n}\n'],
  ['copilot', '.copilot/mcp-config.json', '{\r\n  "mcpServers": {\r\n  }\r\n}\r\n'],
  ['opencode', '.config/opencode/opencode.json', '{\n  // my model\n  "model": "fake/fake", /* and */\n}\n'],
  ['cursor', '.cursor/mcp.json', ''],
  ['vscode', '.config/Code/User/mcp.json', '{ "servers": {}, "inputs": [] }'],
  ['zed', '.config/zed/settings.json', '// Zed settings\n{\n    "theme": "One",\n}'],
  [
    'goose',
    '.config/goose/config.yaml',
    '# providers\nGOOSE_MODEL: x\nextensions:\n  developer: # builtin\n    enabled: true\n',
  ],
]

describe('files written by people', () => {
  test.each(files)(
    '%s is registered, keeps the rest of %s, and is as before after an undo',
    async (client, path, text) => {
      write(path, text)
      expect((await init('--client', client)).kinds).toEqual({ [client]: 'add' })
      assert.equal(read(path), text)
      expect((await init('--client', client, '--yes')).kinds).toEqual({ [client]: 'add' })
      const registered = read(path)
      for (const [fragment] of text.matchAll(/(#|\/\/) ?\w+|\/\*.*\*\/|"?(other|model|theme|numStartups)"?/g))
        assert.ok(registered.includes(fragment), `${fragment} in ${registered}`)
      assert.match(registered, /agentpty\.js"?,?\s*"?/)
      assert.equal(statSync(at(path)).mode & 0o777, 0o640)
      expect((await init('--client', client, '--yes')).kinds).toEqual({ [client]: 'same' })
      assert.equal(read(path), registered)
      expect((await init('--undo', '--yes')).kinds).toEqual({ [client]: 'restore' })
      assert.equal(read(path), text)
    },
  )

  test.each([
    ['opencode.jsonc', ['opencode.jsonc']],
    ['opencode.json', ['opencode.json']],
    ['config.json', ['config.json']],
    ['opencode.jsonc', ['opencode.jsonc', 'opencode.json']],
    ['opencode.json', []],
  ])('opencode is registered in %s if there is %j, and in no other file', async (name, there) => {
    const folder = '.config/opencode'
    mkdirSync(at(folder), { recursive: true })
    for (const one of there) write(`${folder}/${one}`, '{\n  // mine\n  "model": "fake/fake",\n}\n')
    expect((await init('--client', 'opencode', '--yes')).kinds).toEqual({ opencode: 'add' })
    assert.match(read(`${folder}/${name}`), /agentpty/)
    expect(readdirSync(at(folder)).sort()).toEqual([...new Set([...there, name])].sort())
    for (const one of there.filter((other) => other !== name)) assert.doesNotMatch(read(`${folder}/${one}`), /agentpty/)
  })

  test.each(files)('an undo of %s removes only its entry if %s was changed since', async (client, path, text) => {
    write(path, text)
    await init('--client', client, '--yes')
    writeFileSync(at(path), `${read(path)}\n`)
    expect((await init('--undo', '--yes')).kinds).toEqual({ [client]: 'remove' })
    assert.doesNotMatch(read(path), /agentpty/)
  })

  test.each([
    ['claude', '.claude.json', '{"mcpServers": {'],
    ['codex', '.codex/config.toml', 'model = \n'],
    ['codex', '.codex/config.toml', 'mcp_servers = { agentpty = { command = "old" } }\n'],
    ['gemini', '.gemini/settings.json', '[1, 2]'],
    ['goose', '.config/goose/config.yaml', 'a: [1\nb: }'],
  ])('unreadable or unsupported files are left alone: %s, %s, %s', async (client, path, text) => {
    write(path, text)
    const { code, report } = await init('--client', client, '--yes')
    assert.equal(code, 1)
    expect(report.clients).toMatchObject([
      { kind: 'problem', detail: expect.stringMatching(/left alone|without the rest/) },
    ])
    assert.equal(read(path), text)
  })
})

test('clients are found by their folders, and missing files are not created', async () => {
  write('.gemini/settings.json', '{}')
  mkdirSync(at('.codex'))
  expect((await init('--yes')).kinds).toEqual({ codex: 'add', gemini: 'add' })
  assert.match(read('.codex/config.toml'), /^\[mcp_servers\.agentpty\]\ncommand = /)
  assert.ok(!existsSync(at('.cursor')))
  await init('--undo', '--yes')
  assert.ok(!existsSync(at('.codex/config.toml')))
})

test('a link to a file stays a link', async () => {
  write('dotfiles/claude.json', '{}\n')
  symlinkSync(at('dotfiles/claude.json'), at('.claude.json'))
  await init('--client', 'claude', '--yes')
  assert.ok(lstatSync(at('.claude.json')).isSymbolicLink())
  assert.match(read('dotfiles/claude.json'), /agentpty/)
})

test('an outdated entry is updated, and undone to the original state', async () => {
  const before = '{"mcpServers":{"agentpty":{"command":"old"}}}'
  write('.claude.json', before)
  expect((await init('--client', 'claude', '--yes')).kinds).toEqual({ claude: 'update' })
  expect(JSON.parse(read('.claude.json')).mcpServers.agentpty.args).toContain('mcp')
  await init('--undo', '--yes')
  assert.equal(read('.claude.json'), before)
})

test('the registered command serves MCP', async () => {
  await init('--client', 'claude', '--yes')
  const { command, args } = JSON.parse(read('.claude.json')).mcpServers.agentpty
  assert.equal(command, process.execPath)
  const { protocol } = await instance.mcp('old', args[0])
  const { tools } = await protocol.listTools()
  expect(tools.map(({ name }) => name)).toContain('terminal_send')
})

test('an unreadable record is named, and nothing is changed without it', async () => {
  write('.gemini/settings.json', '{}')
  writeFileSync(join(instance.home, 'registrations.json'), '{broken')
  for (const args of [['--yes'], ['--undo', '--yes']]) {
    const { code, stderr } = await instance.cli('init', ...args)
    assert.equal(code, 2)
    expect(stderr).toContain('registrations.json cannot be read')
    expect(stderr).toContain('move it away')
  }
  assert.equal(read('.gemini/settings.json'), '{}')
  rmSync(join(instance.home, 'registrations.json'))
  await init('--yes')
  rmSync(join(instance.home, 'registrations.json'))
  expect((await init('--undo', '--client', 'gemini', '--yes')).kinds).toEqual({ gemini: 'remove' })
  assert.doesNotMatch(read('.gemini/settings.json'), /agentpty/)
})

test('if no client is found, the possible ones are listed', async () => {
  const { stdout } = await instance.cli('init')
  expect(stdout).toMatch(/^No client was found here\. Name one with --client: claude, codex, .*\.\n$/)
})

test('people see the changes, and how to make them', async () => {
  write('.gemini/settings.json', '{}')
  const { stdout, code } = await instance.cli('init')
  assert.equal(code, 0)
  expect(stdout).toContain('Gemini CLI: would add')
  expect(stdout).toContain('add --yes to do it')
  expect((await instance.cli('init', '--client', 'emacs')).stderr).toContain('Choose from: claude, codex')
})
