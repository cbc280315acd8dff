/** Typing: input arrives completely, and the result is the program's output. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { errorOf, type Suite, sharedFolder } from './suite.ts'

export function sending({ call, shell }: Suite): void {
  test('a command is run and its output is returned without the echo of its line', async () => {
    const { terminalId } = await shell()
    expect(await call('send', { terminalId, text: 'printf "a\\nb\\n"; (exit 4)' })).toMatchObject({
      sent: true,
      outcome: 'met',
      output: 'a\nb\n$',
      exitCode: 4,
      state: 'ready',
      kind: 'shell',
    })
  })

  test('a line longer than the screen is wide leaves no echo either', async () => {
    const { terminalId } = await shell({ cols: 40 })
    const { output } = await call('send', { terminalId, text: `echo ${'x'.repeat(100)} | wc -c` })
    expect(output).toBe('101\n$')
  })

  test('a send that waits for nothing returns immediately, without a note about delivered input', async () => {
    const { terminalId } = await shell()
    const sent = await call('send', { terminalId, text: 'true', waitFor: 'none' })
    expect(sent).not.toHaveProperty('outcome')
    expect(sent.note).toBeUndefined()
  })

  test('three pasted lines are in the line editor and run only on Enter', async () => {
    const cwd = sharedFolder()
    const { terminalId } = await shell({ cwd })
    const text = ['touch first', 'touch second', 'touch third'].join('\n')
    const pasted = await call('send', { terminalId, text, newline: false })
    expect(pasted).not.toHaveProperty('exitCode')
    expect(existsSync(join(cwd, 'first'))).toBe(false)
    await call('sendKeys', { terminalId, keys: ['enter'], waitFor: 'command' })
    expect(['first', 'second', 'third'].map((name) => existsSync(join(cwd, name)))).toEqual([true, true, true])
  })

  test('three lines sent with Enter all run', async () => {
    const cwd = sharedFolder()
    const { terminalId } = await shell({ cwd })
    const { output } = await call('send', { terminalId, text: 'echo 1\necho 2\nls | wc -l', waitFor: 'command' })
    expect(output.split('\n').filter((line) => /^\d$/.test(line))).toEqual(['1', '2', '0'])
  })

  test('several lines reach a program without bracketed paste as lines', async () => {
    const file = join(sharedFolder(), 'lines')
    const { terminalId } = await call('create', { command: `cat > ${file}` })
    await call('send', { terminalId, text: 'one\ntwo\nthree' })
    await call('sendKeys', { terminalId, keys: ['ctrl+d'], waitFor: 'exit' })
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo\nthree\n')
  })

  test('one megabyte reaches a program byte for byte', async () => {
    const file = join(sharedFolder(), 'megabyte')
    const { terminalId } = await call('create', { command: `stty -echo; cat > ${file}` })
    const line = (index: number) => `${String(index).padStart(6, '0')} ${'abcdefghij'.repeat(9)} öß€😀\n`
    const text = Array.from({ length: 9_500 }, (_, index) => line(index)).join('')
    expect(Buffer.byteLength(text)).toBeGreaterThan(1_000_000)
    expect(await call('send', { terminalId, text, newline: false })).not.toHaveProperty('note')
    await call('sendKeys', { terminalId, keys: ['ctrl+d'], waitFor: 'exit' })
    expect(readFileSync(file, 'utf8') === text).toBe(true)
  })

  test('an interrupt reaches a program that does not read, and the note states the dropped input', async () => {
    const { terminalId } = await shell()
    await call('send', { terminalId, text: 'sh -c "echo up; exec sleep 1000"', waitFor: { text: 'up' } })
    const sent = await call('send', { terminalId, text: 'line of input\n'.repeat(20_000), waitFor: 'none' })
    expect(sent).not.toHaveProperty('outcome')
    const { note, ...interrupted } = await call('sendKeys', { terminalId, keys: ['ctrl+c'], waitFor: 'command' })
    expect(note).toMatch(/SIGINT/)
    expect(note).toMatch(/\d+ bytes/)
    expect(interrupted).toMatchObject({ outcome: 'met', exitCode: 130 })
  })

  test('input to an ended program is an error with the next step', async () => {
    const { terminalId } = await call('create', { command: 'exit 5', waitFor: 'exit' })
    await expect(call('send', { terminalId, text: 'hello' })).rejects.toMatchObject({
      code: 'session_exited',
      message: expect.stringContaining('5'),
      hint: expect.stringContaining('terminal_read'),
    })
  })
  test('an instruction waits for an agent that has drawn its screen and is still starting', async () => {
    const script = `
      const say = (text) => process.stdout.write(text)
      let swallows = true
      process.stdin.setRawMode(true)
      process.stdin.on('data', (keys) => swallows || !String(keys).includes('\\r') || say('\\x1b[5;1HTOOK'))
      say('\\x1b[?1049h\\x1b[HLoading')
      setTimeout(() => {
        swallows = false
        say('\\x1b[2J\\x1b[3;1H  ? for shortcuts\\x1b[1;1H> ')
      }, 1000)`
    const { terminalId } = await call('create', { command: [process.execPath, '-e', script], waitFor: 'ready' })
    const waitFor = { text: 'TOOK' }
    const sent = await call('send', { terminalId, text: 'go', instruct: true, waitFor, waitTimeoutMs: 10_000 })
    expect(sent).toMatchObject({ outcome: 'met' })
  })

  test('a newline at the end of the text is typed too, and the result states it', async () => {
    const { terminalId } = await call('create', { command: ['python3', '-q'] })
    const sent = await call('send', { terminalId, text: 'for i in range(2):\n    print(i)\n' })
    expect(sent).toMatchObject({ kind: 'repl', note: expect.stringContaining('Enter was pressed after it') })
    expect(sent.output).toMatch(/0\n1\n>>>/)
  })

  test('a tab in a line for a shell completes nothing', async () => {
    const { terminalId } = await shell()
    expect((await call('send', { terminalId, text: "printf '%s' 'a\tb' | wc -c" })).output).toMatch(/^3\n/)
  })

  test.each([
    ['in one piece', ['x'.repeat(4_096)]],
    ['in several, none of them too long', ['x'.repeat(2_000), 'x'.repeat(2_000), 'x'.repeat(97)]],
    ['among others', [`short\n${'x'.repeat(5_000)}\nshort`]],
  ])('a line that a terminal would truncate is refused before any of it is typed: %s', async (_what, texts) => {
    const { terminalId } = await call('create', { command: 'head -n 1 | wc -c; cat' })
    const open = texts.slice(0, -1)
    for (const text of open) await call('send', { terminalId, text, newline: false, waitFor: 'none' })
    const error = await errorOf(call('send', { terminalId, text: texts.at(-1) ?? '' }))
    expect(error).toMatchObject({ code: 'line_too_long', message: expect.stringContaining('4095') })
    const typed = open.join('').length
    const sent = await call('send', { terminalId, text: 'x'.repeat(4_095 - typed), waitFor: { pattern: '^4096' } })
    expect(sent.outcome).toBe('met')
  })

  test('a line of any length is typed into a program that reads keys', async () => {
    const { terminalId } = await shell()
    const sent = await call('send', { terminalId, text: `echo ${'x'.repeat(9_000)} | wc -c` })
    expect(sent.output).toMatch(/9001\n/)
  })
}
