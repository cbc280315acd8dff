/** termtile's door, as its users use it: every tool, with an agent that is a small program. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()
const gate = join(instance.user, 'gate')
let client: Client

type Args = Readonly<Record<string, unknown>>

const question = Buffer.from('May I?').toString('base64')

/** It answers each line in fences; `hold` waits for the gate, `ask` asks back, `quit` and `die` end it, `plain` has no fences. */
const agentProgram = `#!/bin/sh
printf 'agent> '
while IFS= read -r task; do
  case "$task" in
    hold*) cat ${gate} ;;
    ask)
      printf '\\033]7501;state=blocked:msg=${question}\\033\\\\may I? '
      read -r answer
      printf '\\033]7501;state=idle\\033\\\\' ;;
    quit) exit 0 ;;
    die) kill -9 $$ ;;
    plain*) echo "just $task"; printf 'agent> '; continue ;;
    mentions)
      printf '%s\\n' '[termtile-response]' 'Put it into [termtile-response] and [/termtile-response] tags.' \\
        'So [/termtile-response] ends it,' 'and this line belongs to it.' '[/termtile-response]'
      printf 'agent> '; continue ;;
    long) echo '[termtile-response]'; seq 200000; echo '[/termtile-response]'; printf 'agent> '; continue ;;
  esac
  echo '[termtile-response]'
  echo "done: $task"
  echo '[/termtile-response]'
  printf 'agent> '
done
`

/** It never reads, so that only its screen shows whether it is idle. */
const drawerProgram = `#!/bin/sh
printf 'thinking\\n'
cat ${gate}
case "$1" in
  ask) printf '\\033]7501;state=blocked:msg=${question}\\033\\\\\\n❯ ' ;;
  crash) printf '❯ \\n'; exit 3 ;;
  *) printf 'done\\n\\n❯ ' ;;
esac
exec sleep 1000
`

async function call(name: string, args: Args = {}) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: { ...args } })
  const [first] = content as readonly { readonly text: string }[]
  return { text: first?.text ?? '', structured: structuredContent, isError: isError === true }
}

/** The result of a successful call; its text is the same. */
async function answered(name: string, args: Args = {}): Promise<Record<string, unknown>> {
  const { text, structured, isError } = await call(name, args)
  assert.equal(isError, false, text)
  expect(JSON.parse(text)).toEqual(structured)
  return structured as Record<string, unknown>
}

async function refused(name: string, args: Args): Promise<string> {
  const { text, isError } = await call(name, args)
  assert.equal(isError, true, text)
  return text
}

const openGate = () => writeFileSync(gate, 'open\n')

beforeAll(async () => {
  mkdirSync(join(instance.user, 'bin'))
  writeFileSync(join(instance.user, 'bin', 'tiny-agent'), agentProgram, { mode: 0o755 })
  writeFileSync(join(instance.user, 'bin', 'drawer'), drawerProgram, { mode: 0o755 })
  const drawer = (task: string) =>
    `{ command: "${join(instance.user, 'bin/drawer')}", args: [${task}], idle_pattern: "❯", response_fence: false }`
  const missing = '  missing: { command: no-such-command }\n'
  const entries = ['draws', 'ask', 'crash'].map((name) => `  ${name}: ${drawer(name)}\n`)
  writeFileSync(join(instance.home, 'config.yaml'), `agents:\n${entries.join('')}${missing}`)
  // Only a shell that reads its user's files knows the agent's path.
  appendFileSync(join(instance.user, '.bashrc'), 'PATH=$HOME/bin:$PATH\n')
  execFileSync('mkfifo', [gate])
  client = await instance.door('termtile')
})

afterEach(async () => {
  const rpc = await instance.rpc()
  const { terminals } = await rpc.call('list', {})
  if (terminals.length > 0) await rpc.call('close', { terminalIds: terminals.map(({ terminalId }) => terminalId) })
  await rpc.close()
})

test('there are the eight tools', async () => {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    'spawn_agent',
    'send_to_agent',
    'read_from_agent',
    'wait_for_idle',
    'list_agents',
    'kill_agent',
    'get_artifact',
    'move_terminal',
  ])
})

