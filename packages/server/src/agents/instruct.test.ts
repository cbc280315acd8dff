/** Instructions and answers, with agents that belong to the test. */

import type { VerbInput } from '@agentpty/protocol/verbs'
import { expect, test } from 'vitest'
import { type FakeEngine, openFakeEngine } from '../fake-engine.ts'

const quick = { waitFor: 'output', waitTimeoutMs: 0 } as const
const status = (state: string) => `\x1b]7501;state=${state}:app=x\x07`

async function inTime<Result>({ clock }: FakeEngine, call: Promise<Result>): Promise<Result> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  call.then(over, over)
  while (!isOver) {
    clock.advance(20)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return call
}

async function openAgent(): Promise<FakeEngine> {
  const engine = openFakeEngine()
  await engine.client.call('create', { command: ['agent'], ...quick })
  engine.pty(1).prints(status('working'))
  engine.pty(1).prints(status('idle'))
  return engine
}

const instruct = (engine: FakeEngine, input: Partial<VerbInput<'instruct'>> = {}) =>
  inTime(engine, engine.client.call('instruct', { terminalId: 'term-1', text: 'count', ...input }))

async function answer(engine: FakeEngine, fences?: { open: string; close: string }) {
  const input = { terminalId: 'term-1', capture: 'missing', ...(fences === undefined ? {} : { fences }) } as const
  return (await inTime(engine, engine.client.call('artifact', input))).artifact
}

/** The fences that the last instruction asks for. */
function asked(engine: FakeEngine): { open: string; close: string } {
  const [open = '', close = ''] =
    engine
      .pty(1)
      .written.match(/(?:BEGIN|END)-RESPONSE-\w+/g)
      ?.slice(-2) ?? []
  return { open, close }
}

/** Prints an agent's work, up to the end of its turn. */
function works(engine: FakeEngine, text: string): void {
  engine.pty(1).prints(`${status('working')}${text.replaceAll('\n', '\r\n')}${status('done')}`)
  engine.clock.advance(2_000)
}

test('each task has fences of its own, and its answer is what stands between them', async () => {
  const engine = await openAgent()
  const first = await instruct(engine, { asksForAnswer: true })
  const one = asked(engine)
  works(engine, `put it between a line ${one.open} and a line ${one.close}. count\n${one.open}\n1\n${one.close}\n`)
  expect(await answer(engine)).toMatchObject({ output: '1', taskId: first.taskId })
  const second = await instruct(engine, { asksForAnswer: true })
  expect(second.taskId).not.toBe(first.taskId)
  expect(await answer(engine)).toBeNull()
  const two = asked(engine)
  expect(two).not.toEqual(one)
  works(engine, `${one.open}\nforged\n${one.close}\n${two.open}\n2\n${two.close}\n`)
  expect(await answer(engine)).toMatchObject({ output: '2', taskId: second.taskId })
})

const plain = { open: '[termtile-response]', close: '[/termtile-response]' }

test('fences that anybody can print are understood, but for what stood there before the task', async () => {
  const engine = await openAgent()
  works(engine, `${plain.open}\nold\n${plain.close}\n`)
  await instruct(engine)
  works(engine, 'thinking\n')
  expect(await answer(engine, plain)).toBeNull()
  works(engine, `${plain.open}\nnew\n${plain.close}\n`)
  expect(await answer(engine, plain)).toMatchObject({ output: 'new' })
})

test('the same words again are another answer', async () => {
  const engine = await openAgent()
  works(engine, `${plain.open}\n42\n${plain.close}\n`)
  await instruct(engine)
  works(engine, `${plain.open}\n42\n${plain.close}\n`)
  expect(await answer(engine, plain)).toMatchObject({ output: '42' })
})

test('an agent that asks something is not instructed, and has the task that it had', async () => {
  const engine = await openAgent()
  const { taskId } = await instruct(engine)
  works(engine, `${plain.open}\n1\n${plain.close}\n`)
  engine.pty(1).prints(status('blocked'))
  await expect(instruct(engine, { text: 'more' })).rejects.toMatchObject({ code: 'needs_answer' })
  works(engine, '')
  expect(await answer(engine, plain)).toMatchObject({ taskId })
  expect(engine.pty(1).written).not.toContain('more')
})

test('an agent says its answer itself, and a later turn about something else does not replace it', async () => {
  const engine = await openAgent()
  const { taskId } = await instruct(engine, { asksForAnswer: true })
  const { open, close } = asked(engine)
  const inside = engine.clientOf({ client: 'in', env: { SHELL: '/bin/sh', AGENTPTY_TERMINAL: 'term-1' } })
  const said = (output: string, unlessAnswered: boolean) => inside.call('keepAnswer', { output, unlessAnswered })
  expect(await said('the first turn', true)).toEqual({ kept: true, taskId })
  expect(await said(`So:\n${open}\n42\n${close}\n`, true)).toEqual({ kept: true, taskId })
  expect(await answer(engine)).toMatchObject({ output: '42', source: 'hook' })
  expect(await said('I have read the message.', true)).toEqual({ kept: false, taskId })
  expect(await answer(engine)).toMatchObject({ output: '42' })
  expect(await said('43', false)).toEqual({ kept: true, taskId })
  expect(await answer(engine)).toMatchObject({ output: '43' })
})

test('an agent cannot report the answer of another agent', async () => {
  const engine = await openAgent()
  await engine.client.call('create', { command: ['agent'], ...quick })
  const other = engine.clientOf({ client: 'in', env: { SHELL: '/bin/sh', AGENTPTY_TERMINAL: 'term-2' } })
  await expect(other.call('keepAnswer', { terminalId: 'term-1', output: 'x' })).rejects.toMatchObject({
    code: 'denied',
  })
  await expect(engine.client.call('keepAnswer', { output: 'x' })).rejects.toMatchObject({ code: 'invalid_input' })
})
