/** Waiting: each condition, what does not satisfy it, and the timeout as an outcome. */

import { expect, test } from 'vitest'
import type { Suite } from './suite.ts'

/** Prints REA, and DY after a line of input; its terminal does not echo. */
const ready = 'stty -echo; printf REA; read line; printf "DY\\n"; read line'

export function waiting({ call, shell }: Suite): void {
  test.each([
    ['text', { text: 'READY' }],
    ['pattern', { pattern: '^RE\\wDY$' }],
  ])('a %s that started before the send and ends after it is found', async (_kind, waitFor) => {
    const { terminalId } = await call('create', { command: ready, waitFor: { text: 'REA' } })
    expect(await call('send', { terminalId, text: '', waitFor })).toMatchObject({ outcome: 'met' })
  })

  test('a text that was complete before the send is not found again', async () => {
    const { terminalId } = await call('create', { command: 'echo READY; cat > /dev/null', waitFor: { text: 'READY' } })
    const sent = await call('send', { terminalId, text: 'x', waitFor: { text: 'READY' }, waitTimeoutMs: 200 })
    expect(sent).toMatchObject({ outcome: 'timeout' })
  })

  test.each([
    ['of one line', 'cat > /dev/null # DONE', 120],
    ['that the screen breaks', `cat > /dev/null # ${'x'.repeat(60)} DONE`, 40],
    ['of several lines', ': first line\ncat > /dev/null # DONE', 120],
  ])('the echo of the input, %s, does not satisfy it', async (_what, text, cols) => {
    const { terminalId } = await shell({ cols })
    const sent = await call('send', { terminalId, text, waitFor: { text: 'DONE' }, waitTimeoutMs: 300 })
    expect(sent).toMatchObject({ outcome: 'timeout' })
  })

  test('the output of a program that repeats its input is not taken for an echo', async () => {
    const { terminalId } = await call('create', { command: 'stty -echo; read word; echo "you typed $word"; cat' })
    const sent = await call('send', { terminalId, text: 'DONE', waitFor: { text: 'you typed' }, waitTimeoutMs: 1_000 })
    expect(sent).toMatchObject({ outcome: 'met', output: 'you typed DONE' })
  })

  test('the text is found in the output after its echo', async () => {
    const { terminalId } = await shell()
    const sent = await call('send', { terminalId, text: 'echo DONE; cat', waitFor: { text: 'DONE' } })
    expect(sent).toMatchObject({ outcome: 'met', output: 'DONE' })
  })

  test('a pattern is found in new output, however much matched before', async () => {
    const { terminalId } = await shell()
    await call('send', { terminalId, text: 'seq 1 1000' })
    const sent = await call('send', {
      terminalId,
      text: 'expr 40 + 2; cat',
      waitFor: { pattern: '^\\d+$' },
      waitTimeoutMs: 1_500,
    })
    expect(sent).toMatchObject({ outcome: 'met', output: '42' })
  })

  test('earlier output after since counts', async () => {
    const { terminalId, cursor } = await call('create', { command: 'echo one; cat', waitFor: { text: 'one' } })
    expect(await call('read', { terminalId, since: 0, waitForOutput: true })).toMatchObject({ outcome: 'met' })
    const later = await call('read', { terminalId, since: cursor, waitForOutput: true, waitTimeoutMs: 50 })
    expect(later).toMatchObject({ outcome: 'timeout', output: '', cursor })
  })

  test('quiet: no more output arrives', async () => {
    const { terminalId } = await shell()
    const waitFor = { quietMs: 150 }
    const sent = await call('send', { terminalId, text: 'for i in 1 2 3; do echo $i; done; cat', waitFor })
    expect(sent).toMatchObject({ outcome: 'met', output: '1\n2\n3' })
  })

  test('stable: a program that repeats the same picture is never quiet, but stable', async () => {
    const command = 'while :; do printf "\\r\\033[Ksame"; read -t 0.01 line; done'
    const { terminalId } = await call('create', { command: ['bash', '-c', command], waitFor: { text: 'same' } })
    // On a busy machine the program pauses for hundreds of milliseconds, and then it is quiet.
    expect(await call('read', { terminalId, waitFor: { quietMs: 1_000 }, waitTimeoutMs: 1_200 })).toMatchObject({
      outcome: 'timeout',
    })
    expect(await call('read', { terminalId, waitFor: { stableMs: 200 } })).toMatchObject({ outcome: 'met' })
  })

  test('command: the shell has finished one, with its exit code', async () => {
    const { terminalId } = await shell()
    const sent = await call('send', { terminalId, text: 'read -t 0.05 x; (exit 9)', waitFor: 'command' })
    expect(sent).toMatchObject({ outcome: 'met', exitCode: 9, kind: 'shell' })
  })

  test('command: the wait is refused for a program without marks, instead of waiting in vain', async () => {
    const { terminalId } = await call('create', { command: ['cat'] })
    await expect(call('read', { terminalId, waitFor: 'command' })).rejects.toMatchObject({ code: 'not_a_shell' })
  })

  test.each([
    ['its code', 'exit 7', { exitCode: 7 }],
    ['its signal', 'kill -TERM $$', { signal: 'SIGTERM' }],
  ])('exit: the program has ended, with %s', async (_what, line, ending) => {
    const { terminalId } = await shell()
    const sent = await call('send', { terminalId, text: `exec sh -c '${line}'`, waitFor: 'exit' })
    expect(sent).toMatchObject({ outcome: 'met', state: 'exited', ...ending })
  })

  test('the end of a program ends every wait for something else', async () => {
    const { terminalId } = await call('create', { command: 'read line; exit 3' })
    const sent = await call('send', { terminalId, text: '', waitFor: { text: 'never' } })
    expect(sent).toMatchObject({ outcome: 'exited', state: 'exited', exitCode: 3 })
  })

  test('the first met condition of several ends the wait', async () => {
    const { terminalId } = await shell()
    const waitFor = [{ text: 'never' }, { pattern: '^tw.$' }, 'exit' as const]
    expect(await call('send', { terminalId, text: 'echo two; cat', waitFor })).toMatchObject({ outcome: 'met' })
  })

  test('a timeout is an outcome, and the wait can continue from its cursor', async () => {
    const { terminalId } = await call('create', { command: 'read a; echo first; read b; echo second; cat' })
    const waitFor = { text: 'second' }
    const { cursor } = await call('send', { terminalId, text: 'a', waitFor: { text: 'first' } })
    const early = await call('read', { terminalId, since: 0, waitFor, waitTimeoutMs: 100 })
    expect(early).toMatchObject({ outcome: 'timeout', output: expect.stringContaining('first') })
    expect(early.cursor).toBeGreaterThanOrEqual(cursor)
    await call('send', { terminalId, text: 'b', waitFor: 'none' })
    const resumed = await call('read', { terminalId, since: early.cursor, waitFor })
    expect(resumed).toMatchObject({ outcome: 'met' })
    expect(resumed.output).toContain('second')
    expect(resumed.output).not.toContain('first')
  })

  test('a pattern of excessive cost is refused, and the terminal stays usable', async () => {
    const { terminalId } = await shell()
    await call('send', { terminalId, text: `echo ${'a'.repeat(30)}b` })
    const waitFor = { pattern: '^(a+)+$' }
    await expect(call('read', { terminalId, since: 0, waitFor })).rejects.toMatchObject({ code: 'invalid_input' })
    expect(await call('send', { terminalId, text: 'echo on' })).toMatchObject({ output: 'on\n$' })
  })

  test('an invalid pattern is refused', async () => {
    const { terminalId } = await shell()
    await expect(call('read', { terminalId, waitFor: { pattern: '(' } })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('regular expression'),
    })
  })

  test('an unknown condition is refused with the known ones', async () => {
    const { terminalId } = await shell()
    await expect(call('read', { terminalId, waitFor: 'redy' as 'ready' })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/waitFor: use "ready", .*\{"quietMs": ms\}/),
    })
  })

  test('a wait on two terminals ends with the first, or with both', async () => {
    const first = await call('create', { command: 'read line; exit 1', name: 'first' })
    const second = await call('create', { command: 'read line; exit 2', name: 'second' })
    const terminalIds = [first.terminalId, second.terminalId]
    const any = call('wait', { terminalIds, waitFor: 'exit' })
    await call('send', { terminalId: second.terminalId, text: '', waitFor: 'exit' })
    expect((await any).terminals).toMatchObject([
      { terminalId: first.terminalId, state: 'ready' },
      { terminalId: second.terminalId, outcome: 'met', state: 'exited', exitCode: 2 },
    ])
    expect((await any).terminals[0]).not.toHaveProperty('outcome')
    const all = call('wait', { terminalIds, waitFor: 'exit', any: false })
    await call('send', { terminalId: first.terminalId, text: '', waitFor: 'exit' })
    expect((await all).terminals).toMatchObject([
      { outcome: 'met', exitCode: 1 },
      { outcome: 'met', exitCode: 2 },
    ])
  })

  test('a wait on several terminals can time out', async () => {
    const one = await call('create', { command: ['cat'] })
    const waited = await call('wait', { terminalIds: [one.terminalId], waitFor: 'exit', waitTimeoutMs: 50 })
    expect(waited.terminals).toMatchObject([{ outcome: 'timeout', state: 'ready' }])
  })

  test('a cancelled call ends, and the terminal stays usable', async () => {
    const { terminalId } = await shell()
    const abort = new AbortController()
    // The program itself reports it: a shell may report it before it has handed over the terminal, and drop a ctrl+c.
    const text = `sh -c 'echo up; exec cat'`
    const call1 = call('send', { terminalId, text, waitFor: 'exit' }, { signal: abort.signal })
    await call('read', { terminalId, since: 0, waitFor: { pattern: '^up$' } })
    abort.abort()
    await expect(call1).rejects.toThrow()
    expect(await call('sendKeys', { terminalId, keys: ['ctrl+c'] })).toMatchObject({ kind: 'shell' })
  })
}
