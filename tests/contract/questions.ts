/** Programs that ask: the reported kind of question, and the handling of secrets. */

import { expect, test } from 'vitest'
import { rawLog, type Suite } from './suite.ts'

export function questions({ call, shell }: Suite): void {
  test('a password prompt is reported as one, and the password appears nowhere', async () => {
    const { terminalId } = await shell()
    const ask = 'read -s -p "Password: " secret; echo; echo "${#secret} characters"'
    const asked = await call('send', { terminalId, text: ask })
    expect(asked).toMatchObject({ state: 'ready', kind: 'password', output: 'Password:' })
    const answered = await call('send', { terminalId, text: 'hunter2' })
    expect(answered).toMatchObject({ state: 'ready', kind: 'shell', exitCode: 0 })
    expect(answered.output).toContain('7 characters')
    const everything = [
      JSON.stringify(answered),
      await rawLog(call, terminalId),
      JSON.stringify(await call('read', { terminalId })),
      JSON.stringify(await call('list', {})),
      JSON.stringify(await call('screenshot', { terminalId, lines: 100 })),
    ]
    for (const text of everything) expect(text).not.toContain('hunter2')
  })

  test.each([
    ['a line', 'read -p "Name: " name', 'line'],
    ['one key', 'read -n1 -p "Go on? [y/n] " key', 'key'],
    ['a key of a pager', 'printf "%s\\n" {1..200} | less', 'pager'],
  ])('a program that waits for %s is reported as such', async (_what, text, kind) => {
    const { terminalId } = await shell()
    expect(await call('send', { terminalId, text })).toMatchObject({ outcome: 'met', state: 'ready', kind })
  })

  test('a REPL is reported as one and answers', async () => {
    const made = await call('create', { command: ['python3', '-q'] })
    expect(made).toMatchObject({ state: 'ready', kind: 'repl' })
    const { terminalId } = made
    expect(await call('send', { terminalId, text: '6 * 7' })).toMatchObject({ kind: 'repl', output: '42\n>>>' })
    const block = await call('send', { terminalId, text: 'for i in range(2):\n    print("row", i)\n\n' })
    expect(block.output).toMatch(/row 0\nrow 1/)
  })
}
