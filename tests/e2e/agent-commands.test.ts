/** `agentpty agent …` as a person or a script uses it: a real daemon, and an agent that is a shell script. */

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Instance, program, until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

let instance: Instance
let gate: string

const question = Buffer.from('May I?').toString('base64')

/** It answers each task in the required fences. `hold` waits for the gate, `ask` asks back, `plain` has no fences, `die` ends it. */
const agentProgram = () => `#!/bin/sh
printf 'agent> '
while IFS= read -r task; do
  case "$task" in
    '') continue ;;
    IMPORTANT*) nonce=$(printf %s "$task" | grep -o 'RESPONSE-[a-z0-9]*' | head -n 1); task=$pending ;;
    plain*) echo "just $task"; printf 'agent> '; pending=plain; continue ;;
    *) pending=$task; continue ;;
  esac
  case "$task" in
    hold*) cat ${gate} > /dev/null ;;
    ask*)
      printf '\\033]7501;state=blocked:msg=${question}\\033\\\\may I? '
      read -r answer
      printf '\\033]7501;state=idle\\033\\\\' ;;
    plain) continue ;;
    die*) exit 3 ;;
    'be killed') kill -9 $$ ;;
  esac
  printf 'BEGIN-%s\\ndone: %s\\nEND-%s\\nagent> ' "$nonce" "$task" "$nonce"
done
`

beforeEach(() => {
  instance = scratchInstance()
  gate = join(instance.user, 'gate')
  execFileSync('mkfifo', [gate])
  writeFileSync(join(instance.user, 'tiny'), agentProgram(), { mode: 0o755 })
  const set = `agents:\n  tiny: {command: ${join(instance.user, 'tiny')}, response_fence: true, models: [small]}\n`
  writeFileSync(join(instance.home, 'config.yaml'), set)
})

const agent = (...args: readonly string[]) => instance.cli('agent', ...args)
const openGate = () => writeFileSync(gate, 'go\n')

async function printed(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await agent(...args)
  assert.deepEqual([code, stderr], [0, ''])
  return stdout
}

test('an agent is started with a task, awaited, asked for its answer, given a second task, and ended', async () => {
  assert.equal(await printed('spawn', 'tiny', 'count', 'the lines', '--name', 'one', '--cwd', '/tmp'), 'term-1\n')
  assert.equal(await printed('wait', 'one'), 'one  finished\n')
  assert.equal(await printed('answer', 'one'), 'done: count the lines\n')
  expect(await printed('ls')).toMatch(/^ID .*\nterm-1 +one +tiny +idle +task-1 +kept +- +\/tmp\n$/)
  assert.equal(await printed('send', 'one', 'and', 'sum up'), 'task-2\n')
  assert.equal(await printed('wait', 'term-1'), 'term-1  finished\n')
  assert.equal(await printed('answer', 'term-1'), 'done: and sum up\n')
  assert.equal(await printed('kill', 'one'), '')
  expect(await printed('ls')).toMatch(/^No agents\./)
})

test('programs get the same as JSON', async () => {
  const json = async (...args: readonly string[]) => JSON.parse(await printed(...args, '--json'))
  expect(await json('spawn', 'tiny', 'a')).toMatchObject({ terminal: { terminalId: 'term-1' }, taskId: 'task-1' })
  expect(await json('wait', 'term-1')).toMatchObject({ agents: [{ terminalId: 'term-1', outcome: 'finished' }] })
  expect(await json('answer', 'term-1')).toMatchObject({ output: 'done: a', taskId: 'task-1' })
  expect(await json('send', 'term-1', 'b')).toMatchObject({ taskId: 'task-2' })
  expect(await json('ls')).toMatchObject({ agents: [{ terminalId: 'term-1', type: 'tiny' }] })
  expect(await json('tree')).toMatchObject({ nodes: [{ terminalId: 'term-1', parentId: null }] })
  expect(await json('kill', 'term-1')).toEqual({ closed: ['term-1'] })
})

describe('a wait', () => {
  test('for any ends with the first finished agent, and a timeout names the late ones', async () => {
    await printed('spawn', 'tiny', 'hold on', '--name', 'slow')
    await printed('spawn', 'tiny', 'quick', '--name', 'fast')
    const first = await printed('wait', 'slow', 'fast', '--any')
    assert.equal(first, 'slow  still working\nfast  finished\n')
    expect(await agent('wait', 'slow', '--timeout', '1')).toMatchObject({ code: 4, stdout: 'slow  not yet\n' })
    const both = agent('wait', 'slow', 'fast')
    openGate()
    expect(await both).toMatchObject({ code: 0, stdout: 'slow  finished\nfast  finished\n' })
  })

  test('ends with the question of an agent that asks, or continues until it is answered', async () => {
    await printed('spawn', 'tiny', 'ask me')
    const asks = 'term-1  asks: May I?   Answer it: agentpty agent reply term-1\n'
    expect(await agent('wait', 'term-1')).toMatchObject({ code: 1, stdout: asks })
    expect(await agent('answer', 'term-1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('asks something first: May I?'),
    })
    expect(await agent('send', 'term-1', 'more')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('shows a dialog'),
    })
    const waiting = agent('wait', 'term-1', '--through-dialogs')
    await instance.cli('send', 'term-1', 'yes', '--wait', 'none')
    expect(await waiting).toMatchObject({ code: 0, stdout: 'term-1  finished\n' })
    assert.equal(await printed('answer', 'term-1'), 'done: ask me\n')
  })

  test('reports how the program of an agent has ended', async () => {
    await printed('spawn', 'tiny', 'die')
    expect(await agent('wait', 'term-1')).toMatchObject({ code: 5, stdout: 'term-1  ended with 3\n' })
    await printed('spawn', 'tiny', 'be killed')
    expect(await agent('wait', 'term-2')).toMatchObject({ code: 5, stdout: 'term-2  ended with SIGKILL\n' })
  })
})

