/** Which terminals get sandboxes: on request, by configuration, and by a repository. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openEngine, openTerminals } from 'agentpty'
import { beforeAll, describe, expect, test } from 'vitest'
import { behindWalls } from '../harness/behind-walls.ts'
import { program, run } from '../harness/instance.ts'
import { scratchFolder } from '../harness/scratch.ts'

const userId = process.getuid?.() ?? 0

describe('without configuration', () => {
  const walls = behindWalls(userId)

  /** /tmp inside is a separate one. */
  const writes = (path: string) => `mkdir -p ${dirname(path)}; touch ${path}`

  test('a terminal has a sandbox on request, and the list shows which', async () => {
    const { terminalId, sandbox } = await walls.run({ command: ['true'], sandbox: { network: 'on' } })
    expect(sandbox).toEqual({ network: 'on', writable: [walls.workspace] })
    const { terminalId: without } = await walls.run({ command: ['true'] })
    const { terminals } = await walls.client.call('list', {})
    const find = (id: string) => terminals.find((one) => one.terminalId === id)
    expect(find(terminalId)?.sandbox).toEqual(sandbox)
    expect(find(without)).not.toHaveProperty('sandbox')
  })

  test('an agent has one when started with it', async () => {
    const spawned = await walls.client.call('spawn', { command: 'cat', cwd: walls.workspace, sandbox: true })
    const { terminals } = await walls.client.call('list', {})
    const found = terminals.find(({ terminalId }) => terminalId === spawned.terminal?.terminalId)
    expect(found?.sandbox?.network).toBe('off')
    await walls.client.call('close', { terminalId: found?.terminalId })
  })

  test('the command line has flags for them', async () => {
    const path = walls.outside('by-flag')
    await walls.instance.cli('run', '--cwd', walls.workspace, '--sandbox', writes(path))
    expect(existsSync(path)).toBe(false)
    const { stdout } = await walls.instance.cli(
      'new',
      '--cwd',
      walls.workspace,
      '--network',
      'a.example,b.example',
      '--',
      'cat',
    )
    const listed = JSON.parse((await walls.instance.cli('ls', '--json')).stdout)
    const found = listed.terminals.find((one: { terminalId: string }) => one.terminalId === stdout.trim())
    expect(found.sandbox.network).toEqual(['a.example', 'b.example'])
    const named = ['--writable', dirname(path), writes(path)]
    await walls.instance.cli('run', '--cwd', walls.workspace, ...named)
    expect(existsSync(path)).toBe(true)
  })

  test('the library has an option, for all of its terminals and for each', async () => {
    await using all = await openTerminals({ sandbox: true })
    const outside = walls.outside('by-library')
    const command = `touch ${outside}`
    await (await all.open({ command, cwd: walls.workspace, waitFor: 'exit' })).close()
    await using none = await openTerminals()
    await (await none.open({ command, cwd: walls.workspace, waitFor: 'exit', sandbox: true })).close()
    expect(existsSync(outside)).toBe(false)
    await (await none.open({ command, cwd: walls.workspace, waitFor: 'exit' })).close()
    expect(existsSync(outside)).toBe(true)
  })

  test('a program in a sandboxed terminal gets no other sandbox, whatever it requests', async () => {
    const engine = await openEngine()
    const call: typeof engine.client.call = (...args) => engine.client.call(...args)
    const cwd = walls.workspace
    const { terminalId } = await call('create', { command: ['cat'], cwd, sandbox: true })
    const asProgramInside = { env: { ...walls.instance.env, AGENTPTY_TERMINAL: terminalId } }
    const opened = await call('create', { command: ['cat'], cwd }, asProgramInside)
    const { terminals } = await call('list', {})
    const found = terminals.find((one) => one.terminalId === opened.terminalId)
    expect(found?.sandbox).toMatchObject({ network: 'off', writable: [walls.workspace] })
    const looser = call('create', { command: ['cat'], cwd, sandbox: { network: 'on' } }, asProgramInside)
    await expect(looser).rejects.toMatchObject({ code: 'denied' })
    await engine.close()
  })

  test('a missing path is refused, because its absence would go unnoticed', async () => {
    const sandbox = { hidden: [walls.outside('not-there')] }
    await expect(walls.run({ command: ['true'], sandbox })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('not-there'),
    })
  })

  test('starting the wall’s own program is refused', async () => {
    const command = ['agentpty-wall', '--', 'sh', '--', 'sh']
    await expect(walls.run({ command })).rejects.toMatchObject({ code: 'invalid_input' })
  })

  test('in a home nothing is a workspace, so nothing of it is writable', async () => {
    const { output } = await walls.run({
      command: 'touch x || ls -a | grep -c bashrc',
      cwd: walls.instance.user,
      sandbox: true,
    })
    expect(output).toMatch(/Read-only file system\n1$/)
  })

  test('a repository’s own file adds sandboxes, and removes none', async () => {
    const folder = walls.outside('tight')
    walls.write(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n')
    walls.write(join(folder, '.agentpty/policy.yaml'), 'sandbox:\n  network: off\n  writable: [/]\n')
    const path = walls.outside('by-repository')
    await walls.run({ command: writes(path), cwd: folder })
    expect(existsSync(path)).toBe(false)
    await expect(walls.run({ command: ['true'], cwd: folder, sandbox: false })).rejects.toMatchObject({
      code: 'denied',
      message: expect.stringContaining('sandbox'),
    })
    const { stdout } = await run(process.execPath, [program, 'policy', 'files'], walls.instance.env, { cwd: folder })
    expect(stdout).toContain('sandbox.writable does not count here')
  })
})

