import assert from 'node:assert/strict'
import { toolVerbs, verbs } from '@agentpty/protocol/verbs'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { test } from 'vitest'
import { askTool } from './asking/ask-person.ts'
import { listTools, verbOfTool } from './tool-list.ts'

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

test.each(listTools().map((tool) => [tool.name, tool] as const))('%s says what it takes', (_name, tool) => {
  const { properties = {}, required = [], type } = tool.inputSchema
  const verb = verbOf(tool.name)
  assert.equal(type, 'object')
  assert.ok((tool.description ?? '').length > 10)
  for (const field of required) assert.ok(field in properties)
  // What the example shows must be explained, and accepted.
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
