/**
 * The door of terminal-agent: its seven tools, `terminal_type`, and its tree of agents.
 *
 * Results are JSON as text, with the fields of that system's document and of its code. A cursor is an offset.
 */

import { BoundedMap, type Clock, isTermError } from '@agentpty/protocol'
import { inputJsonSchema, type ToolAnswer, type ToolDescription, type Toolset } from '@agentpty/protocol/mcp'
import type { VerbName } from '@agentpty/protocol/verbs'
import { aside } from '../parts/aside.ts'
import { parseLenient } from '../parts/lenient-arguments.ts'
import { type DoorCall, listTerminals, type Opened } from './call-verbs.ts'
import {
  isTerminalAgentTool,
  type TerminalAgentInput,
  type TerminalAgentTool,
  terminalAgentExamples,
  terminalAgentInputs,
} from './contract.ts'
import { createAgent, createGroup, listTree, move, remove, retry, stopSubtree, update } from './graph-tools.ts'
import { read, screenshot } from './read-output.ts'
import { send, sendKeys, type } from './send-text.ts'
import { close, create, list } from './terminals.ts'

/** Terminals whose name and mode are remembered. */
const openedMax = 1_000

const reads = { readOnlyHint: true, destructiveHint: false } as const
const changes = { readOnlyHint: false, destructiveHint: false } as const
const destroys = { readOnlyHint: false, destructiveHint: true } as const

type Tools = {
  readonly [Tool in TerminalAgentTool]: {
    readonly description: string
    readonly annotations: NonNullable<ToolDescription['annotations']>
    readonly becomes: readonly VerbName[]
    readonly answer: (input: TerminalAgentInput<Tool>, call: DoorCall) => Promise<object | null>
  }
}

const tools: Tools = {
  terminal_create: {
    description: 'Create a new terminal with a shell. It is a real one, and keeps running between calls.',
    annotations: changes,
    becomes: ['spawn', 'create'],
    answer: create,
  },
  terminal_send: {
    description:
      'Send a command or text to a terminal. By default appends a newline (executes the command). Give waitForString or waitForOutput to get output; else read it since the cursor.',
    annotations: destroys,
    becomes: ['send'],
    answer: send,
  },
  terminal_read: {
    description:
      'Read terminal output. Supports cursor-based incremental reads so you only get new output. Of several waits one counts: waitForString, then waitForIdle, then waitForOutput.',
    annotations: reads,
    becomes: ['read'],
    answer: read,
  },
  terminal_send_keys: {
    description:
      'Send special keystrokes to a terminal: ctrl+c, up, down, home, pageup, enter, tab, backspace, delete, escape, f1 to f12, alt+b.',
    annotations: destroys,
    becomes: ['sendKeys'],
    answer: sendKeys,
  },
  terminal_type: {
    description: 'Type text like a person at the keyboard, into full-screen programs and other agents.',
    annotations: destroys,
    becomes: ['send'],
    answer: type,
  },
  terminal_screenshot: {
    description: 'Capture the current visible content of a terminal (what you would see on screen).',
    annotations: reads,
    becomes: ['screenshot'],
    answer: screenshot,
  },
  terminal_list: {
    description: 'List all terminals and their status.',
    annotations: reads,
    becomes: ['list'],
    answer: list,
  },
  terminal_close: {
    description: 'Close a terminal, and end every process in it.',
    annotations: destroys,
    becomes: ['close'],
    answer: close,
  },
  graph_create_group: {
    description: 'Add a group to the tree of agents.',
    annotations: changes,
    becomes: ['changeLineage'],
    answer: createGroup,
  },
  graph_create_agent: {
    description:
      'Add an agent to the tree, or name the one in a terminal. Terminals are in it by themselves, below the one they were opened from.',
    annotations: changes,
    becomes: ['changeLineage'],
    answer: createAgent,
  },
  graph_remove: {
    description: 'Remove a node with all below it, and close their terminals.',
    annotations: destroys,
    becomes: ['stopLineage'],
    answer: remove,
  },
  graph_update: {
    description: 'Tell what a node is and does.',
    annotations: changes,
    becomes: ['changeLineage'],
    answer: update,
  },
  graph_move: {
    description: 'Move a node below another parent.',
    annotations: changes,
    becomes: ['changeLineage'],
    answer: move,
  },
  graph_list: {
    description: 'The tree of agents with their status.',
    annotations: reads,
    becomes: ['lineage'],
    answer: listTree,
  },
  graph_stop_subtree: {
    description: 'Stop an agent and all below it: their terminals are closed, their nodes stay.',
    annotations: destroys,
    becomes: ['stopLineage'],
    answer: stopSubtree,
  },
  graph_retry: {
    description: 'Start an agent that failed or was stopped again, in a fresh terminal: the same command and folder.',
    annotations: changes,
    becomes: ['lineage', 'retry'],
    answer: retry,
  },
}

