/**
 * The built command line in the process of the test. The start of a process takes longer than most commands, and tests give thousands of them.
 * tests/e2e/command-line.test.ts compares the two.
 */

import { resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { pathToFileURL } from 'node:url'
import type * as CommandLine from '../../packages/agentpty/src/compose/command-line.ts'

export interface Finished {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * Commands that are about their process: they serve, draw, read its input, watch files until it ends, or describe it. Those about files that the daemon
 * writes a moment later, and about its end, are processes as persons have them.
 */
const needProcess: ReadonlySet<string> = new Set([
  'attach',
  'audit',
  'doctor',
  'effects',
  'gym',
  'hook',
  'init',
  'mcp',
  'policy',
  'recordings',
  'report',
  'secret',
  'serve',
  'stop',
  'take',
  'terminalcp',
  'tree',
  'undo',
  'watch',
])

export const needsProcess = ([command = '']: readonly string[]) => needProcess.has(command)

const built = pathToFileURL(resolve('packages/agentpty/dist/command-line.js')).href
const script = resolve('packages/agentpty/bin/agentpty.js')

export async function runHere(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Finished> {
  const { OwnProcess, runCommandLine }: typeof CommandLine = await import(built)
  const output: { readonly stdout: Uint8Array[]; readonly stderr: string[] } = { stdout: [], stderr: [] }
  const own = new OwnProcess({
    env,
    cwd: () => process.cwd(),
    script,
    userId: process.getuid?.() ?? 0,
    terminalName: null,
    complain: (text) => void output.stderr.push(text),
  })
  const refuse = () => Promise.reject(new Error('This command needs a process of its own.'))
  const code = await runCommandLine(args, own, {
    print: (piece) => void output.stdout.push(Buffer.from(piece)),
    terminal: null,
    onInterrupt: () => () => {},
    readInput: refuse,
    pipedInput: openInput,
    writeToTerminal: refuse,
    serve: refuse,
    serveMcp: refuse,
    serveTerminalcp: refuse,
  })
  return { code, stdout: Buffer.concat(output.stdout).toString('utf8'), stderr: output.stderr.join('') }
}

/** An input to which nothing is written, as a process has it here. */
function openInput() {
  const chunks = new PassThrough()
  return { chunks, stop: () => void chunks.destroy() }
}
