/** Running one command to its end. */

import { realpathSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { errorOf, type Suite, sharedFolder } from './suite.ts'

export function running({ call, shell }: Suite): void {
  test('a command runs in a new terminal and returns its output and exit code', async () => {
    const cwd = realpathSync(sharedFolder())
    const ran = await call('run', { command: 'pwd; echo wrong >&2; exit 3', cwd })
    expect(ran).toMatchObject({ outcome: 'met', output: `${cwd}\nwrong`, exitCode: 3, state: 'exited' })
    expect(ran.durationMs).toBeGreaterThan(0)
    expect((await call('read', { terminalId: ran.terminalId })).output).toContain('wrong')
  })

  test('in a shell it leaves variables and folder for the next one', async () => {
    const cwd = realpathSync(sharedFolder())
    const { terminalId } = await shell()
    const first = await call('run', { terminalId, command: 'answer=42; false', cwd })
    expect(first).toMatchObject({ terminalId, output: '', exitCode: 1, state: 'ready', kind: 'shell' })
    const second = await call('run', { terminalId, command: 'echo $answer; pwd' })
    expect(second).toMatchObject({ output: `42\n${cwd}`, exitCode: 0 })
  })

  test('a command that asks returns its question and can be answered', async () => {
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

  test('a slow command is an outcome, and its end can be waited for', async () => {
    const late = await call('run', {
      command: 'read -t 0.3 line; while ! test -e /dev/null/x; do exit 4; done',
      timeoutMs: 1,
    })
    expect(late.outcome).toBe('timeout')
    const { terminalId } = late
    const { terminals } = await call('wait', { terminalIds: [terminalId], waitFor: 'exit' })
    expect(terminals).toMatchObject([{ outcome: 'met', exitCode: 4 }])
  })

  test('a busy shell is not typed into', async () => {
    const { terminalId } = await shell()
    await call('send', { terminalId, text: 'cat' })
    const error = await errorOf(call('run', { terminalId, command: 'echo hi' }))
    expect(error.code).toBe('shell_busy')
    expect(error.hint).toContain('ctrl+c')
    expect(await call('sendKeys', { terminalId, keys: ['ctrl+d'] })).toMatchObject({ output: '$', exitCode: 0 })
  })

  test('a program that is not a shell runs no commands', async () => {
    const { terminalId } = await call('create', { command: ['cat'] })
    expect((await errorOf(call('run', { terminalId, command: 'echo hi' }))).code).toBe('not_a_shell')
  })

  test.each(['zsh', 'fish'])('it runs in %s as well', async (name) => {
    const { terminalId } = await call('create', { shell: name })
    const ran = await call('run', { terminalId, command: 'echo one; sh -c "exit 5"' })
    expect(ran).toMatchObject({ output: 'one', exitCode: 5, kind: 'shell' })
  })

  describe.each(['bash', 'zsh', 'fish'])('in %s', (name) => {
    const open = async () => (await call('create', { shell: name })).terminalId

    test('all commands of a text belong to the call: complete output, last exit code, and each code', async () => {
      const ran = await call('run', { terminalId: await open(), command: 'echo a\nfalse\n\nsh -c "exit 4"\necho b\n' })
      expect(ran).toMatchObject({ outcome: 'met', output: 'a\nb', exitCode: 0, state: 'ready', kind: 'shell' })
      expect(ran.commands).toEqual([
        { line: 'echo a', exitCode: 0 },
        { line: 'false', exitCode: 1 },
        { line: 'sh -c "exit 4"', exitCode: 4 },
        { line: 'echo b', exitCode: 0 },
      ])
    })

    test('a command of several lines is one command', async () => {
      const loop =
        name === 'fish'
          ? 'function twice\n  for i in 1 2\n\techo $argv$i\n  end\nend'
          : 'twice() {\n  for i in 1 2; do\n\techo "$1$i"\n  done\n}'
      const ran = await call('run', { terminalId: await open(), command: `${loop}\ntwice "a\nb"` })
      expect(ran).toMatchObject({ output: 'a\nb1\na\nb2', exitCode: 0 })
      expect(ran.commands?.map(({ line }) => line)).toEqual([loop, 'twice "a\nb"'])
    })

    test('a command that asks ends the call, and the untyped rest is returned', async () => {
      const terminalId = await open()
      const command = 'sh -c "printf Name:; read line; echo hi \\$line"\necho never typed'
      const asked = await call('run', { terminalId, command })
      expect(asked).toMatchObject({ output: 'Name:', state: 'ready', kind: 'line' })
      expect(asked.note).toContain('"echo never typed"')
      const answered = await call('send', { terminalId, text: 'Ada' })
      expect(answered.output).toContain('hi Ada')
      expect(answered.output).not.toContain('never typed')
    })

    test('a line refused by the shell has a nonzero code, and the next call is correct', async () => {
      const terminalId = await open()
      const refused = await call('run', { terminalId, command: 'echo )' })
      expect(refused.output).toMatch(/unexpected|parse error/i)
      expect(refused.exitCode).toBeGreaterThan(0)
      expect(refused).toMatchObject({ state: 'ready', kind: 'shell' })
      expect(await call('run', { terminalId, command: 'echo well' })).toMatchObject({ output: 'well', exitCode: 0 })
    })

    test('nothing is typed after text at the prompt, unless it is dropped first', async () => {
      const terminalId = await open()
      await call('send', { terminalId, text: 'rm -rf ', newline: false })
      const error = await errorOf(call('run', { terminalId, command: 'echo /' }))
      expect(error).toMatchObject({ code: 'line_not_empty', message: expect.stringContaining('rm -rf') })
      expect(error.hint).toContain('clearLine')
      const ran = await call('run', { terminalId, command: 'echo safe', clearLine: true })
      expect(ran).toMatchObject({ output: 'safe', exitCode: 0 })
    })

    test('an incomplete command is reported as one, and nothing is typed into it', async () => {
      const terminalId = await open()
      const pending = await call('run', { terminalId, command: 'echo "half' })
      expect(pending).toMatchObject({
        state: 'ready',
        kind: 'continuation',
        note: expect.stringContaining('not finished'),
      })
      expect(await errorOf(call('run', { terminalId, command: 'ls' }))).toMatchObject({ code: 'line_not_empty' })
      const ended = await call('send', { terminalId, text: 'done"' })
      expect(ended).toMatchObject({ kind: 'shell', output: expect.stringContaining('half\ndone') })
      expect(await call('run', { terminalId, command: 'echo on' })).toMatchObject({ output: 'on' })
    })

    test('a missing folder runs nothing', async () => {
      const ran = await call('run', { terminalId: await open(), command: 'echo a; echo b', cwd: '/no/such/folder' })
      expect(ran.exitCode).toBeGreaterThan(0)
      expect(ran.output).toMatch(/no such|not exist/i)
      expect(ran.output).not.toMatch(/^[ab]$/m)
    })

    test('ctrl+c at its prompt is reported as a turn immediately, and with certainty', async () => {
      const terminalId = await open()
      await call('screenshot', { terminalId })
      const pressed = await call('sendKeys', { terminalId, keys: ['ctrl+c'] })
      expect(pressed).toMatchObject({ outcome: 'met', kind: 'shell', confidence: 'certain' })
      const { terminals } = await call('list', {})
      expect(terminals.find((one) => one.terminalId === terminalId)).toMatchObject({ state: 'ready', kind: 'shell' })
    })
  })

  test.each(['bash', 'zsh'])('a here-document in %s is one command, including tabs', async (name) => {
    const { terminalId } = await call('create', { shell: name })
    const text = 'cat <<END\n\tsum $((1+1))\nEND'
    const ran = await call('run', { terminalId, command: `${text}\ntrue` })
    expect(ran.output).toBe('        sum 2')
    expect(ran.commands).toEqual([
      { line: text, exitCode: 0 },
      { line: 'true', exitCode: 0 },
    ])
  })

  test('a second prompt at the right edge is not treated as input', async () => {
    const { terminalId } = await call('create', { shell: 'zsh' })
    await call('send', { terminalId, text: 'RPROMPT="at %T today"' })
    expect(await call('run', { terminalId, command: 'echo free' })).toMatchObject({ output: 'free', exitCode: 0 })
  })
}
