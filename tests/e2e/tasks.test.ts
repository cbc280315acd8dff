/** Calls that become tasks, and subscriptions to tasks and terminals, without a client library. */

import assert from 'node:assert/strict'
import {
  createTaskSessionFromClient,
  type JsonRpcResponse,
  type RawClientDispatch,
  resultFromTaskOutcome,
} from '@modelcontextprotocol/ext-tasks/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { knowsTasks, overHttp, overStdio, postRaw, type RawRequest, type Wire } from '../harness/mcp-wire.ts'
import { scratchInstance } from '../harness/scratch.ts'

type JsonValue = Parameters<RawClientDispatch>[0]

const instance = scratchInstance()
const wires: Record<string, Wire> = {}

beforeAll(async () => {
  wires['stdio'] = overStdio(instance)
  wires['HTTP'] = await overHttp(instance)
})

afterAll(async () => {
  for (const wire of Object.values(wires)) wire.close()
})

const call = (name: string, args: object) => ({ name, arguments: args })

/** A program that prints nothing until it gets a line. */
async function holding(wire: Wire): Promise<{ readonly terminalId: string; release(): Promise<void> }> {
  const created = await wire.request('tools/call', call('terminal_create', { command: 'read word; echo got $word' }))
  assert.ok(created.result)
  const { terminalId } = created.result['structuredContent'] as { terminalId: string }
  const release = async () => {
    await wire.request('tools/call', call('terminal_send', { terminalId, text: 'on', waitFor: 'none' }))
  }
  return { terminalId, release }
}

const waitsForExit = (terminalId: string) =>
  call('terminal_wait', { terminalIds: [terminalId], waitFor: 'exit', waitTimeoutMs: 3_600_000 })

