/** tty-use's door, with the session from its authors: a failing script, debugged with pdb. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { beforeAll, expect, test } from 'vitest'
import { until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()
let client: Client

interface State {
  readonly output: string
  readonly isWaiting: boolean
  readonly isOver: boolean
  readonly exitCode?: number
  readonly step: number
  readonly done: boolean
  readonly info: Readonly<Record<string, unknown>>
}

async function step(input: Readonly<Record<string, unknown>>): Promise<State & { readonly text: string }> {
  const { content, structuredContent, isError } = await client.callTool({ name: 'tty_use', arguments: { ...input } })
  assert.notEqual(isError, true, JSON.stringify(content))
  const [first] = content as readonly { readonly text: string }[]
  return { ...(structuredContent as unknown as State), text: first?.text ?? '' }
}

beforeAll(async () => {
  client = await instance.door('tty-use')
  writeFileSync(join(instance.user, 'sales_data.csv'), 'item,price\nbook,12.5\npen,free\n')
  writeFileSync(
    join(instance.user, 'analyze_sales.py'),
    'import csv\ntotal = 0.0\nfor row in csv.DictReader(open("sales_data.csv")):\n    total += float(row["price"])\nprint(total)\n',
  )
})

test('there is one tool, and it describes its input', async () => {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['tty_use'])
  expect(Object.keys(tools[0]?.inputSchema.properties ?? {})).toEqual([
    'input',
    'keys',
    'action',
    'reset',
    'waitTimeoutMs',
  ])
})

test('a failing script is debugged with pdb, step by step', async () => {
  expect((await step({ input: 'python3 analyze_sales.py' })).output).toContain(
    "could not convert string to float: 'free'",
  )
  expect(await step({ input: 'python3 -m pdb analyze_sales.py' })).toMatchObject({ isWaiting: true, isOver: false })
  expect((await step({ input: 'b 4' })).output).toContain('Breakpoint 1')
  await step({ input: 'c' })
  expect((await step({ input: 'p row' })).text).toBe("{'item': 'book', 'price': '12.5'}\n(Pdb) ")
  await step({ input: 'c' })
  expect((await step({ input: "p row['price']" })).text).toBe("'free'\n(Pdb) ")
  expect(await step({ input: 'q' })).toMatchObject({ output: '$ ', isWaiting: true })
})

test('the same session as an environment: reset, actions, and the end', async () => {
  expect(await step({ reset: true })).toMatchObject({ output: '$ ', step: 0, done: false, info: { kind: 'shell' } })
  const first = await step({ action: 'python3 -m pdb analyze_sales.py' })
  expect(first).toMatchObject({ step: 1, done: false, info: { state: 'ready', kind: 'repl' } })
  expect(await step({})).toMatchObject({ step: 1 })
  const failed = await step({ action: 'c' })
  expect(failed.output).toContain("could not convert string to float: 'free'")
  expect(await step({ action: 'p row' })).toMatchObject({ output: "{'item': 'pen', 'price': 'free'}\n(Pdb) ", step: 3 })
  expect((await step({ action: 'q' })).output).toContain('will be restarted')
  expect(await step({ action: ['ctrl+d'] })).toMatchObject({ step: 5, done: false, info: { kind: 'shell' } })
  expect(await step({ action: 'exit 3' })).toMatchObject({
    step: 6,
    done: true,
    info: { state: 'exited', exitCode: 3 },
  })
  expect(await step({ action: 'echo anew' })).toMatchObject({ output: 'anew\n$ ', step: 1, done: false })
})

test('keys are pressed, and without input only the screen is read', async () => {
  expect(await step({ input: 'cat', waitTimeoutMs: 2_000 })).toMatchObject({ isWaiting: true })
  await step({ input: 'said' })
  expect((await step({ keys: ['ctrl+c'] })).output).toContain('$')
  expect((await step({})).output).toContain('said\nsaid')
})

test('text with keys is typed first, and the keys follow', async () => {
  expect((await step({ input: 'echo on$((40 + 2))e', keys: ['enter'] })).text).toBe('on42e\n$ ')
  expect((await step({ input: 'XX', keys: ['ctrl+u', 'up', 'enter'] })).output).toContain('on42e\n$ ')
})

test('without input a call with a time waits for the program', async () => {
  const gate = join(instance.user, 'gate')
  execFileSync('mkfifo', [gate])
  expect(await step({ input: `cat ${gate}; echo opened`, waitTimeoutMs: 100 })).toMatchObject({ isWaiting: false })
  const working = await step({ waitTimeoutMs: 1 })
  expect(working).toMatchObject({ isWaiting: false, timedOut: true })
  expect(working.text).toContain('wait with waitTimeoutMs')
  const { step: taken } = working
  const waiting = step({ waitTimeoutMs: 30_000 })
  writeFileSync(gate, '')
  expect(await waiting).toMatchObject({ isWaiting: true, step: taken, output: expect.stringContaining('opened\n$ ') })
})

test('a command slower than the requested time is reported as working', async () => {
  const seen = await step({ input: `sh -c 'echo $((40 + 2)); exec sleep 100'`, waitTimeoutMs: 300 })
  expect(seen).toMatchObject({ isWaiting: false, timedOut: true })
  expect(seen.text).toContain('still works')
  // The program itself reports it: a shell that has not handed over the terminal yet drops a ctrl+c.
  await until(async () => (await step({ waitTimeoutMs: 1 })).output.includes('42'))
  expect(await step({ keys: ['ctrl+c'] })).toMatchObject({ isWaiting: true })
})

test('an ended shell is followed by a new one, and so is reset', async () => {
  await step({ input: 'here=1' })
  expect(await step({ input: 'exit 3' })).toMatchObject({ isOver: true, exitCode: 3 })
  expect((await step({ input: 'echo "[$here]"' })).text).toBe('[]\n$ ')
  await step({ input: 'here=1' })
  expect((await step({ reset: true, input: 'echo "[$here]"' })).text).toBe('[]\n$ ')
})

test('two callers have a terminal each', async () => {
  const other = await instance.door('tty-use')
  await step({ input: 'mine=1' })
  const { structuredContent } = await other.callTool({ name: 'tty_use', arguments: { input: 'echo "[$mine]"' } })
  expect(structuredContent).toMatchObject({ output: '[]\n$ ' })
})

test('an invalid call reports the problem and shows a valid one', async () => {
  const { isError, structuredContent } = await client.callTool({ name: 'tty_use', arguments: { typed: 'ls' } })
  expect(isError).toBe(true)
  expect(structuredContent).toMatchObject({ code: 'invalid_input', hint: expect.stringContaining('python3 -m pdb') })
})

test('toolsets can be given together, and an unknown one is named', async () => {
  const both = await instance.door('tty-use,terminal')
  const { tools } = await both.listTools()
  expect(tools.map(({ name }) => name)).toContain('terminal_send')
  const overlapping = await instance.door('terminal,terminal-agent')
  const names = (await overlapping.listTools()).tools.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
  const { code, stderr } = await instance.cli('mcp', '--toolset', 'tmux')
  expect(code).toBe(2)
  expect(stderr).toContain('There is no toolset "tmux".')
})
