/**
 * The door of terminalcp: one tool with an action, in the words of its version 1.3 (`terminalcp`, plain texts) and of 1.1
 * (`terminal`, JSON). A session is a terminal whose name is its id; every client sees all of them, as in terminalcp.
 */

import { BoundedMap, isTermError } from '@agentpty/protocol'
import type { ToolAnswer, ToolDescription, Toolset } from '@agentpty/protocol/mcp'
import { errorText, failedAnswer } from '../parts/aside.ts'
import { type Served, terminalcpActions } from './actions.ts'
import { parseTerminalcp, terminalcpSchemas } from './contract.ts'
import { InputQueue } from './input.ts'
import type { StreamMark } from './output.ts'

/** Ids that are too long for a terminal's name, kept because lists show them. */
const longIdsMax = 1_000
/** Sessions whose `since_last` is remembered; one that was evicted is read from its beginning again. */
const marksMax = 1_000

export function makeTerminalcp(): Toolset {
  const marks = new BoundedMap<string, StreamMark>(marksMax)
  const input = new InputQueue()
  const served: Served = { hasStarted: false, longIds: new BoundedMap(longIdsMax) }
  return {
    name: 'terminalcp',
    refusesByProtocol: true,
    answerUnknown: (tool) => ({ text: `Unknown tool: ${tool}`, isError: true }),
    instructions:
      'Control interactive programs in terminals: start one, type with stdin ("\\r" is Enter), read its screen with stdout or its output with stream. Sessions go on until they are stopped.',
    tools,
    answerRefused: (error) => failedAnswer(error, `${error.message} ${error.hint}`),
    async call(tool, given, call): Promise<ToolAnswer> {
      const isOlder = tool === olderTool
      try {
        const args = parseTerminalcp(tool, given)
        const door = { ...call, marks, input, served, stripsEscapes: !isOlder }
        const { text, json } = await terminalcpActions[args.action](args, door)
        return { text: isOlder && json !== undefined ? JSON.stringify(json, null, 2) : text }
      } catch (error) {
        if (!isTermError(error)) throw error
        return failedAnswer(error, errorText(error))
      }
    },
  }
}

const olderTool = 'terminal'

const description =
  'Run interactive programs in real terminals. start {command, cwd?, name?} gives an id; stdin {id, data} types ("\\r" is Enter, "\\u0003" ctrl+C); stdout {id, lines?} is the screen with what scrolled off it; stream {id, since_last?, strip_ansi?} is the output as it came; stop {id}; list; term-size {id}; resize {id, cols, rows}.'

const tools: readonly ToolDescription[] = [
  {
    name: 'terminalcp',
    description,
    inputSchema: terminalcpSchemas.nested,
    annotations: { title: 'terminalcp', destructiveHint: true },
  },
  {
    name: olderTool,
    description: `${description} Answers in JSON; stdin takes submit:true for Enter.`,
    inputSchema: terminalcpSchemas.flat,
    annotations: { title: 'terminal', destructiveHint: true },
  },
]
