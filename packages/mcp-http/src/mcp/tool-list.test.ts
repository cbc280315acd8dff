import assert from 'node:assert/strict'
import type { ServerClient } from '@agentpty/protocol'
import { toolVerbs, verbs } from '@agentpty/protocol/verbs'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { askTool } from './asking/ask-person.ts'
import { brief, listTools, terminalToolset, verbOfTool } from './tool-list.ts'

const tokensMax = 1_500

function verbOf(tool: string) {
  const verb = verbOfTool(tool)
  return verb === undefined ? undefined : verbs[verb]
}

test(`all tools together, the one for clients with a person too, cost a model less than ${tokensMax} tokens`, () => {
  const tokens = encode(JSON.stringify({ tools: [...listTools(), askTool] })).length
  assert.ok(tokens < tokensMax, `${tokens} tokens`)
})

test('each verb for agents is a tool, under a name of its own', () => {
  const names = listTools().map(({ name }) => name)
  assert.equal(new Set(names).size, Object.keys(toolVerbs).length)
  for (const name of names) assert.equal(verbOf(name)?.tool, name)
  assert.equal(verbOfTool('terminal_fly'), undefined)
})

test.each(listTools().map((tool) => [tool.name, tool] as const))('%s describes its input', (_name, tool) => {
  const { properties = {}, required = [], type } = tool.inputSchema
  const verb = verbOf(tool.name)
  assert.equal(type, 'object')
  assert.ok((tool.description ?? '').length > 10)
  for (const field of required) assert.ok(field in properties)
  // Every field of the example must be described, and accepted.
  for (const field of Object.keys(verb?.example as object)) assert.ok(field in properties, field)
  assert.ok(verb?.input.safeParse(verb.example).success)
})

test.each(
  listTools().flatMap(({ name, outputSchema }) => (outputSchema === undefined ? [] : [[name, outputSchema] as const])),
)('%s names only what its result can hold', (name, { properties = {} }) => {
  const output: unknown = verbOf(name)?.output
  const { shape } = output as { readonly shape: object }
  for (const field of Object.keys(properties as object)) assert.ok(field in shape, field)
})

test('a tool that only reads says so, and one that changes things does too', () => {
  const hints = new Map(listTools().map(({ name, annotations }) => [name, annotations]))
  assert.equal(hints.get('terminal_read')?.readOnlyHint, true)
  assert.equal(hints.get('terminal_close')?.destructiveHint, true)
})

const sure = { output: '$', cursor: 7, state: 'ready', kind: 'shell' }

test.each<[string, object, object]>([
  ['a wait that was met', { sent: true, outcome: 'met', ...sure, confidence: 'certain' }, sure],
  [
    'the keys that the caller sent',
    { sent: true, keys: ['escape'], sequences: ['\x1b'], ...sure, confidence: 'high' },
    sure,
  ],
  ['why a verdict is likely', { ...sure, confidence: 'medium', evidence: ['it waits'] }, sure],
])('a model does not read %s', (_what, result, want) => {
  assert.deepEqual(brief({ ...result }), want)
})

test.each<[string, object]>([
  ['that a wait ended otherwise', { outcome: 'timeout', output: '', cursor: 7, state: 'busy', evidence: ['it works'] }],
  ['why a verdict is doubtful', { ...sure, confidence: 'low', evidence: ['quiet for 2 s'] }],
  ['how a command ended', { ...sure, exitCode: 1 }],
  ['each terminal of a wait whole', { terminals: [{ terminalId: 'term-1', outcome: 'met', ...sure }] }],
])('a model reads %s', (_what, result) => {
  assert.deepEqual(brief({ ...result }), result)
})

test('long fields come last, because clients that shorten a result keep its beginning', () => {
  assert.deepEqual(Object.keys(brief({ ...sure })), ['cursor', 'state', 'kind', 'output'])
})

test('a verb is called with the bounds of the tool call, and without its caller', async () => {
  const asked: unknown[] = []
  const client = {
    call: async (...request: unknown[]) => ({ request: asked.push(request) }),
  } as unknown as ServerClient
  const { signal } = new AbortController()
  const progress = () => {}
  const input = { terminalId: 'term-1' }
  const origin = { client: 'agent-1', cwd: '/', scope: null, terminalId: null }
  const call = { client, caller: 'agent-1', origin, isForModel: true, signal }
  await terminalToolset.call('terminal_read', input, { ...call, progress, waitMsMax: 9_000 })
  await terminalToolset.call('terminal_read', input, call)
  expect(asked).toEqual([
    ['read', input, { signal, progress, waitMsMax: 9_000, numbersNames: true }],
    ['read', input, { signal, numbersNames: true }],
  ])
})