describe('one agent', () => {
  test('is started with a task, awaited, read, and ended', async () => {
    expect(await answered('spawn_agent', { agent_type: 'tiny-agent', task: 'audit' })).toEqual({
      slot: 0,
      session_name: 'termtile-default-0',
      agent_type: 'tiny-agent',
      workspace: 'default',
      spawn_mode: 'window',
    })
    expect(await answered('wait_for_idle', { slot: 0 })).toEqual({
      is_idle: true,
      output: 'done: audit',
      session_name: 'termtile-default-0',
    })
    expect(await call('send_to_agent', { slot: 0, text: 'more' })).toMatchObject({
      text: 'Sent to slot 0 (target termtile-default-0)',
    })
    expect(await answered('wait_for_idle', { slot: 0 })).toMatchObject({ output: 'done: more' })
    expect(await answered('read_from_agent', { slot: 0, lines: 3 })).toEqual({
      output: 'done: more\n[/termtile-response]\nagent> ',
      session_name: 'termtile-default-0',
    })
    expect(await answered('kill_agent', { slot: 0 })).toEqual({ session_name: 'termtile-default-0', killed: true })
    expect(await refused('kill_agent', { slot: 0 })).toBe('no agent tracked in workspace "default" slot 0')
  })

  test('takes the lowest free slot of its workspace', async () => {
    const slotOf = async (args: Args) =>
      (await answered('spawn_agent', { agent_type: 'cat', window: false, ...args }))['slot']
    expect(await slotOf({ workspace: 'a' })).toBe(0)
    expect(await slotOf({ workspace: 'a' })).toBe(1)
    expect(await slotOf({ workspace: 'b' })).toBe(0)
    await answered('kill_agent', { workspace: 'a', slot: 0 })
    expect(await slotOf({ source_workspace: 'a' })).toBe(0)
    const both = await Promise.all([slotOf({ workspace: 'c' }), slotOf({ workspace: 'c' })])
    expect(both.toSorted()).toEqual([0, 1])
  })

  test('may be any command, in any folder, with its type named type', async () => {
    const cwd = join(instance.user, 'bin')
    expect(await answered('spawn_agent', { type: 'python3 -i', cwd, window: false })).toMatchObject({
      agent_type: 'python3 -i',
      spawn_mode: 'pane',
    })
    await call('send_to_agent', { slot: 0, text: 'import os; os.getcwd()' })
    expect(await answered('wait_for_idle', { slot: 0, lines: 2 })).toMatchObject({
      is_idle: true,
      output: expect.stringContaining(`'${cwd}'\n>>>`),
    })
  })

  test('of an unknown type is refused with the known ones', async () => {
    expect(await refused('spawn_agent', { agent_type: 'no-such-agent' })).toMatch(
      /^unknown agent type "no-such-agent"; available: \[(.* )?ask( .*)? crash( .*)? draws( .*)? missing( .*)?\]$/,
    )
    expect(await refused('spawn_agent', { agent_type: 'missing' })).toBe(
      'the command of agent type "missing" was not found',
    )
    expect(await answered('list_agents')).toEqual({ workspace: 'default', agents: [] })
  })

  test('of an unknown program has no model to choose', async () => {
    const message = await refused('spawn_agent', { agent_type: 'cat', model: 'large' })
    expect(message).toBe('Nothing is known of the models of cat.')
  })

  test('is listed with what it does', async () => {
    await answered('spawn_agent', { agent_type: 'tiny-agent', task: 'hold' })
    await answered('spawn_agent', { agent_type: 'cat', window: false })
    await until(async () => (await answered('list_agents'))['agents'] !== undefined)
    const common = { exists: true }
    expect(await answered('list_agents')).toEqual({
      workspace: 'default',
      agents: [
        {
          slot: 0,
          agent_type: 'tiny-agent',
          session_name: 'termtile-default-0',
          current_command: 'tiny-agent',
          is_idle: false,
          spawn_mode: 'window',
          ...common,
        },
        {
          slot: 1,
          agent_type: 'cat',
          session_name: 'termtile-default-1',
          current_command: 'cat',
          is_idle: true,
          spawn_mode: 'pane',
          ...common,
        },
      ],
    })
    expect(await answered('wait_for_idle', { slot: 0, timeout: 0.2 })).toMatchObject({ is_idle: false })
    openGate()
    expect(await answered('wait_for_idle', { slot: 0 })).toMatchObject({ is_idle: true, output: 'done: hold' })
  })

  test('that has ended is idle, and listed as gone', async () => {
    await answered('spawn_agent', { agent_type: 'tiny-agent', task: 'quit' })
    expect(await answered('wait_for_idle', { slot: 0 })).toMatchObject({ is_idle: true, exit_code: 0 })
    expect(await answered('list_agents')).toMatchObject({ agents: [{ exists: false, is_idle: true }] })
    expect(await refused('send_to_agent', { slot: 0, text: 'x' })).toContain('has ended')
  })

  test('that asks is not idle, and its question is returned', async () => {
    await answered('spawn_agent', { agent_type: 'tiny-agent', task: 'ask' })
    expect(await answered('wait_for_idle', { slot: 0 })).toMatchObject({ is_idle: false, question: 'May I?' })
    expect(await answered('list_agents')).toMatchObject({ agents: [{ is_idle: false }] })
    const second = answered('spawn_agent', { agent_type: 'cat', depends_on: [0] })
    await call('send_to_agent', { slot: 0, text: 'yes' })
    expect(await second).toMatchObject({ slot: 1 })
    expect(await answered('get_artifact', { slot: 0 })).toMatchObject({ output: 'done: ask' })
  })

  test('with an idle pattern is idle once its screen shows it, whatever its program does', async () => {
    await answered('spawn_agent', { agent_type: 'draws', window: false })
    expect(await answered('wait_for_idle', { slot: 0, timeout: 0.2 })).toMatchObject({ is_idle: false })
    const waiting = answered('wait_for_idle', { slot: 0 })
    openGate()
    expect(await waiting).toMatchObject({ is_idle: true, output: expect.stringContaining('done') })
    expect(await answered('list_agents')).toMatchObject({ agents: [{ is_idle: true }] })
  })

  test.each<[string, string, object]>([
    ['asks', 'ask', { question: 'May I?' }],
    ['has crashed', 'crash', { exit_code: 3 }],
  ])('that %s is not idle, although it shows its idle pattern', async (_what, type, more) => {
    await answered('spawn_agent', { agent_type: type, window: false })
    openGate()
    expect(await answered('wait_for_idle', { slot: 0 })).toMatchObject({ is_idle: false, ...more })
    expect(await answered('list_agents')).toMatchObject({ agents: [{ is_idle: false }] })
  })

  test('ended by a signal is not idle', async () => {
    await answered('spawn_agent', { agent_type: '$HOME/bin/tiny-agent', task: 'die', window: false })
    expect(await answered('wait_for_idle', { slot: 0 })).toMatchObject({ is_idle: false, signal: 'SIGKILL' })
    expect(await answered('list_agents')).toMatchObject({ agents: [{ exists: false, is_idle: false }] })
  })

  test('continues, with its slot and its type, when the daemon is killed', async () => {
    await answered('spawn_agent', { agent_type: 'tiny-agent', task: 'audit' })
    await instance.killDaemon()
    await until(async () => !(await call('list_agents')).isError)
    expect(await answered('list_agents')).toMatchObject({
      agents: [{ slot: 0, agent_type: 'tiny-agent', spawn_mode: 'window', exists: true }],
    })
  })
})

