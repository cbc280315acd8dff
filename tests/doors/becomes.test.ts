/** The doors' tools really become the documented verbs: a rule for a verb hides a tool by it. */

import assert from 'node:assert/strict'
import { makeAgentsToolset } from '@agentpty/doors/agents'
import { makeDeepTerminal } from '@agentpty/doors/deep-terminal'
import { QueuedAgents } from '@agentpty/doors/parts'
import { makeTerminalAgent } from '@agentpty/doors/terminal-agent'
import { makeTermtile } from '@agentpty/doors/termtile'
import { makeTtyUse } from '@agentpty/doors/tty-use'
import { isoTime, systemClock } from '@agentpty/engine/system-clock'
import { type ServerClient, withCall } from '@agentpty/protocol'
import type { Toolset } from '@agentpty/protocol/mcp'
import type { VerbName } from '@agentpty/protocol/verbs'
import { expect, test } from 'vitest'
import { scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()

/** Calls in order; an input may need an earlier result. */
type Steps = readonly (readonly [tool: string, input: (answers: readonly string[]) => object])[]

const slot = () => ({ slot: 0 })
const idOf = (answers: readonly string[]) => ({ terminalId: JSON.parse(answers[0] ?? '').terminalId })
const nodeOf = (answers: readonly string[]) => ({ nodeId: JSON.parse(answers[1] ?? '').id })
const agentOf = (answers: readonly string[]) => ({ nodeId: JSON.parse(answers[8] ?? '').id })

const doors: readonly (readonly [Toolset, Steps])[] = [
  [makeTtyUse(), [['tty_use', () => ({ input: 'echo' })]]],
  [
    makeDeepTerminal(),
    [
      ['deep_terminal', () => ({ action: 'start', sessionId: 'one' })],
      ['sendCommandAndWait', () => ({ sessionId: 'one', command: 'echo' })],
    ],
  ],
  [
    makeAgentsToolset({ clock: systemClock, isoTime, queue: new QueuedAgents() }),
    [
      ['spawn_agent', () => ({ agent_type: 'bash' })],
      ['send_to_agent', () => ({ slot: 0, text: 'echo' })],
      ['wait_for_idle', slot],
      ['wait_any', () => ({ ids: [0] })],
      ['read_from_agent', slot],
      ['get_artifact', slot],
      ['list_agents', () => ({})],
      ['agent_tree', () => ({})],
      ['answer_agent', slot],
      ['message_agent', () => ({ slot: 0, text: 'hello' })],
      ['read_inbox', () => ({})],
      ['fork_agent', slot],
      ['resume_agent', () => ({ id: 'term-1' })],
      ['kill_agent', slot],
    ],
  ],
  [
    makeTermtile({ clock: systemClock, isoTime, queue: new QueuedAgents() }),
    [
      ['spawn_agent', () => ({ agent_type: 'bash', window: false })],
      ['list_agents', () => ({})],
      ['send_to_agent', () => ({ slot: 0, text: 'echo' })],
      ['wait_for_idle', slot],
      ['read_from_agent', slot],
      ['get_artifact', slot],
      ['move_terminal', () => ({ slot: 0, target_workspace: 'other' })],
      ['kill_agent', slot],
    ],
  ],
  [
    makeTerminalAgent(systemClock),
    [
      ['terminal_create', () => ({})],
      ['graph_create_group', () => ({ label: 'group' })],
      ['terminal_send', (answers) => ({ ...idOf(answers), text: 'echo' })],
      ['terminal_type', (answers) => ({ ...idOf(answers), text: 'echo' })],
      ['terminal_send_keys', (answers) => ({ ...idOf(answers), keys: ['enter'] })],
      ['terminal_read', idOf],
      ['terminal_screenshot', idOf],
      ['terminal_list', () => ({})],
      ['graph_create_agent', (answers) => ({ ...idOf(answers), label: 'agent' })],
      ['graph_update', (answers) => ({ ...nodeOf(answers), summary: 'x' })],
      ['graph_move', nodeOf],
      ['graph_list', () => ({})],
      ['graph_stop_subtree', agentOf],
      // Only an ended agent can be restarted.
      ['graph_retry', agentOf],
      ['graph_remove', nodeOf],
      ['terminal_close', (answers) => idOf(answers.slice(-2))],
    ],
  ],
]

/** A shell shows no dialog, and has no conversation; who calls from outside has no inbox. */
const needsAgent: ReadonlySet<string> = new Set(['answer_agent', 'fork_agent', 'resume_agent', 'read_inbox'])

test.each(doors.map(([door, steps]) => [door.name, door, steps] as const))('%s', async (_name, door, steps) => {
  const client = await instance.rpc()
  const answers: string[] = []
  for (const [tool, input] of steps) {
    const called = new Set<VerbName>()
    const call: ServerClient['call'] = (verb, given, { isAside, partOf: _, numbersNames: __, ...options } = {}) => {
      if (isAside !== true) called.add(verb)
      return client.call(verb, given, options)
    }
    const noting: ServerClient = { ...withCall(client, call), isInServer: true, call }
    const { signal } = new AbortController()
    const by = { caller: 'test', origin: { client: 'test', cwd: '/', scope: null, terminalId: null } }
    const answer = await door.call(tool, input(answers), { ...by, client: noting, isForModel: false, signal })
    if (!needsAgent.has(tool)) assert.notEqual(answer.isError, true, `${tool}: ${answer.text}`)
    answers.push(answer.text)
    // The server opens the terminal of the agent that it spawns.
    if (called.has('spawn')) called.add('create')
    const said = door.tools.find(({ name }) => name === tool)?.becomes ?? []
    expect([...called], tool).toEqual(expect.arrayContaining([...said]))
  }
  const withVerbs = door.tools.filter(({ becomes = [] }) => becomes.length > 0).map(({ name }) => name)
  expect(steps.map(([tool]) => tool)).toEqual(expect.arrayContaining(withVerbs))
})