describe('an error names the next step', () => {
  test.each<[string, readonly string[], number, RegExp]>([
    ['a missing agent', ['spawn', 'nosuch-agent'], 1, /no agent or command "nosuch-agent".\n.*agentpty agents/],
    ['an unknown model', ['spawn', 'tiny', '--model', 'large'], 2, /no model "large".\nThere are: small/],
    ['a missing terminal', ['wait', 'nowhere'], 1, /No terminal "nowhere"/],
    ['no task at all', ['send', 'x'], 2, /agent send takes ID TEXT.*\nSee: agentpty agent send --help/],
    [
      'an unknown command',
      ['spawm'],
      2,
      /no command "agent spawm".\nDid you mean: agentpty agent spawn\nAll commands: agentpty agent --help/,
    ],
    [
      'no command',
      [],
      2,
      /agent takes one of: spawn, fork, resume, send, wait, reply, answer, message, inbox, ls, tree, pause, continue, kill.\nSee: agentpty agent --help/,
    ],
  ])('%s', async (_what, args, code, stderr) => {
    expect(await agent(...args)).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(stderr) })
  })

  test('a working agent has no answer yet, and one without fences shows its screen on request', async () => {
    await printed('spawn', 'tiny', 'hold')
    expect(await agent('answer', 'term-1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('agentpty agent wait term-1'),
    })
    expect(await agent('send', 'term-1', 'more', '--timeout', '1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('still at work'),
    })
    openGate()
    await printed('wait', 'term-1')
    await printed('send', 'term-1', 'plain', '--no-fences')
    await printed('wait', 'term-1')
    expect(await agent('answer', 'term-1')).toMatchObject({ code: 1, stderr: expect.stringContaining('--screen') })
    expect(await printed('answer', 'term-1', '--screen')).toContain('just plain')
  })

  test('a terminal without an agent cannot be ended as one', async () => {
    await instance.cli('new', '--name', 'shell')
    const refused = await agent('kill', 'shell')
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/is the terminal of no agent.*\n.*agentpty close shell/),
    })
    expect((await instance.cli('ls')).stdout).toContain('shell')
  })
})

test('the tree shows which agent started which, and is redrawn at each change', async () => {
  await instance.cli('new', '--name', 'shell', '--wait', 'ready')
  const line = `${process.execPath} ${program} agent spawn tiny hold`
  await instance.cli('send', 'shell', line, '--wait', 'text:term-2')
  expect(await printed('tree')).toMatch(/^shell +term-1 .*\n└─ term-2 +working +\d+s +tiny /)
  expect(await printed('tree', 'term-2')).toMatch(/^term-2 +working/)
  const missing = await instance.cli('tree', 'nosuch')
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing in the tree is called "nosuch"') })
  const child = spawn(process.execPath, [program, 'agent', 'tree', 'term-2', '--follow'], { env: { ...instance.env } })
  let shown = ''
  child.stdout.on('data', (bytes) => (shown += bytes))
  const ended = new Promise((settle) => child.on('close', settle))
  await until(() => shown.includes('working'))
  openGate()
  await until(() => shown.includes('idle'))
  child.kill('SIGINT')
  assert.equal(await ended, 0)
})

test('q leaves the live tree', async () => {
  const rpc = await instance.rpc()
  const waitFor = [{ text: 'q leaves' }]
  const command = [process.execPath, program, 'tree']
  const { terminalId } = await rpc.call('create', { command, waitFor, waitTimeoutMs: 30_000 })
  const left = await rpc.call('sendKeys', { terminalId, keys: ['q'], waitFor: 'exit' })
  expect(left).toMatchObject({ state: 'exited', exitCode: 0 })
})

test('help and completion cover the commands of two words', async () => {
  expect(await printed('--help')).toContain('agent spawn TYPE')
  expect(await printed('wait', '--help')).toContain('agentpty agent wait ID...')
  expect((await instance.cli('help', 'agent', 'kill')).stdout).toContain('agentpty agent kill ID...')
  const complete = async (...words: readonly string[]) =>
    (await instance.cli('__complete', ...words)).stdout.split('\n').map((row) => row.split('\t')[0])
  expect(await complete('age')).toEqual(['agents', 'agent', ''])
  expect(await complete('agent', 'w')).toEqual(['wait', ''])
  expect(await complete('agent', 'spawn', 't')).toEqual(['tiny', ''])
  expect(await complete('agent', 'wait', '--a')).toEqual(['--any', ''])
})