export function makeTerminalAgent(clock: Clock): Toolset {
  const opened = new BoundedMap<string, Opened>(openedMax)
  return {
    name: 'terminal-agent',
    instructions:
      'Real terminals for agents: create one, send text or keys, read output since a cursor, look at the screen. An agent started in a terminal can open more.',
    tools: Object.entries(tools).map(([name, { description, annotations, becomes }]) => ({
      name,
      description,
      annotations,
      becomes,
      inputSchema: inputJsonSchema(terminalAgentInputs[name as TerminalAgentTool]),
    })),
    answerUnknown: (tool) => ({ text: `MCP error -32602: Tool ${tool} not found`, isError: true }),
    answerRefused: ({ message, hint }) => ({ text: `Error: ${message} ${hint}`, isError: true }),
    async call(tool, input, call): Promise<ToolAnswer> {
      if (!isTerminalAgentTool(tool)) throw new Error(`no tool ${tool}`)
      return callTool(tool, input, { ...call, clock, opened })
    },
  }
}

async function callTool<Tool extends TerminalAgentTool>(
  tool: Tool,
  input: unknown,
  call: DoorCall,
): Promise<ToolAnswer> {
  let parsed: TerminalAgentInput<Tool>
  try {
    const example = terminalAgentExamples[tool]
    parsed = parseLenient(terminalAgentInputs[tool], input, { name: tool, example }) as TerminalAgentInput<Tool>
  } catch (error) {
    return refusal(error, tool)
  }
  try {
    return { text: JSON.stringify(await tools[tool].answer(parsed, call), null, 2) }
  } catch (error) {
    return describeError(error, terminalIn(parsed), call)
  }
}

/** Refuses arguments in the words of that system's library. */
function refusal(error: unknown, tool: string): ToolAnswer {
  if (!isTermError(error)) throw error
  const problem = `Input validation error: Invalid arguments for tool ${tool}`
  return { text: `MCP error -32602: ${problem}: ${error.message} ${error.hint}`, isError: true }
}

function terminalIn(input: object): string | null {
  return 'terminalId' in input && typeof input.terminalId === 'string' ? input.terminalId : null
}

/**
 * Errors in the words of the other system, where it has words for them; ours with their hint elsewhere.
 *
 * Errors: rethrows everything that is not a {@link TermError}.
 */
async function describeError(error: unknown, terminalId: string | null, call: DoorCall): Promise<ToolAnswer> {
  if (!isTermError(error)) throw error
  const { code, message, hint } = error
  const text = `Error: ${(await inItsWords(code, terminalId, call)) ?? [message, hint].filter(Boolean).join(' ')}`
  return { text, isError: true }
}

async function inItsWords(code: string, terminalId: string | null, call: DoorCall): Promise<string | null> {
  if (terminalId === null) return null
  if (code === 'session_not_found') return notFound(terminalId, call)
  if (code !== 'session_exited') return null
  if (call.opened.get(terminalId)?.mode === 'pty')
    return 'Cannot write to shell: process is not running or stdin is closed. The shell may have exited.'
  return `Terminal is closed: "${terminalId}". It was closed externally and is in a grace period — reads are allowed but mutations are not.`
}

async function notFound(terminalId: string, call: DoorCall): Promise<string> {
  const looking = { ...call, client: aside(call.client) }
  const active = (await listTerminals(looking))
    .filter(({ isActive }) => isActive)
    .map((terminal) => terminal.terminalId)
  const ids = active.length > 0 ? active.join(', ') : '(none)'
  return `Terminal not found: "${terminalId}". Active terminal IDs: [${ids}]`
}
