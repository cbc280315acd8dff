/** Opening terminals: results, errors, and the environment of the program. */

import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { isAlive } from '../harness/instance.ts'
import { errorOf, type Suite, sharedFolder } from './suite.ts'

/** A file longer than a screen. */
const thisFile = fileURLToPath(import.meta.url)

export function creating({ call, home, shell }: Suite): void {
  test('a new terminal has an id, a pid, a size and a folder, and is a shell at its prompt', async () => {
    const cwd = realpathSync(sharedFolder())
    const made = await shell({ name: 'build', cwd, cols: 100, rows: 40 })
    expect(made).toMatchObject({ name: 'build', cwd, cols: 100, rows: 40, state: 'ready', kind: 'shell' })
    expect(made.terminalId).toMatch(/^term-\d+$/)
    expect(isAlive(made.pid)).toBe(true)
    expect(made.output.trimEnd()).toMatch(/\$$/)
  })

  test('a command given as an array runs directly, one given as a string is run by the shell', async () => {
    const direct = await call('create', { command: ['printf', '%s', '$HOME*'], waitFor: 'exit' })
    expect(direct).toMatchObject({ output: '$HOME*', state: 'exited', exitCode: 0 })
    const byShell = await call('create', { command: 'echo $((6 * 7)); exit 3', waitFor: 'exit' })
    expect(byShell).toMatchObject({ output: '42', state: 'exited', exitCode: 3 })
  })

  test('a terminal can be named by its name', async () => {
    await shell({ name: 'by-name' })
    expect(await call('send', { terminalId: 'by-name', text: 'echo hello' })).toMatchObject({ output: 'hello\n$' })
  })

  test('a taken name is refused with the next step, and free again after its terminal is closed', async () => {
    const first = await shell({ name: 'only' })
    const error = await errorOf(shell({ name: 'only' }))
    expect(error.code).toBe('name_taken')
    expect(error.message).toContain('"only"')
    expect(error.hint).toMatch(/close|another name/)
    await call('close', { terminalId: first.terminalId })
    expect(await shell({ name: 'only' })).toMatchObject({ state: 'ready' })
  })

  test('two terminals created at the same time with one name result in one', async () => {
    const both = await Promise.allSettled([shell({ name: 'same' }), shell({ name: 'same' })])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('an unknown terminal is an error that names the open ones', async () => {
    const { terminalId } = await shell({ name: 'web' })
    const error = await errorOf(call('read', { terminalId: 'wbe' }))
    expect(error.code).toBe('session_not_found')
    expect(error.message).toContain('"wbe"')
    expect(error.hint).toContain(terminalId)
    expect(error.hint).toContain('web')
  })

  test('without open terminals, the error explains how to open one', async () => {
    expect((await errorOf(call('read', { terminalId: 'none' }))).hint).toContain('terminal_create')
  })

  test('invalid input is an error that names the field and gives an example', async () => {
    const error = await errorOf(call('create', { cols: 1, rows: 20 }))
    expect(error.code).toBe('invalid_input')
    expect(error.message).toContain('cols')
    expect(error.hint).toContain('{"')
    const unknown = await errorOf(call('send', { terminalId: 'x', txet: 'hi' } as never))
    expect(unknown.code).toBe('invalid_input')
    expect(unknown.message).toContain('txet')
    expect(unknown.message).toContain('text')
  })

  test.each<[string, { command?: string[]; cwd?: string }, RegExp]>([
    ['a missing program', { command: ['no-such-program-here'] }, /no-such-program-here/],
    ['a missing folder', { cwd: '/no/such/folder' }, /\/no\/such\/folder/],
    ['a folder that is a file', { cwd: '/etc/passwd' }, /not a directory/],
  ])('%s is refused immediately', async (_what, input, message) => {
    const error = await errorOf(call('create', input))
    expect(error.code).toBe('spawn_failed')
    expect(error.message).toMatch(message)
  })

  test('the environment of the program has its terminal, its kind, the home and the caller’s variables', async () => {
    const env = { GREETING: 'good morning, world=1', EMPTY: '' }
    const made = await call('create', { command: 'env', env, waitFor: 'exit' })
    const lines = made.output.split('\n')
    expect(lines).toContain(`AGENTPTY_TERMINAL=${made.terminalId}`)
    expect(lines).toContain('TERM=xterm-256color')
    expect(lines).toContain('GREETING=good morning, world=1')
    expect(lines).toContain('EMPTY=')
    const homes = lines.filter((line) => line.startsWith('AGENTPTY_HOME='))
    expect(homes).toEqual(home() === null ? [] : [`AGENTPTY_HOME=${home()}`])
  })

  test('the program has a real terminal of the requested size', async () => {
    const made = await call('create', { command: 'tty -s && stty size', cols: 77, rows: 11, waitFor: 'exit' })
    expect(made).toMatchObject({ output: '11 77', exitCode: 0 })
  })

  test.each(['bash', 'zsh', 'fish'])('%s reports the ends of its commands and its turns', async (name) => {
    const { terminalId, ...made } = await call('create', { shell: name })
    expect(made).toMatchObject({ state: 'ready', kind: 'shell' })
    const good = await call('send', { terminalId, text: 'echo one; echo two' })
    expect(good).toMatchObject({ outcome: 'met', state: 'ready', kind: 'shell', exitCode: 0 })
    expect(good.output).toMatch(/^one\ntwo\n/)
    const bad = await call('send', { terminalId, text: 'sh -c "exit 7"' })
    expect(bad).toMatchObject({ outcome: 'met', state: 'ready', kind: 'shell', exitCode: 7 })
  })

  test.each([
    ['a pager', ['more', thisFile]],
    ['a line editor that polls', ['python3', '-q']],
    ['a full-screen program', ['less', thisFile]],
  ])('a wait for %s ends with a program that is ready', async (_what, command) => {
    const made = await call('create', { command })
    expect(made).toMatchObject({ outcome: 'met', state: 'ready' })
    const { terminals } = await call('list', {})
    expect(terminals.find(({ terminalId }) => terminalId === made.terminalId)).toMatchObject({ state: 'ready' })
  })
}
