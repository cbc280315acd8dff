import assert from 'node:assert/strict'
import { isoTime } from '@agentpty/engine/system-clock'
import { taskAfterMs, taskKeptMs, tasksMax } from '@agentpty/protocol'
import { FakeClock } from '@agentpty/protocol/testing'
import type { CallToolResult, InputResponses, ServerContext } from '@modelcontextprotocol/server'
import { inputRequired } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { type Task, tasksExtension } from './task.ts'
import { Tasks, type Work } from './tasks.ts'

const declared = { 'io.modelcontextprotocol/clientCapabilities': { extensions: { [tasksExtension]: {} } } }

function contextOf(envelope: object | undefined, signal = new AbortController().signal): ServerContext {
  return { mcpReq: { envelope, signal } } as unknown as ServerContext
}

const done: CallToolResult = { content: [{ type: 'text', text: 'done' }] }

/** Work that ends when the test says so. */
function held() {
  let task: Task | undefined
  let finish = (_result: CallToolResult) => {}
  let fail = (_error: Error) => {}
  const work: Work = (given) => {
    task = given
    return new Promise((resolve, reject) => {
      finish = resolve
      fail = reject
    })
  }
  return {
    work,
    task: () => task as Task,
    finish: (result = done) => finish(result),
    fail: (error: Error) => fail(error),
  }
}

const tasksAt = (clock: FakeClock) => new Tasks({ clock, isoTime })

const settled = () => new Promise((resolve) => setImmediate(resolve))

async function keptTask(tasks: Tasks, clock: FakeClock) {
  const one = held()
  const answer = tasks.answer(contextOf(declared), one.work)
  clock.advance(taskAfterMs)
  const { taskId } = (await answer) as unknown as { taskId: string }
  assert.equal(one.task().taskId, taskId)
  return one
}

test('a call becomes a task after a while, and notifies its listeners when it is done', async () => {
  const clock = new FakeClock()
  const tasks = tasksAt(clock)
  const statuses: string[] = []
  const stop = tasks.listen(({ status }) => statuses.push(status))
  const one = await keptTask(tasks, clock)
  one.finish()
  await settled()
  assert.deepEqual(statuses, ['completed'])
  expect(one.task().details()).toMatchObject({ status: 'completed', result: { ...done, resultType: 'complete' } })
  stop()
})

test.each<[string, Error, object]>([
  ['an error of the protocol', Object.assign(new Error('broken'), { code: -32_603 }), { message: 'broken' }],
  ['any other', new Error('lost'), { code: -32_603, message: 'lost' }],
])('work that fails with %s is a failed task', async (_name, failure, error) => {
  const clock = new FakeClock()
  const one = await keptTask(tasksAt(clock), clock)
  one.fail(failure)
  await settled()
  expect(one.task().details()).toMatchObject({ status: 'failed', error })
  assert.equal('result' in one.task().details(), false)
})

test('a request that is cancelled before it becomes a task ends its work', async () => {
  const clock = new FakeClock()
  const one = held()
  const request = new AbortController()
  const answer = tasksAt(clock).answer(contextOf(declared, request.signal), one.work)
  request.abort()
  assert.equal(one.task().signal.aborted, true)
  one.finish()
  assert.deepEqual(await answer, done)
})

test('a task continues after the request that started it has ended', async () => {
  const clock = new FakeClock()
  const one = held()
  const request = new AbortController()
  const answer = tasksAt(clock).answer(contextOf(declared, request.signal), one.work)
  clock.advance(taskAfterMs)
  await answer
  request.abort()
  assert.equal(one.task().signal.aborted, false)
})

test('questions are answered one by one, and no key is used twice', async () => {
  const clock = new FakeClock()
  const tasks = tasksAt(clock)
  const statuses: string[] = []
  tasks.listen(({ status }) => statuses.push(status))
  const one = await keptTask(tasks, clock)
  const task = one.task()
  const keys = () => Object.keys((task.details()['inputRequests'] ?? {}) as object)
  const ask = () => inputRequired.elicit({ message: '?', requestedSchema: { type: 'object', properties: {} } })
  const accepted = { action: 'accept', content: {} } as InputResponses[string]
  const both = task.ask([ask(), ask()])
  const [first = '', second = ''] = keys()
  task.update({ [first]: accepted, notAsked: accepted })
  assert.deepEqual(keys(), [second])
  assert.equal(task.status, 'input_required')
  task.update({ [second]: accepted })
  assert.deepEqual(await both, [accepted, accepted])
  assert.equal(task.status, 'working')
  const third = task.ask([ask()])
  assert.equal([first, second].includes(keys()[0] ?? ''), false)
  task.cancel()
  await expect(third).rejects.toThrow('cancelled')
  assert.deepEqual(statuses, ['input_required', 'working', 'input_required', 'cancelled'])
})

test('a result is kept as long as the handle promises, then removed', async () => {
  const clock = new FakeClock()
  const tasks = tasksAt(clock)
  const one = await keptTask(tasks, clock)
  const { taskId } = one.task()
  one.finish()
  await settled()
  const { createdAt, ttlMs } = one.task().handle()
  clock.advance(Date.parse(String(createdAt)) + Number(ttlMs) - clock.wall())
  await keptTask(tasks, clock)
  assert.ok(tasks.find(taskId))
  clock.advance(taskKeptMs)
  await keptTask(tasks, clock)
  assert.equal(tasks.find(taskId), undefined)
})

test.each([-5, 5])(
  'a time of day that is set by %i hours meanwhile changes nothing of how long a result is kept',
  async (hours) => {
    const clock = new FakeClock()
    const tasks = tasksAt(clock)
    const one = await keptTask(tasks, clock)
    clock.jumpWall(hours * 3_600_000)
    clock.advance(1_000)
    one.finish()
    await settled()
    const { ttlMs } = one.task().handle()
    expect(Number(ttlMs)).toBeGreaterThan(taskKeptMs)
    expect(Number(ttlMs)).toBeLessThan(taskKeptMs + 10_000)
    clock.jumpWall(-hours * 3_600_000)
    clock.advance(taskKeptMs - 1)
    assert.ok(tasks.find(one.task().taskId))
  },
)

test('calls are answered without tasks when the limit of tasks is reached', async () => {
  const clock = new FakeClock()
  const tasks = tasksAt(clock)
  for (let at = 0; at < tasksMax; at++) await keptTask(tasks, clock)
  const one = held()
  const answer = tasks.answer(contextOf(declared), one.work)
  clock.advance(taskAfterMs)
  one.finish()
  assert.deepEqual(await answer, done)
})