describe.each(['stdio', 'HTTP'])('over %s', (way) => {
  const wire = () => wires[way] as Wire

  async function startTask() {
    const holder = await holding(wire())
    const { result } = await wire().request('tools/call', waitsForExit(holder.terminalId), knowsTasks)
    assert.ok(result)
    return { ...holder, taskId: String(result['taskId']), handle: result }
  }

  test('a long wait is answered with a handle, and its result is sent when ready', async () => {
    const { taskId, handle, terminalId, release } = await startTask()
    expect(handle).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null })
    const listening = wire().listen({ taskIds: [taskId, 'unknown'] }, knowsTasks)
    const { method, params } = await listening.next()
    assert.equal(method, 'notifications/subscriptions/acknowledged')
    expect(params?.['notifications']).toEqual({ taskIds: [taskId] })
    await release()
    const notice = await listening.next()
    assert.equal(notice.method, 'notifications/tasks')
    expect(notice.params).toMatchObject({ taskId, status: 'completed' })
    const { result } = await wire().request('tasks/get', { taskId }, knowsTasks)
    expect(result).toMatchObject({ resultType: 'complete', taskId, status: 'completed' })
    expect(result?.['result']).toEqual(notice.params?.['result'])
    expect(result?.['result']).toMatchObject({
      structuredContent: { terminals: [{ terminalId, state: 'exited', outcome: 'met', exitCode: 0 }] },
    })
    assert.ok(Number(result?.['ttlMs']) >= 3_600_000)
    listening.end()
  })

  test('a client that subscribes after the end is notified immediately', async () => {
    const { taskId, release } = await startTask()
    await release()
    const done = wire().listen({ taskIds: [taskId] }, knowsTasks)
    await done.next()
    expect((await done.next()).params).toMatchObject({ taskId, status: 'completed' })
    const late = wire().listen({ taskIds: [taskId] }, knowsTasks)
    await late.next()
    expect((await late.next()).params).toMatchObject({ taskId, status: 'completed' })
    for (const listening of [done, late]) listening.end()
  })

  test('a cancelled task ends, and its terminal does not', async () => {
    const { taskId, terminalId, release } = await startTask()
    expect((await wire().request('tasks/cancel', { taskId }, knowsTasks)).result).toMatchObject({
      resultType: 'complete',
    })
    const { result } = await wire().request('tasks/get', { taskId }, knowsTasks)
    expect(result).toMatchObject({ status: 'cancelled', statusMessage: expect.stringContaining('terminal goes on') })
    await release()
    const { result: seen } = await wire().request('tools/call', call('terminal_read', { terminalId, waitFor: 'exit' }))
    expect(seen?.['structuredContent']).toMatchObject({ output: expect.stringContaining('got on') })
  })

  test('a client without tasks has its call answered, however long it takes', async () => {
    const { terminalId, release } = await holding(wire())
    const answer = wire().request('tools/call', waitsForExit(terminalId))
    await release()
    expect((await answer).result).toMatchObject({ resultType: 'complete', content: [{ type: 'text' }] })
  })

  test('a short call is not a task', async () => {
    const { result } = await wire().request('tools/call', call('terminal_run', { command: 'echo quick' }), knowsTasks)
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { exitCode: 0 } })
  })

  test.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('%s needs a client that knows tasks', async (method) => {
    const params = { taskId: 'x', inputResponses: {} }
    expect((await wire().request(method, params)).error).toMatchObject({
      code: -32_021,
      data: { requiredCapabilities: knowsTasks },
    })
    expect((await wire().request(method, params, knowsTasks)).error).toMatchObject({
      code: -32_602,
      message: expect.stringContaining('No task "x"'),
    })
  })

  test('subscribing to tasks needs one too', async () => {
    expect(
      (
        await wire()
          .listen({ taskIds: ['x'] })
          .next()
      ).error,
    ).toMatchObject({ code: -32_021 })
  })

  test('a subscriber to a terminal is notified of its output and of new terminals', async () => {
    const { terminalId, release } = await holding(wire())
    const uri = `terminal://${terminalId}/log`
    await wire().request('resources/list', {})
    const listening = wire().listen({ resourceSubscriptions: [uri, 'task:x'], resourcesListChanged: true })
    const notifications = { resourcesListChanged: true, resourceSubscriptions: [uri] }
    expect((await listening.next()).params).toMatchObject({ notifications })
    await release()
    expect(await listening.next()).toMatchObject({ method: 'notifications/resources/updated', params: { uri } })
    await holding(wire())
    expect(await listening.next()).toMatchObject({ method: 'notifications/resources/list_changed' })
    listening.end()
  })
})

test('any client can read a task, also over another connection', async () => {
  const { stdio, HTTP } = wires
  assert.ok(stdio && HTTP)
  const { terminalId, release } = await holding(stdio)
  const { result } = await stdio.request('tools/call', waitsForExit(terminalId), knowsTasks)
  const listening = HTTP.listen({ taskIds: [result?.['taskId']] }, knowsTasks)
  await listening.next()
  await release()
  expect((await listening.next()).params).toMatchObject({ status: 'completed' })
  listening.end()
})

test('the protocol’s own library for tasks runs a long command', async () => {
  const { http } = await instance.status()
  const caller = await instance.http('new', '', knowsTasks)
  const statuses: unknown[] = []
  const rawDispatch = async (request: JsonValue) => {
    const whole = { jsonrpc: '2.0', id: 1, ...(request as object) } as unknown as RawRequest
    const message = await postRaw(`${http?.url}/mcp`, await instance.token(), whole)
    statuses.push(message.result?.['status'])
    return message as unknown as JsonRpcResponse
  }
  const session = createTaskSessionFromClient(caller.protocol, {
    endpointId: 'agentpty',
    rawDispatch,
    v2RequestFraming: {
      protocolVersion: '2026-07-28',
      clientInfo: { name: 'requester', version: '1' },
      clientCapabilities: knowsTasks,
    },
  })
  const execution = await session.callTool('terminal_run', { command: 'sleep 3; echo slept' })
  const { outcome } = await execution.settle()
  expect(resultFromTaskOutcome(outcome)).toMatchObject({ structuredContent: { output: 'slept', exitCode: 0 } })
  expect(statuses).toContain('working')
  await session.close()
})
