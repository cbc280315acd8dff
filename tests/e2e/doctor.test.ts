/** The doctor's report on real programs: each client's connection is tried, and each problem has its next step. */

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import type { Finding } from '@agentpty/protocol/setup'
import { beforeEach, describe, expect, test } from 'vitest'
import { Instance, program, run } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

let instance: Instance

beforeEach(() => {
  instance = scratchInstance({ PATH: `${dirname(process.execPath)}:/usr/bin:/bin` })
})

/** A port that is assigned only on request by number; a recently free one may be taken by now. */
const unusedPort = '2'

const at = (path: string) => join(instance.user, path)
const cursor = '.cursor/mcp.json'

function write(path: string, content: string | object, mode = 0o600): void {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), typeof content === 'string' ? content : JSON.stringify(content), { mode })
}

const register = (entry: object, name = 'agentpty') => write(cursor, { mcpServers: { [name]: entry } })

async function doctor(...args: readonly string[]) {
  const { code, stdout, stderr } = await instance.cli('doctor', '--json', ...args)
  assert.equal(stderr, '')
  const findings: readonly Finding[] = JSON.parse(stdout).findings
  return { code, of: (name: string) => findings.filter((finding) => finding.name === name), findings }
}

describe('a healthy machine', () => {
  test('has no problem: every registered client is connected', async () => {
    await instance.cli('init', '--client', 'claude', '--client', 'opencode', '--client', 'goose', '--yes')
    await instance.cli('init', '--http', '--client', 'codex', '--client', 'gemini', '--yes')
    await instance.cli('init', '--http', '--toolset', 'terminal-agent', '--client', 'copilot', '--yes')
    const { code, of, findings } = await doctor()
    expect(findings.filter(({ mark }) => mark === 'wrong')).toEqual([])
    assert.equal(code, 0)
    for (const title of ['Claude Code', 'opencode', 'Goose'])
      expect(of(title)).toMatchObject([
        { mark: 'ok', found: expect.stringMatching(/^connected over stdio: 11 tools, \d+ ms$/) },
      ])
    for (const title of ['Codex', 'Gemini CLI'])
      expect(of(title)).toMatchObject([
        { mark: 'ok', found: expect.stringMatching(/^connected over HTTP: 11 tools, \d+ ms$/) },
      ])
    expect(of('Copilot CLI')).toMatchObject([
      { mark: 'ok', found: expect.stringMatching(/^terminal-agent: connected over HTTP: \d+ tools/) },
    ])
    expect(JSON.stringify(findings)).not.toContain(await instance.token())
  })

  test('includes what Claude Code knows for this folder only, which takes precedence', async () => {
    await instance.cli('init', '--client', 'claude', '--yes')
    const settings = JSON.parse(readFileSync(at('.claude.json'), 'utf8'))
    const projects = { [process.cwd()]: { mcpServers: { agentpty: { command: 'agentpty-gone', args: ['mcp'] } } } }
    writeFileSync(at('.claude.json'), JSON.stringify({ ...settings, projects }))
    const { code, of } = await doctor()
    expect(of('Claude Code')).toMatchObject([{ mark: 'wrong', found: 'command not found: agentpty-gone' }])
    assert.equal(code, 1)
  })

  test('is printed for people one line each, below a heading, with the marks in one column', async () => {
    await instance.cli('init', '--client', 'claude', '--yes')
    mkdirSync(at('.gemini'))
    const { code, stdout } = await instance.cli('doctor')
    assert.equal(code, 0)
    expect(stdout).toMatch(/^This machine\n {2}ok {5}node {12}v\d/)
    expect(stdout).toMatch(/\n\nThe daemon\n {2}ok {5}daemon {10}started, pid \d+/)
    expect(stdout).toMatch(/\n\nClients\n {2}ok {5}Claude Code {5}connected over stdio/)
    expect(stdout).toContain('  -      Gemini CLI      not registered\n')
    expect(stdout).toContain(`${' '.repeat(25)}→ agentpty init --client gemini --yes\n`)
    expect(stdout).toMatch(/\n\nNothing is wrong\..*\n$/)
  })
})

