/** One command to its end. */

import { realpathSync } from 'node:fs'
import { expect, test } from 'vitest'
import { errorOf, type Suite, scratchFolder } from './suite.ts'

export function running({ call, shell }: Suite): void {
  test('a command runs in a fresh terminal and gives its output and its exit code', async () => {
    const cwd = realpathSync(scratchFolder())
    const ran = await call('run', { command: 'pwd; echo wrong >&2; exit 3', cwd })
    expect(ran).toMatchObject({ outcome: 'met', output: `${cwd}\nwrong`, exitCode: 3, state: 'exited' })
    expect(ran.durationMs).toBeGreaterThan(0)
    expect((await call('read', { terminalId: ran.terminalId })).output).toContain('wrong')
  })

  test('in a shell it leaves variables and folder for the next one', async () => {
    const cwd = realpathSync(scratchFolder())
    const { terminalId } = await shell()
    const first = await call('run', { terminalId, command: 'answer=42; false', cwd })
    expect(first).toMatchObject({ terminalId, output: '', exitCode: 1, state: 'ready', kind: 'shell' })
    const second = await call('run', { terminalId, command: 'echo $answer; pwd' })
    expect(second).toMatchObject({ output: `42\n${cwd}`, exitCode: 0 })
  })

  test('a command that asks something comes back with its question and can be answered', async () => {
    const asked = await call('run', { command: 'printf "Name: "; read name; echo "Hello $name"' })
    expect(asked).toMatchObject({ output: 'Name:', state: 'ready', kind: 'line' })
    const { terminalId } = asked
    const answered = await call('send', { terminalId, text: 'Ada', waitFor: 'exit' })
    expect(answered).toMatchObject({ output: expect.stringContaining('Hello Ada'), state: 'exited', exitCode: 0 })
  })

  test('a command that asks in a shell can be answered there', async () => {
    const { terminalId } = await shell()
    const asked = await call('run', { terminalId, command: 'read -p "Sure? " sure; echo "You said $sure"' })
    expect(asked).toMatchObject({ output: 'Sure?', state: 'ready', kind: 'line' })
    const answered = await call('send', { terminalId, text: 'yes' })
    expect(answered).toMatchObject({ output: expect.stringContaining('You said yes'), kind: 'shell', exitCode: 0 })
  })

  test('a command that takes longer is an outcome, and its end can be waited for', async () => {
    const late = await call('run', {
      command: 'read -t 0.3 line; while ! test -e /dev/null/x; do exit 4; done',
      timeoutMs: 1,
    })
    expect(late.outcome).toBe('timeout')
    const { terminalId } = late
    const { terminals } = await call('wait', { terminalIds: [terminalId], waitFor: 'exit' })
    expect(terminals).toMatchObject([{ outcome: 'met', exitCode: 4 }])
  })

  test('a shell that is not at its prompt is not typed into', async () => {
    const { terminalId } = await shell()
    await call('send', { terminalId, text: 'cat' })
    const error = await errorOf(call('run', { terminalId, command: 'echo hi' }))
    expect(error.code).toBe('shell_busy')
    expect(error.hint).toContain('ctrl+c')
    expect(await call('sendKeys', { terminalId, keys: ['ctrl+d'] })).toMatchObject({ output: '$', exitCode: 0 })
  })

  test('a program that is no shell is told as that', async () => {
    const { terminalId } = await call('create', { command: ['cat'] })
    expect((await errorOf(call('run', { terminalId, command: 'echo hi' }))).code).toBe('not_a_shell')
  })

  test.each(['zsh', 'fish'])('it runs in %s as well', async (name) => {
    const { terminalId } = await call('create', { shell: name })
    const ran = await call('run', { terminalId, command: 'echo one; sh -c "exit 5"' })
    expect(ran).toMatchObject({ output: 'one', exitCode: 5, kind: 'shell' })
  })
}
