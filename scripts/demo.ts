/**
 * The demo: an agent finds out why a script crashes, in a debugger, and repairs it in an editor.
 *
 * It speaks MCP to the built product, as any agent would. No step sleeps or guesses a prompt: each call returns when it
 * is the agent's turn again, and each answer is checked before the next call. Exit code 0: the last total was right.
 *
 *   npm run demo
 *   npm run demo -- --pace 1500    a pause of 1.5 s before each step, to read along
 */
import { accessSync, constants, cpSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Arguments, DemoAgent, type ToolResult } from './demo/agent.ts'
import { printCall, printFailure, printSuccess, printThought, printTitle } from './demo/conversation.ts'

const example = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../examples/crash')
const total = '13,009.40'

interface Step {
  readonly thought: string
  readonly tool: string
  readonly args: Arguments
  /** The expected result, in words and as a check. */
  readonly expect: string
  readonly check: (result: ToolResult) => boolean
}

class StepFailure extends Error {
  readonly step: Step

  constructor(step: Step, reason: string) {
    super(reason)
    this.step = step
  }
}

const agent = new DemoAgent()
const startedAt = performance.now()
let terminalId = ''
let calls = 0
const paceMs = Number(process.argv[process.argv.indexOf('--pace') + 1]) || 0
const leave = () => {
  agent.leaveAtOnce()
  process.exit(1)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, leave)
// The reader of the output (`npm run demo | head`) has ended; no process may stay behind.
process.stdout.once('error', leave)

try {
  printTitle('An agent is asked: "report.py crashes on sales.csv. Find out why and fix it."')
  cpSync(example, agent.folder, { recursive: true })
  // The folder is the home of the demo: its prompt looks the same for every user.
  writeFileSync(path.join(agent.folder, '.bashrc'), "PS1='$ '\n")
  await agent.connect()
  await openTerminal()
  await seeTheCrash()
  await debug()
  await repair()
  await proveIt()
  const seconds = ((performance.now() - startedAt - paceMs * calls) / 1000).toFixed(1)
  printSuccess(`Repaired: the total is ${total}. ${calls} calls, ${seconds} s, no sleep.`)
} catch (error) {
  process.exitCode = 1
  const reason = error instanceof Error ? error.message : String(error)
  const screen = await screenNow()
  printFailure(error instanceof StepFailure ? error.step.thought : 'connect', reason, screen)
} finally {
  if (!(await agent.leave())) {
    process.exitCode = 1
    printFailure('clean up', '`agentpty stop --all` did not end well', '')
  }
}

// --- the steps of the demo ---

async function openTerminal(): Promise<void> {
  const { terminalId: id } = await take({
    thought: 'Open a shell where the script is.',
    tool: 'terminal_create',
    args: { shell: 'bash', cwd: agent.folder, cols: 92, rows: 24 },
    expect: 'a shell at its prompt',
    check: isShell,
  })
  terminalId = id
}

async function seeTheCrash(): Promise<void> {
  await take({
    thought: 'See it crash.',
    tool: 'terminal_run',
    args: { terminalId, command: 'python3 report.py sales.csv' },
    expect: 'exit code 1 and a ValueError',
    check: ({ exitCode, text }) => exitCode === 1 && text.includes('ValueError'),
  })
}

async function debug(): Promise<void> {
  await type('Run it under the debugger.', 'python3 -m pdb report.py sales.csv', isDebugger)
  const crashed = ({ text }: ToolResult) => text.includes('post mortem')
  await type('Let it run into the crash.', 'continue', (result) => isDebugger(result) && crashed(result))
  await type('Which row was it?', 'p row', ({ text }) => text.includes('1,299.00'))
  await type('And who called?', 'up', ({ text }) => text.includes('sum_by_region'))
  // After a post mortem pdb restarts the script and asks again: the verdict names who is waiting now.
  const quit = await type('The price has a thousands separator. Leave the debugger.', 'quit', isReady)
  if (!isShell(quit)) await type('It wants to start over, and waits again.', 'quit', isShell)
}

async function repair(): Promise<void> {
  const price = "float(row['price'])"
  const repaired = "float(row['price'].replace(',', ''))"
  await type('Open the script in vim.', `${editor()} -u NONE -n report.py`, ({ kind }) => kind === 'tui')
  await type('Replace it everywhere.', `:%s/${price.replace(/[[\]]/g, '\\$&')}/${repaired}/`, isReady)
  await take({
    thought: 'Look at the screen, as a person would.',
    tool: 'terminal_screenshot',
    args: { terminalId },
    expect: `${repaired} on the screen`,
    check: ({ text }) => text.includes(repaired),
  })
  await take({
    thought: 'Save and leave.',
    tool: 'terminal_send_keys',
    args: { terminalId, keys: ['escape', ':', 'w', 'q', 'enter'] },
    expect: 'the shell again',
    check: isShell,
  })
}

async function proveIt(): Promise<void> {
  await take({
    thought: 'Run it again.',
    tool: 'terminal_run',
    args: { terminalId, command: 'python3 report.py sales.csv' },
    expect: `exit code 0 and the total ${total}`,
    check: ({ exitCode, text }) => exitCode === 0 && new RegExp(`^total +${total}$`, 'm').test(text),
  })
  await take({
    thought: 'Done. Close the terminal and everything in it.',
    tool: 'terminal_close',
    args: { terminalId },
    expect: 'no error',
    check: () => true,
  })
}

// --- how a step is taken ---

function type(thought: string, text: string, check: Step['check']): Promise<ToolResult> {
  return take({ thought, tool: 'terminal_send', args: { terminalId, text }, expect: 'another answer', check })
}

async function take(step: Step): Promise<ToolResult> {
  const { thought, tool, args, expect, check } = step
  printThought(thought)
  if (paceMs > 0) await setTimeout(paceMs)
  const asked = performance.now()
  const result = await agent.call(tool, args).catch((error: unknown) => {
    throw new StepFailure(step, error instanceof Error ? error.message : String(error))
  })
  calls++
  printCall({ tool, args, ms: performance.now() - asked, result })
  if (result.isError) throw new StepFailure(step, result.text)
  if (!check(result)) throw new StepFailure(step, `expected ${expect}`)
  return result
}

async function screenNow(): Promise<string> {
  if (terminalId === '') return ''
  // If this fails, an earlier call has failed; that first failure is the one to report.
  const screen = await agent.call('terminal_screenshot', { terminalId }).catch(() => null)
  return screen?.text ?? ''
}

function isReady({ state }: ToolResult): boolean {
  return state === 'ready'
}

function isShell({ state, kind }: ToolResult): boolean {
  return state === 'ready' && kind === 'shell'
}

function isDebugger(result: ToolResult): boolean {
  return isReady(result) && !isShell(result) && result.text.includes('(Pdb)')
}

/** Debian's minimal vim is called vim.tiny. */
function editor(): string {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter)
  const isThere = (name: string) => folders.some((folder) => isExecutable(path.join(folder, name)))
  return ['vim', 'vim.tiny', 'vi'].find(isThere) ?? 'vim'
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false // not in this folder
  }
}
