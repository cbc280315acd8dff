import assert from 'node:assert/strict'
import { mark, openFakeSession } from '@agentpty/engine/testing'
import { defined } from '@agentpty/protocol'
import type { Condition, Ending } from '@agentpty/protocol/call'
import { expect, test } from 'vitest'
import { commandExitCode, verdictAfter, verdictNow, verdictOf } from './observe.ts'
import { readText, renderSlice } from './read-text.ts'

function printed(output: string, options: Parameters<typeof openFakeSession>[0] = {}) {
  const fake = openFakeSession(options)
  fake.pty.prints(output)
  return fake
}

async function textOf(output: string, since = 0, typed?: string): Promise<string> {
  const { session } = printed(output)
  const range = defined({ since, until: session.parsedTo, typed })
  return (await readText(session, range, {})).output
}

test.each<[string, string, string]>([
  ['lines without escapes', '\x1b[32mgreen\x1b[0m\r\nplain\r\n', 'green\nplain'],
  ['a progress bar in its last state', '10%\r50%\r100%\r\ndone\r\n', '100%\ndone'],
  ['a corrected word', 'helo\blo\r\n', 'hello'],
  ['a line that is wider than the screen as one', `${'x'.repeat(200)}\r\n`, 'x'.repeat(200)],
])('a slice is what a person would have read: %s', async (_name, output, want) => {
  assert.equal(await textOf(output), want)
})

test('a slice that begins behind a prompt begins behind it', async () => {
  assert.equal(await textOf('$ ls\r\nfile\r\n', 2), 'ls\nfile')
})

test('what was typed is left out where it only comes back', async () => {
  assert.equal(await textOf('$ ls\r\nfile\r\n', 2, 'ls'), 'file')
  assert.equal(await textOf('$ cat\r\na\r\nb\r\n', 2, 'cat\na'), 'b')
})

test('output that repeats what was typed later is kept', async () => {
  assert.equal(await textOf('one\r\nls\r\n', 0, 'ls'), 'one\nls')
})

test('offsets of rendered lines are the log’s', async () => {
  const { session } = printed('zero\r\none\r\ntwo\r\n')
  const lines = await renderSlice(session, 6, session.parsedTo)
  assert.deepEqual(lines, [
    { text: 'one', offset: 6 },
    { text: 'two', offset: 11 },
  ])
})