describe('a registered command', () => {
  test.each<[string, object, RegExp, RegExp]>([
    ['is missing', { command: 'agentpty-gone', args: ['mcp'] }, /^command not found: agentpty-gone$/, /^agentpty init/],
    [
      'belongs to a moved installation',
      { command: 'node', args: ['/old/agentpty.js', 'mcp', '--toolset', 'tty-use'] },
      /^it names \/old\/agentpty\.js, which is not there$/,
      /^agentpty init --toolset tty-use --client cursor --yes$/,
    ],
    [
      'ends with a reason',
      { command: 'sh', args: ['-c', 'echo starting >&2; echo "no such database" >&2; exit 3'] },
      /^ends with 3: no such database$/,
      /^Try it: sh -c/,
    ],
    [
      'throws',
      { command: 'node', args: ['-e', 'throw new Error(process.env.REASON)'], env: { REASON: 'no luck' } },
      /^ends with 1: Error: no luck$/,
      /^Try it: node/,
    ],
    ['never answers', { command: 'cat' }, /^does not answer within \d+ ms$/, /^Try it: cat/],
    [
      'never answers and ignores requests to end',
      { command: 'sh', args: ['-c', 'trap "" TERM; echo waiting for a key >&2; sleep 1000 & while :; do wait; done'] },
      /^does not answer within \d+ ms: waiting for a key$/,
      /^Try it: sh/,
    ],
    ['speaks something else', { command: 'yes', args: ['hello'] }, /^writes what is not MCP$/, /^Try it: yes/],
    [
      'is not a command',
      { command: 7 },
      /names neither a command nor an address$/,
      /^agentpty init --client cursor --yes$/,
    ],
  ])('that %s is a problem, and the next step is named', async (_what, entry, found, advice) => {
    register(entry)
    const isSilent = found.source.startsWith('^does not answer')
    const { code, of } = await doctor(...(isSilent ? ['--timeout', '2000'] : []))
    expect(of('Cursor')).toMatchObject([
      { mark: 'wrong', found: expect.stringMatching(found), advice: expect.stringMatching(advice) },
    ])
    assert.equal(code, 1)
  })

  test('of another installation works, and is named', async () => {
    write('other/agentpty.js', `import(${JSON.stringify(program)})`)
    register({ command: 'node', args: [at('other/agentpty.js'), 'mcp'] }, 'my-terminal')
    const { code, of } = await doctor()
    const found = 'my-terminal: connected over stdio: 11 tools, '
    expect(of('Cursor')).toMatchObject([{ mark: 'warn', found: expect.stringContaining(found) }])
    expect(of('Cursor')[0]?.found).toContain(at('other/agentpty.js'))
    assert.equal(code, 0)
  })

  test('that is disabled is named and not tried', async () => {
    register({ command: 'agentpty-gone', disabled: true })
    expect((await doctor()).of('Cursor')).toMatchObject([{ mark: 'warn', found: `turned off in ${at(cursor)}` }])
  })
})

