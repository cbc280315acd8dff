/** Keys have the same effect as on a keyboard. */

import { expect, test } from 'vitest'
import { errorOf, type Suite } from './suite.ts'

export function keys({ call, shell }: Suite): void {
  test('ctrl+c interrupts the program and the shell is back', async () => {
    const { terminalId } = await shell()
    await call('send', { terminalId, text: 'sh -c "echo up; exec sleep 1000"', waitFor: { text: 'up' } })
    const interrupted = await call('sendKeys', { terminalId, keys: ['ctrl+c'] })
    expect(interrupted).toMatchObject({
      sent: true,
      keys: ['ctrl+c'],
      sequences: ['\x03'],
      state: 'ready',
      kind: 'shell',
      exitCode: 130,
    })
  })

  test('arrows edit the line', async () => {
    const { terminalId } = await shell()
    await call('send', { terminalId, text: 'echo ac', newline: false })
    const { output } = await call('sendKeys', { terminalId, keys: ['left', 'b', 'end', 'd', 'enter'] })
    expect(output.split('\n').at(-2) ?? output).toContain('abcd')
    expect((await call('sendKeys', { terminalId, keys: ['up', 'enter'] })).output).toContain('abcd')
  })

  test('an unknown key presses no key of the list, and the error lists similar names', async () => {
    const { terminalId } = await shell()
    const error = await errorOf(call('sendKeys', { terminalId, keys: ['x', 'entr'] }))
    expect(error.code).toBe('unknown_key')
    expect(error.message).toContain('"entr"')
    expect(error.hint).toContain('enter')
    expect(await call('send', { terminalId, text: 'echo clean' })).toMatchObject({ output: 'clean\n$' })
  })

  test('escape before a key is a separate key: vim leaves insert mode and quits', async () => {
    const { terminalId } = await call('create', { command: ['vim', '-u', 'NONE', '-i', 'NONE', '-n'] })
    await call('sendKeys', { terminalId, keys: ['i', 'h', 'i'] })
    const quit = await call('sendKeys', { terminalId, keys: ['escape', ':', 'q', '!', 'enter'], waitFor: 'exit' })
    expect(quit).toMatchObject({ outcome: 'met', state: 'exited', exitCode: 0 })
  })
}