describe('reading', () => {
  test('gives the last lines, at most a hundred', async () => {
    await answered('spawn_agent', { agent_type: 'seq 300; cat', window: false })
    const lines = async (args: Args) =>
      String((await answered('read_from_agent', { slot: 0, ...args }))['output']).split('\n')
    await answered('read_from_agent', { slot: 0, pattern: '300' })
    expect(await lines({})).toHaveLength(50)
    expect(await lines({ lines: 3 })).toEqual(['298', '299', '300'])
    expect(await lines({ lines: 1_000 })).toHaveLength(100)
  })

  test('returns only the output since the last call', async () => {
    await answered('spawn_agent', { agent_type: 'tiny-agent', task: 'plain one' })
    await answered('wait_for_idle', { slot: 0 })
    const read = async () => (await answered('read_from_agent', { slot: 0, since_last: true }))['output']
    expect(await read()).toBe('agent> plain one\njust plain one\nagent> ')
    expect(await read()).toBe('')
    await call('send_to_agent', { slot: 0, text: 'plain two' })
    await answered('wait_for_idle', { slot: 0 })
    expect(await read()).toBe('agent> plain two\njust plain two\nagent> ')
  })

  test('waits for a text, or reports that it has not appeared', async () => {
    await answered('spawn_agent', { agent_type: 'tiny-agent', task: 'hold' })
    expect(await answered('read_from_agent', { slot: 0, pattern: 'done: hold', timeout: 0.2 })).toMatchObject({
      found: false,
      output: expect.stringContaining('hold'),
    })
    const waiting = answered('read_from_agent', { slot: 0, pattern: 'done: hold' })
    openGate()
    expect(await waiting).toMatchObject({ found: true, output: expect.stringContaining('done: hold') })
  })

  test('leaves frames out on request', async () => {
    const frame = "printf '╭──╮\\n│hi│\\n╰──╯\\n\\n\\n\\n\\n\\nlast\\n'; cat"
    await answered('spawn_agent', { agent_type: frame, window: false })
    await answered('read_from_agent', { slot: 0, pattern: 'last' })
    expect(await answered('read_from_agent', { slot: 0, clean: true })).toMatchObject({ output: '│hi│\n\n\nlast' })
  })
})