describe('a registered address', () => {
  const again = 'agentpty init --http --client cursor --yes'
  const url = async () => `${(await instance.status()).http?.url}/mcp`

  test.each<[string, () => Promise<object>, RegExp]>([
    [
      'with a wrong token',
      async () => ({ url: await url(), headers: { Authorization: 'Bearer wrong' } }),
      /^the token is refused \(HTTP 401\)$/,
    ],
    ['without a token', async () => ({ url: await url() }), /^it sends no token \(HTTP 401\)$/],
    ['without a server', async () => ({ url: `http://127.0.0.1:${unusedPort}/mcp` }), /^no process listens at http/],
    ['that leads nowhere', async () => ({ url: `${new URL(await url()).origin}/elsewhere` }), /answers with HTTP 404$/],
  ])('%s is a problem, and registering it again is the next step', async (_what, entry, found) => {
    register(await entry())
    const { code, of } = await doctor()
    expect(of('Cursor')).toMatchObject([{ mark: 'wrong', found: expect.stringMatching(found), advice: again }])
    assert.equal(code, 1)
  })

  test('without the token, as terminal-agent had it, is answered with how to get one', async () => {
    register({ type: 'http', url: await url(), tools: ['*'] }, 'terminal-agent')
    expect((await doctor()).of('Cursor')).toMatchObject([
      { mark: 'wrong', advice: 'agentpty init --http --toolset terminal-agent --client cursor --yes' },
    ])
  })

  test.each<[string, (respond: (text: string) => void) => void, RegExp, readonly string[]]>([
    ['answers nothing', () => undefined, /does not answer within 1000 ms$/, ['--timeout', '1000']],
    ['is not an MCP server', (respond) => respond('<html>'), /is no MCP server$/, []],
  ])('of a server that %s is a problem', async (_what, answer, found, args) => {
    const server = createServer((_request, response) => answer((text) => void response.end(text)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    register({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` })
    expect((await doctor(...args)).of('Cursor')).toMatchObject([{ mark: 'wrong', found: expect.stringMatching(found) }])
    server.closeAllConnections()
    server.close()
  })

  test('whose token other users can read works, and is named', async () => {
    await instance.cli('init', '--http', '--client', 'cursor', '--yes')
    chmodSync(at(cursor), 0o644)
    expect((await doctor()).of('Cursor')).toMatchObject([{ mark: 'warn', advice: `chmod 600 ${at(cursor)}` }])
  })
})

test('an unreadable file is named with its path, and left unchanged', async () => {
  write(cursor, '{"mcpServers": {')
  const { code, of } = await doctor()
  expect(of('Cursor')).toMatchObject([{ mark: 'wrong', found: expect.stringMatching(/cannot be read \(line 1: /) }])
  assert.deepEqual([code, readFileSync(at(cursor), 'utf8')], [1, '{"mcpServers": {'])
})

describe('around the daemon', () => {
  test('a file open to other users is a problem', async () => {
    await instance.token()
    chmodSync(instance.paths.token, 0o644)
    const { of, code } = await doctor()
    expect(of('token')).toMatchObject([{ mark: 'wrong', advice: expect.stringContaining('chmod 600') }])
    assert.equal(code, 1)
  })

  test('a daemon that does not answer is named, without waiting longer', async () => {
    const { daemon } = await instance.status()
    register({ command: process.execPath, args: [program, 'mcp'] })
    process.kill(daemon.pid, 'SIGSTOP')
    const { of, code } = await doctor('--timeout', '1000')
    process.kill(daemon.pid, 'SIGCONT')
    expect(of('daemon')).toMatchObject([
      {
        mark: 'wrong',
        found: expect.stringContaining('is stopped'),
        advice: expect.stringContaining(`kill -CONT ${daemon.pid}`),
      },
    ])
    expect(of('Cursor')).toMatchObject([{ mark: 'wrong', found: expect.stringContaining('does not answer') }])
    assert.equal(code, 1)
  })

  test('another port than the configured one, and files that lead elsewhere, are named', async () => {
    const other = new Instance({ HOME: instance.user, AGENTPTY_PORT_FILE: 'true' })
    const { port } = new URL((await other.status()).http?.url ?? '')
    writeFileSync(join(instance.home, 'config.yaml'), `httpPort: ${port}\nportFile: true\n`)
    const first = await doctor()
    expect(first.of('http')).toMatchObject([{ mark: 'warn', found: expect.stringContaining(`port ${port} was taken`) }])
    expect(first.of('port files')).toMatchObject([
      { mark: 'warn', found: expect.stringContaining(`leads to another server, on port ${port}`) },
    ])
    assert.deepEqual([first.code, await other.stop()], [0, []])
    writeFileSync(at('.terminal-agent-port'), unusedPort)
    expect((await doctor()).of('port files')).toMatchObject([
      { mark: 'warn', found: expect.stringContaining('where no server answers') },
    ])
  })

  test('the port, the page and containers are named', async () => {
    const { of } = await doctor()
    const { url = '' } = (await instance.status()).http ?? {}
    expect(of('http')).toMatchObject([{ found: expect.stringContaining(url) }])
    expect(of('page')).toMatchObject([{ mark: 'ok', found: expect.stringContaining(`${url}/ is served`) }])
    expect(of('containers')).toMatchObject([{ found: expect.stringMatching(/./) }])
  })

  test('a missing shell is a problem if configured, and named if it is only $SHELL', async () => {
    const lost = scratchInstance({ SHELL: '/bin/gone' })
    const findings = async () => JSON.parse((await lost.cli('doctor', '--json')).stdout).findings as readonly Finding[]
    const shell = async () => (await findings()).find(({ name }) => name === 'shell')
    expect(await shell()).toMatchObject({ mark: 'warn', found: expect.stringContaining('$SHELL is /bin/gone') })
    writeFileSync(join(lost.home, 'config.yaml'), 'shell: /bin/missing\n')
    expect(await shell()).toMatchObject({ mark: 'wrong', found: '/bin/missing is not there' })
  })
})

test('an entry that leads its client to another daemon is a problem, and init repairs it', async () => {
  write('.codex/config.toml', `[mcp_servers.agentpty]\ncommand = "${process.execPath}"\nargs = ["${program}", "mcp"]\n`)
  const { AGENTPTY_HOME: _, ...bare } = instance.env
  try {
    const { code, of } = await doctor()
    const { daemon } = await instance.status()
    expect(of('Codex')).toMatchObject([
      {
        mark: 'wrong',
        found: expect.stringContaining(
          `Codex would reach another daemon (state folder ${at('.local/state/agentpty')}, pid `,
        ),
        advice: 'agentpty init --client codex --yes',
      },
    ])
    expect(of('Codex')[0]?.found).toContain(`this one has ${instance.home}, pid ${daemon.pid}`)
    assert.equal(code, 1)
    await instance.cli('init', '--client', 'codex', '--yes')
    expect(readFileSync(at('.codex/config.toml'), 'utf8')).toContain(`AGENTPTY_HOME = "${instance.home}"`)
    expect((await doctor()).of('Codex')).toMatchObject([{ mark: 'ok' }])
  } finally {
    await run(process.execPath, [program, 'stop', '--all'], bare)
  }
})

test('a second daemon on the same state folder is a problem', async () => {
  await instance.status()
  const script = at('agentpty.js')
  writeFileSync(script, "console.log('runs'); setInterval(() => {}, 1 << 30)")
  const second = spawn(process.execPath, [script, 'daemon'], {
    env: { ...instance.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await once(second.stdout, 'data')
    expect((await doctor()).of('other daemons')).toMatchObject([
      {
        mark: 'wrong',
        found: `pid ${second.pid} uses ${instance.home}, too`,
        advice: expect.stringContaining(`kill ${second.pid};`),
      },
    ])
  } finally {
    second.kill()
    await once(second, 'exit')
  }
  expect((await doctor()).of('other daemons')).toMatchObject([{ mark: 'ok' }])
})
