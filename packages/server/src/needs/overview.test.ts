import type { OverviewEvent } from '@agentpty/protocol/session'
import { exampleApproval } from '@agentpty/protocol/testing'
import { expect, onTestFinished, test } from 'vitest'
import { openFakeEngine, pass } from '../fake-engine.ts'

const quick = { waitFor: 'output', waitTimeoutMs: 0 } as const

function open() {
  const engine = openFakeEngine()
  onTestFinished(pass(engine.clock))
  const events = engine.client.watch({ overview: true })[Symbol.asyncIterator]()
  onTestFinished(async () => void (await events.return?.(undefined)))
  /** The next event for which it holds. */
  const until = async (holds: (event: OverviewEvent) => boolean): Promise<OverviewEvent> => {
    for (;;) {
      const { value } = await events.next()
      if (value === undefined) throw new Error('it is over')
      if (holds(value)) return value
    }
  }
  return { ...engine, until }
}

test('first come all terminals, then those that have changed, and which are gone', async () => {
  const { client, pty, until } = open()
  await client.call('create', { name: 'one', command: ['cat'], ...quick })
  await client.call('create', { name: 'two', command: ['cat'], ...quick })
  const first = await until(({ isWhole }) => isWhole)
  expect(first.terminals.map(({ terminalId, name, program }) => [terminalId, name, program])).toEqual([
    ['term-1', 'one', 'cat'],
    ['term-2', 'two', 'cat'],
  ])
  expect(first.needs).toEqual([])
  pty(2).prints('\x1b]2;a title\x07hello\r\n')
  const changed = await until(({ terminals }) => terminals.some(({ title }) => title === 'a title'))
  expect(changed).toMatchObject({ isWhole: false, gone: [], needs: null })
  expect(changed.terminals.map(({ terminalId }) => terminalId)).toEqual(['term-2'])
  expect(changed.terminals[0]?.lastOutputAt).toSatisfy((at: number) => at % 1_000 === 0)
  await client.call('close', { terminalId: 'term-1' })
  expect((await until(({ gone }) => gone.length > 0)).gone).toEqual(['term-1'])
})

test('how a program ends is in its row, and a failure is a need until it is dismissed', async () => {
  const { client, pty, until } = open()
  await client.call('create', { name: 'build', command: ['make'], ...quick })
  await until(({ isWhole }) => isWhole)
  pty(1).exits({ code: 2, signal: null })
  const ended = await until(({ needs }) => needs !== null && needs.length > 0)
  expect(ended.terminals[0]).toMatchObject({ state: 'exited', exitCode: 2, need: 'failure' })
  expect(ended.needs).toMatchObject([
    { needId: 'term-1-ended', kind: 'failure', terminalId: 'term-1', title: 'build', answerBy: { verb: 'dismiss' } },
  ])
  await client.call('dismiss', { needId: 'term-1-ended' })
  const after = await until(({ needs }) => needs !== null)
  expect([after.needs, after.terminals[0]?.need]).toEqual([[], null])
  await expect(client.call('dismiss', { needId: 'term-1-ended' })).rejects.toMatchObject({ code: 'not_asking' })
})

test('a success, an end by a caller and the exit code of an interactive shell are no failures', async () => {
  const { client, pty } = open()
  for (const name of ['well', 'ended', 'interrupted']) await client.call('create', { name, command: ['x'], ...quick })
  await client.call('create', { name: 'shell', ...quick })
  pty(1).exits({ code: 0, signal: null })
  pty(2).exits({ code: null, signal: 'SIGTERM' })
  pty(3).exits({ code: 130, signal: null })
  pty(4).exits({ code: 1, signal: null })
  expect(await client.call('needs', {})).toEqual({ needs: [] })
})

test('a failure that was seen is not reported again', async () => {
  const { client, pty } = open()
  await client.call('create', { command: ['make'], ...quick })
  pty(1).exits({ code: 2, signal: null })
  expect((await client.call('needs', {})).needs).toHaveLength(1)
  for await (const { type } of client.follow('term-1', { output: { from: 'screen' } })) if (type === 'exit') break
  expect(await client.call('needs', {})).toEqual({ needs: [] })
})

test('one window among many on a wall is no look at a failure', async () => {
  const { client, pty } = open()
  await client.call('create', { command: ['make'], ...quick })
  pty(1).exits({ code: 2, signal: null })
  const frames = { cols: 80, rows: 24, isPinned: true }
  for await (const { type } of client.follow('term-1', { frames })) if (type === 'exit') break
  expect((await client.call('needs', {})).needs).toHaveLength(1)
})

test('a slow reader gets one event with all that has changed since the last', async () => {
  const { client, pty, until, clock } = open()
  await client.call('create', { command: ['cat'], ...quick })
  await until(({ isWhole }) => isWhole)
  for (const title of ['a', 'b', 'c']) {
    pty(1).prints(`\x1b]2;${title}\x07`)
    const seen = clock.now() + 600
    while (clock.now() < seen) await new Promise((resolve) => setImmediate(resolve))
  }
  expect((await until(() => true)).terminals[0]?.title).toBe('c')
})