describe('with a configured sandbox', () => {
  const walls = behindWalls(userId)
  beforeAll(async () => {
    const settings = 'policy:\n  sandbox:\n    network: [example.com]\n    hidden: [file]\n'
    walls.write(join(walls.instance.home, 'config.yaml'), settings)
  })

  test('every terminal has one: opened, run in, started as an agent, through any interface', async () => {
    const cwd = walls.workspace
    const mcp = await walls.instance.mcp()
    const { terminalId } = await mcp.call('create', { command: ['cat'], cwd })
    const ran = await mcp.call('run', { command: 'cat file; touch ~/x', cwd })
    expect(ran.output).toContain('Read-only')
    expect(ran.output).not.toContain('ours')
    const http = await walls.instance.http()
    const byHttp = await http.call('create', { command: ['cat'], cwd })
    const spawned = await walls.client.call('spawn', { command: 'cat', cwd })
    const { terminals } = await walls.client.call('list', {})
    const ids = [terminalId, ran.terminalId, byHttp.terminalId, spawned.terminal?.terminalId]
    expect(ids.map((id) => terminals.find((one) => one.terminalId === id)?.sandbox?.network)).toEqual(
      ids.map(() => ['example.com']),
    )
  })

  test.each([
    ['without them', false],
    ['with the whole network', { network: 'on' as const }],
    ['with another host', { network: ['evil.example'] }],
    ['with a place to write', { writable: ['~/.bashrc'] }],
    ['with more processes', { limits: { processes: 100_000 } }],
  ])('a request for a terminal %s is refused with the next step', async (_how, sandbox) => {
    const asked = walls.run({ command: ['true'], sandbox })
    await expect(asked).rejects.toMatchObject({ code: 'denied', hint: expect.stringMatching(/Leave it out/) })
  })

  test('a request for a stricter one is granted', async () => {
    const { terminalId } = await walls.run({ command: ['true'], sandbox: { network: 'off' } })
    const { terminals } = await walls.client.call('list', {})
    expect(terminals.find((one) => one.terminalId === terminalId)?.sandbox?.network).toBe('off')
  })

  test('a change of the file applies from the next terminal on', async () => {
    const file = join(walls.instance.home, 'config.yaml')
    const before = readFileSync(file, 'utf8')
    walls.write(file, 'policy: {}\n')
    let output = ''
    while (output !== 'ours') output = (await walls.run({ command: ['cat', 'file'] })).output
    walls.write(file, before)
  })
})

describe('on a machine that cannot create them', () => {
  /** The error of a program that requests a sandbox, with another program in place of bubblewrap, visible to it only. */
  async function toldWith(
    bubblewrap: string,
  ): Promise<{ readonly code: string; readonly message: string; readonly hint: string }> {
    const script = `
      import { openEngine, openTerminals } from ${JSON.stringify(join(process.cwd(), 'packages/agentpty/dist/index.js'))}
      const terminals = await openTerminals()
      await terminals.open({ command: 'echo it has run', waitFor: 'exit', sandbox: true }).catch((error) => {
        console.log(JSON.stringify({ code: error.code, message: error.message, hint: error.hint }))
      })
      await terminals.close()`
    const folder = scratchFolder()
    const path = join(folder, 'bwrap')
    writeFileSync(path, bubblewrap, { mode: bubblewrap === '' ? 0o644 : 0o755 })
    writeFileSync(join(folder, 'script.mjs'), script)
    const inside = `mount --bind ${path} /usr/bin/bwrap && exec ${process.execPath} ${join(folder, 'script.mjs')}`
    const namespace = process.getuid?.() === 0 ? '-m' : '-Urm'
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder, SHELL: '/bin/bash' }
    const { stdout, stderr } = await run('unshare', [namespace, 'sh', '-c', inside], env)
    expect(stderr).toBe('')
    return JSON.parse(stdout)
  }

  test('without bubblewrap, the error names how to install it', async () => {
    expect(await toldWith('')).toEqual({
      code: 'sandbox_unavailable',
      message: 'No sandbox can be put up: bubblewrap (bwrap) is not installed.',
      hint: expect.stringContaining('apt install bubblewrap'),
    })
  })

  test('if the system forbids namespaces, the error says so and names the fix', async () => {
    const complaint = 'bwrap: No permissions to create new namespace'
    const failure = await toldWith(`#!/bin/sh\necho "${complaint}" >&2\nexit 1\n`)
    expect(failure).toMatchObject({ code: 'sandbox_unavailable', hint: expect.stringContaining(complaint) })
    expect(failure.hint).toMatch(/sysctl|container/)
  })

  test('an outdated bubblewrap is named', async () => {
    const failure = await toldWith('#!/bin/sh\necho "bwrap: Unknown option --size" >&2\nexit 1\n')
    expect(failure.hint).toContain('0.8 or newer')
  })
})
