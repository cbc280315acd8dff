/**
 * The program: `agentpty COMMAND`. It composes the faces and the engine; each command loads only what it needs, because
 * an agent waits while it starts.
 *
 * The file reads downwards: every part is above the part that uses it, and the choice of the command is last.
 */

import { writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isoTime, systemClock } from '@agentpty/engine/system-clock'
import { daemonTakeoverMsMax, invalidInput, limitReached, TermError } from '@agentpty/protocol'
import { parseToolsets, type ToolsetName, toolsetNames } from '@agentpty/protocol/mcp'
import { writeRefusal } from '@agentpty/server/daemon'
import { OwnConnections } from './own-connection.ts'
import { thisOwnProcess } from './own-process.ts'

const own = thisOwnProcess()
const connections = new OwnConnections(own)

// --- servers ---

async function serveMcp(toolsets?: readonly ToolsetName[]): Promise<void> {
  const { McpProxy } = await import('@agentpty/mcp-http/mcp-proxy')
  const proxy = new McpProxy({
    input: process.stdin,
    output: process.stdout,
    connect: connections.mcp(toolsets),
    clock: systemClock,
    toolset: toolsets?.includes('terminal') === true ? 'terminal' : (toolsets?.[0] ?? 'terminal'),
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
  await proxy.run()
  process.exit(0)
}

async function runDaemon(): Promise<boolean> {
  return (await import('./daemon.ts')).runDaemon(own.paths, own.facts.userId)
}

/** Errors: `limit_reached` when a daemon runs already. */
async function serve(): Promise<void> {
  if (await runDaemon()) return
  throw limitReached('A daemon runs already.', 'End it with: agentpty stop (its terminals go on)')
}

/** Ends a daemon that does not start. Processes that it opened, such as ptyhost, would keep it alive although no client can reach it. */
async function startOrSayWhy(): Promise<void> {
  const fail = (error: unknown) => {
    process.stdout.write(writeRefusal(error))
    process.stderr.write(`${isoTime(systemClock.wall())} The daemon does not start: ${String(error)}\n`)
    process.exit(1)
  }
  const slow = `The daemon does not start: it was not ready after ${daemonTakeoverMsMax / 1_000} s.`
  const giveUp = () => fail(new TermError('daemon_gone', slow, `Look at ${own.paths.log}, or run: agentpty doctor`))
  const cancelTimer = systemClock.callAt(systemClock.now() + daemonTakeoverMsMax, giveUp)
  await runDaemon().catch(fail)
  cancelTimer()
}

/** Errors: `limit_reached` when another server has its socket. */
async function serveTerminalcp(): Promise<void> {
  const { serveWire } = await import('@agentpty/doors/terminalcp')
  const { onInterrupt } = await import('@agentpty/cli/own-terminal')
  const path = join(homedir(), '.terminalcp', 'server.sock')
  const stop = await serveWire({ path, connect: () => connections.rpc({ mayStart: true }) })
  process.stdout.write(`listening on ${path}\n`)
  await new Promise<void>((resolve) => onInterrupt(resolve))
  stop()
}

// --- the command line ---

function writeToTerminal(text: string): void {
  try {
    writeFileSync('/dev/tty', text)
  } catch {
    const hint = 'Call it from a hook of a program that runs in a terminal.'
    throw invalidInput('There is no terminal here to report in.', hint)
  }
}

async function runThisCommandLine(words: readonly string[]): Promise<number> {
  const [{ endWithReader, onInterrupt, ownTerminal, pipedInput, print, readInput }, { runCommandLine }] =
    await Promise.all([import('@agentpty/cli/own-terminal'), import('./command-line.ts')])
  endWithReader()
  // In a process this short, TurboFan costs more than it gains: it delays single lines by milliseconds.
  if (words[0] === 'policy') (await import('node:v8')).setFlagsFromString('--no-opt')
  return runCommandLine(words, own, {
    print,
    terminal: process.stdin.isTTY && process.stdout.isTTY ? ownTerminal() : null,
    onInterrupt,
    readInput,
    pipedInput,
    writeToTerminal,
    serve,
    serveMcp,
    serveTerminalcp,
  })
}

/** `agentpty mcp --toolset NAMES`, as clients have it registered. The command line parses or refuses everything else. */
function isToolsetAlone([flag, names = '', ...others]: readonly string[]): boolean {
  const isKnown = (name: string) => toolsetNames.some((one) => one === name)
  return flag === '--toolset' && others.length === 0 && names.split(',').every(isKnown)
}

async function main(): Promise<void> {
  const words = process.argv.slice(2)
  const [command, ...rest] = words
  if (command === 'daemon' && rest.length === 0) return startOrSayWhy()
  if (command === 'mcp' && rest.length === 0) return serveMcp()
  if (command === 'mcp' && isToolsetAlone(rest)) return serveMcp(parseToolsets(rest[1] ?? ''))
  process.exitCode = await runThisCommandLine(words)
}

await main()
