/** Any start request for a program: it runs, or only that call is refused with the limit, without other effects. */

import { readFileSync } from 'node:fs'
import type { VerbInput } from '@agentpty/protocol/verbs'
import type { WireClient } from '@agentpty/protocol/wire'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { McpCaller } from '../harness/mcp-caller.ts'
import { scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()
let rpc: WireClient
let mcp: McpCaller
let daemonPid: number
let firstId: string

beforeAll(async () => {
  rpc = await instance.rpc()
  mcp = await instance.mcp()
  daemonPid = (await instance.status()).daemon.pid
  firstId = (await rpc.call('create', { command: ['cat'] })).terminalId
})

afterEach(async () => {
  expect((await rpc.call('send', { terminalId: firstId, text: 'still here' })).output).toContain('still here')
  expect((await instance.status()).daemon.pid).toBe(daemonPid)
  expect(readFileSync(instance.paths.log, 'utf8')).toBe('')
})

const many = (count: number, text: string) => Array.from({ length: count }, () => text)
const variables = (count: number, value: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`V${index}`, value]))

const refused: readonly (readonly [what: string, input: VerbInput<'create'>, message: RegExp])[] = [
  ['a NUL in a command', { command: 'echo a\0b' }, /command.*NUL/],
  ['a NUL in an argument', { command: ['echo', 'a\0b'] }, /command\.1.*NUL/],
  ['a NUL in the program', { command: ['\0'] }, /command\.0.*NUL/],
  ['a NUL in a value', { env: { A: 'a\0b' } }, /env\.A.*NUL/],
  ['a NUL in a name', { env: { 'A\0': 'a' } }, /env.*NUL/],
  ['an empty name', { env: { '': 'a' } }, /env.*not empty/],
  ['a name with =', { env: { 'A=B': 'a' } }, /env.*"="/],
  ['a NUL in the shell', { shell: '/bin/sh\0' }, /shell.*NUL/],
  ['a NUL in the cwd', { cwd: '/tmp\0' }, /cwd.*NUL/],
  ['a cwd that is too long', { cwd: `/${'x'.repeat(5_000)}` }, /cwd.*4095 bytes/],
  ['a name with a NUL', { name: 'a\0' }, /name/],
  ['a line of 300 KB', { command: 'é'.repeat(150_000) }, /command.*131071 bytes/],
  ['an argument of 200 KB', { command: ['echo', 'x'.repeat(200_000)] }, /command\.1.*131071 bytes/],
  ['a value of 200 KB', { env: { A: 'x'.repeat(200_000) } }, /env\.A.*131071 bytes/],
  ['a shell of 100 KB', { shell: `/${'x'.repeat(100_000)}` }, /kept.*16384/],
  ['4,100 variables', { env: variables(4_100, 'x') }, /variables.*4096/],
  ['3 MB of environment', { env: variables(30, 'x'.repeat(100_000)) }, /bytes.*1835008/],
  ['3 MB of arguments', { command: many(30, 'x'.repeat(100_000)) }, /bytes.*1835008/],
  ['1,001 arguments', { command: many(1_001, 'x') }, /command.*1000/],
]

test.each(refused)('%s is refused with the limit, by every interface', async (_what, input, message) => {
  const refusal = { code: 'invalid_input', message: expect.stringMatching(message) }
  await expect(rpc.call('create', input)).rejects.toMatchObject(refusal)
  await expect(mcp.call('create', input)).rejects.toMatchObject(refusal)
})

test.each<[string, VerbInput<'run'>, RegExp]>([
  ['a NUL in a command', { command: 'echo a\0b' }, /command.*NUL/],
  ['a NUL in the cwd', { command: 'pwd', cwd: '/tmp\0' }, /cwd.*NUL/],
  ['a cwd that is too long', { command: 'pwd', cwd: `/${'x'.repeat(5_000)}` }, /cwd.*4095 bytes/],
  ['a line of 300 KB', { command: '漢'.repeat(100_000) }, /300000 bytes.*131071/],
  ['a line of 100,001 characters', { command: 'x'.repeat(100_001) }, /command.*100000/],
])('%s to run is refused with the limit', async (_what, input, message) => {
  const refusal = { code: 'invalid_input', message: expect.stringMatching(message) }
  await expect(rpc.call('run', input)).rejects.toMatchObject(refusal)
})

test('a text with more bytes than a call may type is refused as a whole', async () => {
  const sent = rpc.call('send', { terminalId: firstId, text: '漢'.repeat(8 << 20) })
  await expect(sent).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringMatching(/text.*8388608 bytes/),
  })
})

test.each<[string, number]>([
  ['a command of 70,000 characters', 70_000],
  ['a command of 100,000 characters', 100_000],
])('%s runs to its end', async (_what, length) => {
  const line = `: ${'x'.repeat(length - 20)}; echo done`
  expect(await rpc.call('run', { command: line })).toMatchObject({ exitCode: 0, output: 'done' })
})

test('a thousand arguments of 100 KB in all, and 4,000 variables, reach the program', async () => {
  const counting = 'echo "$# $(printf %s "$*" | wc -c) $(env | grep -c ^V)"'
  const command = ['sh', '-c', counting, ...many(997, 'x'.repeat(99))]
  const { output } = await rpc.call('create', { command, env: variables(4_000, 'x'), waitFor: 'exit' })
  expect(output).toBe(`996 ${996 * 99 + 995} 4000`)
})

test('a terminal with many notes is renamed, listed, and still there for the next daemon', async () => {
  const other = scratchInstance()
  const before = await other.rpc()
  const command = ['sh', '-c', `sleep 1000 # ${'\u0001'.repeat(60_000)}`]
  const { terminalId } = await before.call('create', { command, waitFor: 'none' })
  await before.call('rename', { terminalId, name: 'n'.repeat(64) })
  await other.killDaemon()
  const after = await other.rpc()
  expect((await after.call('list', {})).terminals).toMatchObject([{ terminalId, name: 'n'.repeat(64) }])
})