describe('artifacts', () => {
  test('are the last awaited answer', async () => {
    await answered('spawn_agent', { agent_type: 'tiny-agent' })
    expect(await refused('get_artifact', { slot: 0 })).toBe('no artifact for workspace "default" slot 0')
    await call('send_to_agent', { slot: 0, text: 'é' })
    await answered('wait_for_idle', { slot: 0 })
    expect(await answered('get_artifact', { slot: 0 })).toEqual({
      workspace: 'default',
      slot: 0,
      output: 'done: é',
      truncated: false,
      original_bytes: 8,
      stored_bytes: 8,
      last_updated_utc: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
    await answered('kill_agent', { slot: 0 })
    await answered('spawn_agent', { agent_type: 'tiny-agent' })
    expect(await refused('get_artifact', { slot: 0 })).toBe('no artifact for workspace "default" slot 0')
  })

  test('exist for every agent that has answered in fences, unasked', async () => {
    await answered('spawn_agent', { agent_type: 'tiny-agent', task: 'audit' })
    await answered('read_from_agent', { slot: 0, pattern: 'done: audit\n[/termtile-response]\nagent>' })
    await until(async () => !(await call('get_artifact', { slot: 0 })).isError)
    expect(await answered('get_artifact', { slot: 0 })).toMatchObject({ output: 'done: audit' })
  })

  test('have the tags that an answer mentions', async () => {
    await answered('spawn_agent', { agent_type: 'tiny-agent', task: 'mentions' })
    expect(await answered('wait_for_idle', { slot: 0 })).toMatchObject({
      output:
        'Put it into [termtile-response] and [/termtile-response] tags.\nSo [/termtile-response] ends it,\nand this line belongs to it.',
    })
  })

  test('keep the first megabyte', async () => {
    await answered('spawn_agent', { agent_type: 'tiny-agent', task: 'long' })
    await answered('wait_for_idle', { slot: 0 })
    const numbers = Array.from({ length: 200_000 }, (_, at) => `${at + 1}`).join('\n')
    const { output, stored_bytes: stored, ...artifact } = await answered('get_artifact', { slot: 0 })
    expect(artifact).toMatchObject({
      truncated: true,
      original_bytes: numbers.length,
      warning: `artifact truncated from ${numbers.length} bytes to 1048576 bytes`,
    })
    expect(stored).toBe(1_048_576)
    const [head = ''] = String(output).split('\n\n[termtile-warning] ')
    expect(numbers.startsWith(head)).toBe(true)
  })
})

describe('dependencies', () => {
  test('are awaited, and their answers put into the task', async () => {
    await answered('spawn_agent', { agent_type: 'tiny-agent', task: 'hold this' })
    const second = answered('spawn_agent', {
      agent_type: 'tiny-agent',
      task: 'plain sum of {{slot_0.output}} and {{ slot_7.output }}',
      depends_on: [0, 0],
    })
    await answered('read_from_agent', { slot: 0, pattern: 'hold this' })
    openGate()
    expect(await second).toMatchObject({ slot: 1, note: expect.stringContaining('not in depends_on') })
    expect(await answered('wait_for_idle', { slot: 1 })).toMatchObject({
      output: expect.stringContaining('just plain sum of done: hold this and {{ slot_7.output }}'),
    })
  })

  test('that do not become idle in time fail the call', async () => {
    await answered('spawn_agent', { agent_type: 'tiny-agent', task: 'hold' })
    expect(await refused('spawn_agent', { agent_type: 'cat', depends_on: [0], depends_on_timeout: 1 })).toBe(
      'timeout waiting for dependency slots [0] to become idle after 1s',
    )
    expect(await answered('list_agents')).toMatchObject({ agents: [{ slot: 0 }] })
  })

  test('that are killed while awaited fail the call', async () => {
    await answered('spawn_agent', { agent_type: 'tiny-agent', task: 'hold' })
    const second = refused('spawn_agent', { agent_type: 'cat', depends_on: [0] })
    await answered('kill_agent', { slot: 0 })
    expect(await second).toMatch(
      /^dependency slot 0 (\(target termtile-default-0\) is not alive \(killed\)|not tracked)/,
    )
  })

  test.each<[string, readonly number[], string]>([
    ['a negative slot', [-1], 'depends_on contains negative slot -1'],
    ['a slot without an agent', [3], 'dependency slot 3 not tracked in workspace "default"'],
  ])('%s is refused', async (_name, dependsOn, message) => {
    expect(await refused('spawn_agent', { agent_type: 'cat', depends_on: dependsOn })).toBe(message)
  })

  test('a caller who counts slots from 1, as in the document, gets a list of the existing ones', async () => {
    await answered('spawn_agent', { type: 'cat', task: 'audit the codebase' })
    const next = { type: 'cat', task: 'summarize: {{slot_1.output}}', depends_on: [1] }
    expect(await refused('spawn_agent', next)).toBe(
      'dependency slot 1 not tracked in workspace "default"; slots there: 0 (cat)',
    )
    expect(await refused('read_from_agent', { slot: '1' })).toBe(
      'no agent tracked in workspace "default" slot 1; slots there: 0 (cat)',
    )
  })

  test('one ended by a signal is refused', async () => {
    await answered('spawn_agent', { agent_type: '$HOME/bin/tiny-agent', task: 'die', window: false })
    await answered('wait_for_idle', { slot: 0 })
    expect(await refused('spawn_agent', { agent_type: 'cat', depends_on: [0] })).toBe(
      'dependency slot 0 (target termtile-default-0) is not alive (killed)',
    )
  })
})

describe('workspaces', () => {
  test('agents move between them', async () => {
    await answered('spawn_agent', { agent_type: 'cat', workspace: 'a' })
    expect(await answered('move_terminal', { slot: 0, target_workspace: 'b' })).toEqual({
      source_workspace: 'a',
      target_workspace: 'b',
      source_slot: 0,
      target_slot: 0,
      session_name: 'termtile-b-0',
      moved: true,
    })
    expect(await answered('list_agents', { workspace: 'a' })).toEqual({ workspace: 'a', agents: [] })
    expect(await answered('list_agents', { workspace: 'b' })).toMatchObject({
      agents: [{ slot: 0, agent_type: 'cat' }],
    })
  })

  test('must be named if there are several, and need not if there is one', async () => {
    await answered('spawn_agent', { agent_type: 'cat', workspace: 'a' })
    expect(await answered('list_agents')).toMatchObject({ workspace: 'a' })
    await answered('spawn_agent', { agent_type: 'cat', workspace: 'b' })
    expect(await refused('read_from_agent', { slot: 0 })).toBe(
      'ambiguous workspace for read_from_agent: multiple registered agent-mode workspaces found (a, b); pass workspace explicitly or provide source_workspace',
    )
    expect(await refused('list_agents', { workspace: '../x' })).toContain('workspace "../x" is no name')
  })
})

test('a call without a required field names it', async () => {
  expect(await refused('spawn_agent', {})).toBe('agent_type is required')
  expect(await refused('send_to_agent', { slot: 0 })).toContain('text')
})