test('an approval is a need until it is decided, by the verb that it names', async () => {
  const { client, approvals, until } = open()
  await until(({ isWhole }) => isWhole)
  const { approvalId } = approvals.ask('a wish', () => ({ ...exampleApproval, terminalId: null }))
  const { needs } = await until((event) => event.needs !== null)
  expect(needs).toMatchObject([
    {
      needId: approvalId,
      kind: 'approval',
      options: ['allow', 'deny'],
      answerBy: { verb: 'decide', answer: 'answer' },
    },
  ])
  await client.call('decide', { approvalId, answer: 'deny' })
  expect((await until((event) => event.needs !== null)).needs).toEqual([])
})

test('a caller with a scope sees its own terminals and needs alone', async () => {
  const { client, clientOf, pty, approvals } = open()
  const scoped = clientOf({ scope: { id: 'a', name: 'a', holds: () => true } })
  await client.call('create', { name: 'foreign', command: ['make'], ...quick })
  await scoped.call('create', { name: 'own', command: ['make'], ...quick })
  for (const number of [1, 2]) pty(number).exits({ code: 2, signal: null })
  approvals.ask('a wish', () => ({ ...exampleApproval, terminalId: null }))
  const events = scoped.watch({ overview: true })[Symbol.asyncIterator]()
  const { value } = await events.next()
  await events.return?.(undefined)
  expect(value?.terminals.map(({ name }: { readonly name: string | null }) => name)).toEqual(['own'])
  expect((await scoped.call('needs', {})).needs.map(({ title }) => title)).toEqual(['own'])
  expect((await client.call('needs', {})).needs).toHaveLength(3)
  await expect(scoped.call('dismiss', { needId: 'term-1-ended' })).rejects.toMatchObject({ code: 'not_asking' })
})

test('a caller that may only read sees the terminals of others, and answers nothing', async () => {
  const { client, clientOf, pty } = open()
  for (const name of ['shown', 'hidden']) await client.call('create', { name, command: ['make'], ...quick })
  pty(1).exits({ code: 2, signal: null })
  const seenBy = async (terminalId: string | null) => {
    const scope = { id: 'device-1', name: 'read-only', holds: () => true, view: { terminalId } }
    const events = clientOf({ scope }).watch({ overview: true })[Symbol.asyncIterator]()
    const { value } = await events.next()
    await events.return?.(undefined)
    return [value?.terminals.map(({ name }: { readonly name: string | null }) => name), value?.needs]
  }
  expect(await seenBy('term-1')).toEqual([['shown'], []])
  expect(await seenBy(null)).toEqual([['shown', 'hidden'], []])
})

test('groups are reported to all watchers, with their members and what callers say of them', async () => {
  const { client, until } = open()
  await client.call('create', { name: 'build', command: ['cat'], ...quick })
  expect((await until(({ isWhole }) => isWhole)).nodes).toEqual([])
  const group = {
    kind: 'add',
    nodeKind: 'group',
    label: 'team',
    role: 'group',
    parentId: null,
    terminalId: null,
  } as const
  const { nodeId } = (await client.call('changeLineage', { change: group })).node
  await client.call('changeLineage', { change: { kind: 'move', nodeId: 'term-1', parentId: nodeId } })
  await client.call('changeLineage', { change: { kind: 'describe', nodeId: 'term-1', status: 'blocked' } })
  const { nodes } = await until((event) => event.nodes?.some(({ status }) => status === 'blocked') === true)
  expect(nodes).toMatchObject([
    { terminalId: 'term-1', parentId: nodeId, status: 'blocked' },
    { nodeId, terminalId: null, parentId: null, label: 'team', kind: 'group' },
  ])
  await client.call('changeLineage', { change: { kind: 'remove', nodeId } })
  const after = await until((event) => event.nodes?.length === 1)
  expect(after.nodes).toMatchObject([{ terminalId: 'term-1', parentId: null }])
})

test('a subtree that is stopped during a watch stays whole, and says so', async () => {
  const { client, until } = open()
  for (const name of ['lead', 'part']) await client.call('create', { name, command: ['cat'], ...quick })
  await until(({ isWhole }) => isWhole)
  await client.call('changeLineage', { change: { kind: 'move', nodeId: 'term-2', parentId: 'term-1' } })
  const watched = until(
    (event) => event.nodes?.every(({ status }) => status === 'stopped') === true && event.nodes.length === 2,
  )
  expect(await client.call('stopLineage', { nodeId: 'term-1', nodes: 'keep' })).toMatchObject({
    stopped: 2,
    failed: [],
  })
  expect((await watched).nodes).toMatchObject([
    { label: 'lead', terminalId: null, parentId: null },
    { label: 'part', terminalId: null, parentId: 'node-term-1' },
  ])
})

test('a scope sees its own groups alone', async () => {
  const { client, clientOf } = open()
  const scoped = clientOf({ scope: { id: 'a', name: 'a', holds: () => true } })
  const add = (label: string) =>
    ({ change: { kind: 'add', nodeKind: 'group', label, role: 'group', parentId: null, terminalId: null } }) as const
  await client.call('changeLineage', add('foreign'))
  await scoped.call('changeLineage', add('own'))
  const events = scoped.watch({ overview: true })[Symbol.asyncIterator]()
  const { value } = await events.next()
  await events.return?.(undefined)
  expect(value?.nodes?.map(({ label }: { readonly label: string }) => label)).toEqual(['own'])
})
