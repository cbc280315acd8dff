/**
 * The tools of `--toolset terminal-agent`: parameters by the names of that system's document and by those of its code.
 * Parameters that only an editor can use (where its window shows a terminal) are accepted and ignored.
 */

import { keysPerSendMax, scrollbackRows, sendBytesMax } from '@agentpty/protocol'
import { nodeStatuses } from '@agentpty/protocol/agents'
import { waitTimeoutMs } from '@agentpty/protocol/call'
import * as z from 'zod'

const terminalId = z.string().min(1).max(100).describe('Terminal ID from terminal_create')
const waitForOutput = z.boolean().optional()
const waitForString = z.string().optional().describe('Wait until this string appears in the output')
const lines = z.number().int().min(1).max(scrollbackRows).optional()
const milliseconds = z.number().int().min(0).max(86_400_000).optional()

const label = z.string().min(1).max(200)
const nodeId = z.string().min(1).max(100)
const role = z.string().max(100).optional()

export const terminalAgentInputs = {
  terminal_create: z.strictObject({
    name: z.string().max(200).optional().describe('Display name'),
    shell: z.string().min(1).optional().describe('Shell executable, e.g. zsh or /bin/bash'),
    cwd: z.string().min(1).optional().describe('Working directory'),
    env: z.record(z.string(), z.string()).optional().describe('Additional environment variables'),
    mode: z.enum(['normal', 'pty']).optional(),
    location: z.enum(['panel', 'editor', 'split']).optional(),
    splitTerminalId: z.string().optional(),
  }),
  terminal_send: z.strictObject({
    terminalId,
    text: z.string().max(sendBytesMax),
    newline: z.boolean().optional().describe('Append newline (default: true)'),
    addNewline: z.boolean().optional().describe('Same as newline'),
    waitForOutput: waitForOutput.describe('Wait for output after sending (default: false)'),
    waitForString,
    waitTimeoutMs: waitTimeoutMs.describe('Max wait time in ms (default: 30000)'),
  }),
  terminal_read: z.strictObject({
    terminalId,
    since: z.number().int().min(0).optional().describe('Cursor from a previous read (omit for all buffered output)'),
    waitForOutput: waitForOutput.describe('Block until new output arrives'),
    waitForString,
    waitForIdle: milliseconds.describe('Block until there was no output for so many ms'),
    // Without a default of its own: `waitMs` may be used instead.
    waitTimeoutMs: milliseconds.describe('Max wait time in ms (default: 30000)'),
    waitMs: milliseconds.describe('Same as waitTimeoutMs; without anything to wait for, read after so many ms'),
    raw: z.boolean().optional().describe('Give rawOutput too, with escape sequences'),
    maxLines: z.number().int().min(1).optional().describe('Only the last lines'),
  }),
  terminal_send_keys: z.strictObject({
    terminalId,
    keys: z.array(z.string().min(1).max(40)).min(1).max(keysPerSendMax),
  }),
  terminal_type: z.strictObject({
    terminalId,
    text: z.string().max(sendBytesMax),
    submit: z.boolean().optional().describe('Press Enter after it (default: false)'),
  }),
  terminal_screenshot: z.strictObject({
    terminalId,
    lines: lines.describe('Number of lines to capture (default: all visible)'),
    maxLines: lines.describe('Same as lines'),
  }),
  terminal_list: z.strictObject({}),
  terminal_close: z.strictObject({ terminalId }),
  graph_create_group: z.strictObject({ label, parentId: nodeId.optional(), role }),
  graph_create_agent: z.strictObject({
    label,
    parentId: nodeId.optional(),
    role,
    terminalId: z.string().min(1).max(100).optional().describe('The terminal the agent runs in'),
  }),
  graph_remove: z.strictObject({ nodeId }),
  graph_update: z.strictObject({
    nodeId,
    label: label.optional(),
    role,
    status: z.enum(nodeStatuses).optional(),
    summary: z.string().max(2_000).optional(),
    lastAction: z.string().max(2_000).optional(),
  }),
  graph_move: z.strictObject({
    nodeId,
    newParentId: nodeId.nullish().describe('Without it, to the top'),
    newIndex: z.number().int().min(0).optional(),
  }),
  graph_list: z.strictObject({
    rootId: nodeId.optional(),
    maxDepth: z.number().int().min(0).optional().describe('Levels below the roots (default: 3)'),
  }),
  graph_stop_subtree: z.strictObject({ nodeId }),
  graph_retry: z.strictObject({ nodeId }),
}

export type TerminalAgentTool = keyof typeof terminalAgentInputs
export type TerminalAgentInput<Tool extends TerminalAgentTool> = z.output<(typeof terminalAgentInputs)[Tool]>

export function isTerminalAgentTool(name: string): name is TerminalAgentTool {
  return Object.hasOwn(terminalAgentInputs, name)
}

/** A correct call of each tool, shown to callers that made a wrong one. */
export const terminalAgentExamples: {
  readonly [Tool in TerminalAgentTool]: z.input<(typeof terminalAgentInputs)[Tool]>
} = {
  terminal_create: { name: 'build-server', cwd: '/home/user/project', shell: '/bin/bash' },
  terminal_send: { terminalId: 'term-1', text: 'npm run build', waitForString: 'Build complete' },
  terminal_read: { terminalId: 'term-1', since: 42, waitForOutput: true, waitTimeoutMs: 5000 },
  terminal_send_keys: { terminalId: 'term-1', keys: ['ctrl+c'] },
  terminal_type: { terminalId: 'term-1', text: 'fix the test', submit: true },
  terminal_screenshot: { terminalId: 'term-1', lines: 20 },
  terminal_list: {},
  terminal_close: { terminalId: 'term-1' },
  graph_create_group: { label: 'backend' },
  graph_create_agent: { label: 'tester', parentId: 'node-term-1', terminalId: 'term-2' },
  graph_remove: { nodeId: 'node-term-2' },
  graph_update: { nodeId: 'node-term-2', status: 'running', summary: 'runs the tests' },
  graph_move: { nodeId: 'node-term-2', newParentId: 'node-term-1', newIndex: 0 },
  graph_list: { maxDepth: 3 },
  graph_stop_subtree: { nodeId: 'node-term-1' },
  graph_retry: { nodeId: 'node-term-2' },
}
