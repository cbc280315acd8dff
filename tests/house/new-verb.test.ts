/** A new verb needs a contract, a handler and its name in the list: no interface and no page is changed by hand. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')

const contract = `
import * as z from 'zod'
import { TerminalId } from '../call/terminal-fields.ts'
import { defineVerb } from './verb.ts'

export const countRows = defineVerb({
  name: 'countRows',
  tool: 'terminal_count_rows',
  title: 'Count rows',
  summary: 'How many rows a terminal has.',
  effect: 'reads',
  touches: ['terminalId'],
  safety: { types: null, starts: null, yields: null, callers: 'viewer' },
  journal: null,
  words: { cli: 'agentpty screen', library: 'client.call("countRows")' },
  input: z.strictObject({ terminalId: TerminalId, doubled: z.boolean().default(false).describe('Twice as many.') }),
  output: z.object({ count: z.number().int().describe('The rows.') }),
  example: { terminalId: 'term-1' },
  answer: { count: 30 },
})
`

const handler = `
  countRows: async ({ host }, { terminalId, doubled }) => {
    const { rows } = host.find(terminalId).size
    return { count: doubled ? 2 * rows : rows }
  },
`

/** Reads from each interface what it knows of the verb. */
const script = `
import { terminalToolset } from '@agentpty/mcp-http/mcp'
import { errorInWordsOf } from '@agentpty/protocol/call'
import { WireClient } from '@agentpty/protocol/wire'
import { WireServer } from '@agentpty/protocol/wire-server'
import { openFakeEngine } from '@agentpty/server/testing'

const { client } = openFakeEngine()
let deliver
const server = new WireServer({ client, room: () => null, send: (message) => deliver(message) })
const wire = { open: ({ message }) => { deliver = message }, send: (message) => void server.receive(message), close() {} }
const remote = new WireClient(wire)
const { terminalId } = await client.call('create', { command: ['cat'], rows: 24, waitFor: 'output', waitTimeoutMs: 0 })
const { tools } = terminalToolset
const refused = await client.call('countRows', {}).catch((error) => errorInWordsOf('cli', error))
console.log(JSON.stringify({
  here: await client.call('countRows', { terminalId }),
  remote: await remote.call('countRows', { terminalId, doubled: true }),
  tool: tools.find(({ name }) => name === 'terminal_count_rows'),
  answer: (await terminalToolset.call('terminal_count_rows', { terminalId }, { client, isForModel: true })).text,
  refused: refused.message,
}))
process.exit()
`

let copy: string
beforeAll(() => {
  // Inside the project, so that its modules are found.
  copy = mkdtempSync(join(root, 'node_modules', '.new-verb-'))
  cpSync(join(root, 'package.json'), join(copy, 'package.json'))
  mkdirSync(join(copy, 'node_modules', '@agentpty'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules', '@agentpty'))) {
    const folder = join('packages', name)
    for (const part of ['src', 'package.json'])
      cpSync(join(root, folder, part), join(copy, folder, part), { recursive: true })
    symlinkSync(join(copy, folder), join(copy, 'node_modules', '@agentpty', name))
  }
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

test('it is callable here and over the wire, is a tool, and errors name it in the words of each interface', () => {
  writeFileSync(join(copy, 'packages/protocol/src/verbs/count-rows.ts'), contract)
  const handlers = join(copy, 'packages/server/src/terminals/handlers.ts')
  writeFileSync(handlers, readFileSync(handlers, 'utf8').replace('\n  create,\n', `\n  create,${handler}`))
  const list = join(copy, 'packages/protocol/src/verbs/verbs.ts')
  const listed = readFileSync(list, 'utf8')
    .replace(/^import /m, "import { countRows } from './count-rows.ts'\nimport ")
    .replace('  answer,\n', '  answer,\n  countRows,\n')
  writeFileSync(list, listed)
  assert.match(listed, /^ {2}countRows,$/m)
  const seen = JSON.parse(run('ask', script))
  expect(seen).toMatchObject({
    here: { count: 24 },
    remote: { count: 48 },
    tool: { description: 'How many rows a terminal has.', annotations: { readOnlyHint: true } },
    answer: '{"count":24}',
  })
  expect(Object.keys(seen.tool.inputSchema.properties)).toEqual(['terminalId', 'doubled'])
  expect(seen.refused).toContain('agentpty screen: ID:')
})

/** The output of the script. */
function run(name: string, text: string): string {
  writeFileSync(join(copy, `${name}.mts`), text)
  return execFileSync(process.execPath, ['--import', 'tsx', `${name}.mts`], { cwd: copy, encoding: 'utf8' })
}