test('bytes that the log gave up are counted from where was asked', async () => {
  const { pty, session } = printed('', { info: { logBytes: 1_000 } })
  for (let count = 0; count < 15; count++) {
    pty.prints('x'.repeat(100))
    await session.screen()
  }
  const read = (since: number) => readText(session, { since, until: session.parsedTo }, {})
  assert.deepEqual(
    [(await read(0)).missedBytes, (await read(100)).missedBytes, (await read(600)).missedBytes],
    [500, 400, 0],
  )
})

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}\r\n`).join('')

test.each([
  ['some lines', 500],
  ['very many', 200_000],
])('%s are kept within the bytes and lines of the budget', async (_name, count) => {
  const { session } = printed(numbers(count), { info: { logBytes: 4_000_000 } })
  const range = { since: 0, until: session.parsedTo }
  const bytes = (await readText(session, range, { maxBytes: 1_000 })).output
  assert.ok(Buffer.byteLength(bytes) <= 1_000)
  const lines = (await readText(session, range, { maxLines: 7 })).output.split('\n')
  assert.equal(lines.filter((line) => /^\d+$/.test(line)).length, 7)
  for (const output of [bytes.split('\n'), lines]) {
    assert.deepEqual([output[0], output.at(-1)], ['1', String(count)])
    assert.equal(output.filter((line) => line.includes('omitted')).length, 1)
  }
})

test('a huge slice is shown whole where the budget has room for it, each line once', async () => {
  const { session } = printed(numbers(60_000), { info: { logBytes: 4_000_000 } })
  const { output } = await readText(session, { since: 0, until: session.parsedTo }, { maxBytes: 1_000_000 })
  assert.equal(output, numbers(60_000).replaceAll('\r', '').trimEnd())
})

test('a huge slice never claims more than it was asked for', async () => {
  const { session } = printed(`before\r\n${'x'.repeat(300_000)}`)
  const { output } = await readText(session, { since: 8, until: session.parsedTo }, {})
  const [, from, to] = /offsets (\d+)-(\d+)/.exec(output) ?? []
  assert.ok(Number(from) > 8, `${from} lies behind the begin`)
  assert.ok(Number(to) < session.parsedTo)
  assert.match(output, /^x+/)
})

test('the exit code is of the command that ended last since', () => {
  const { session } = printed(`${mark.start}one\r\n${mark.end(3)}${mark.promptStart}$ ${mark.promptEnd}`)
  const until = session.parsedTo
  assert.deepEqual(commandExitCode(session, { since: 0, until }), { exitCode: 3 })
  assert.deepEqual(commandExitCode(session, { since: until, until }), {})
})

test('a command that ended while the text was drawn is in the next result', () => {
  const { pty, session } = printed(`${mark.start}one\r\n${mark.end(3)}${mark.promptStart}$ ${mark.promptEnd}`)
  const until = session.parsedTo
  pty.prints(`${mark.start}two\r\n${mark.end(4)}${mark.promptStart}$ ${mark.promptEnd}`)
  assert.deepEqual(commandExitCode(session, { since: 0, until }), { exitCode: 3 })
  assert.deepEqual(commandExitCode(session, { since: until, until: session.parsedTo }), { exitCode: 4 })
})

test('why is said only where it is not plain', () => {
  const { pty, session } = printed('Name: ')
  const verdict = {
    state: 'ready',
    kind: 'line',
    confidence: 'certain',
    needs: null,
    question: null,
    evidence: ['x'],
    rule: '',
    since: 0,
  } as const
  assert.deepEqual(verdictOf(session, verdict), { state: 'ready', kind: 'line', confidence: 'certain' })
  expect(verdictOf(session, { ...verdict, confidence: 'low' })).toHaveProperty('evidence')
  const busy = { ...verdict, state: 'busy', kind: null } as const
  assert.deepEqual(verdictOf(session, busy), { state: 'busy', evidence: ['x'] })
  pty.exits({ code: null, signal: 'SIGTERM' })
  assert.deepEqual(verdictOf(session, session.turn().verdict), { state: 'exited', signal: 'SIGTERM' })
})

test('a program that ended while its text was drawn is said to have ended by the next result, which has the rest', () => {
  const { pty, session } = printed('one\r\n')
  const { verdict } = session.turn()
  pty.prints('two\r\n')
  pty.exits()
  assert.equal(verdictOf(session, verdict).state, 'busy')
  assert.equal(verdictOf(session, session.turn().verdict).state, 'exited')
})

const prompt = `${mark.start}one\r\n${mark.end(0)}${mark.promptStart}$ ${mark.promptEnd}`

function waitedFor({ session, clock }: ReturnType<typeof printed>, condition: Condition): Promise<Ending> {
  return session.wait({ conditions: [condition], since: 0, deadline: clock.now() + 1_000 })
}

test.each<[string, Condition]>([
  ['a text', { kind: 'text', text: 'one' }],
  ['output', { kind: 'output' }],
  ['a command', { kind: 'command' }],
])('%s that is met at rest brings its verdict along, and nothing more is waited for', async (_name, condition) => {
  const fake = printed(prompt)
  fake.session.watch()
  fake.pty.reports()
  const ending = await waitedFor(fake, condition)
  // No one types: a verdict at this moment would have to wait for later facts.
  fake.pty.prints('later\r\n')
  assert.equal(fake.session.turn().verdict.state, 'busy')
  assert.equal((await verdictAfter(fake.session, ending)).state, 'ready')
})

test.each<[string, Condition, number]>([
  ['a text', { kind: 'text', text: 'one' }, 10],
  ['a command, whose prompt may be slow to be read', { kind: 'command' }, 250],
])('%s that is met at work is followed by a short wait for the turn', async (_name, condition, latestMs) => {
  const fake = printed('')
  const { session, pty, clock } = fake
  const waiting = waitedFor(fake, condition)
  pty.prints(prompt)
  const ending = await waiting
  const coming = verdictAfter(session, ending)
  pty.reports()
  assert.equal((await coming).state, 'ready')
  pty.prints('works\r\n')
  const late = verdictAfter(session, ending)
  clock.advance(latestMs)
  assert.equal((await late).state, 'busy')
})

test('a call without a wait still waits for the facts of a shell at its prompt, which are late on a busy machine', async () => {
  const { session, pty, clock } = printed(prompt)
  const verdict = verdictNow(session)
  clock.advance(200)
  pty.reports()
  assert.equal((await verdict).state, 'ready')
})
