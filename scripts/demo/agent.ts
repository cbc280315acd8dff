/**
 * The agent's side of the demo: an MCP client on `agentpty mcp`, in its own temporary home.
 *
 * The user's own agentpty is not touched, and `leave` ends every process of the demo, even after a failure.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const program = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../packages/agentpty/bin/agentpty.js')

/** The fields of a tool's result that the demo reads; the rest is only shown. */
export interface ToolResult {
  readonly isError: boolean
  readonly text: string
  readonly terminalId: string
  readonly state: string
  readonly kind: string
  readonly confidence: string
  readonly exitCode: number | null
}

export type Arguments = Readonly<Record<string, unknown>>

export class DemoAgent {
  /** Empty; removed at the end with everything in it. */
  readonly folder: string
  readonly #client: Client
  readonly #env: Record<string, string>
  #hasLeft = false

  constructor() {
    this.folder = mkdtempSync(path.join(tmpdir(), 'agentpty-demo-'))
    const inherited = Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    )
    const homes = { HOME: this.folder, AGENTPTY_HOME: path.join(this.folder, 'home') }
    this.#env = { ...Object.fromEntries(inherited), ...homes }
    this.#client = new Client({ name: 'agentpty-demo', version: '1.0.0' })
  }

  async connect(): Promise<void> {
    const server = { command: process.execPath, args: [program, 'mcp'], env: this.#env }
    await this.#client.connect(new StdioClientTransport(server))
  }

  async call(tool: string, args: Arguments): Promise<ToolResult> {
    const { structuredContent, isError } = await this.#client.callTool({ name: tool, arguments: args })
    return readResult((structuredContent ?? {}) as Arguments, isError === true)
  }

  /** Ends the terminals, the daemon and ptyhost; false if that failed. */
  async leave(): Promise<boolean> {
    if (this.#hasLeft) return true
    this.#hasLeft = true
    await this.#client.close().catch(() => undefined) // it may not have connected
    return this.leaveAtOnce()
  }

  /** For a signal handler, which cannot wait. */
  leaveAtOnce(): boolean {
    const { status } = spawnSync(process.execPath, [program, 'stop', '--all'], { env: this.#env, stdio: 'ignore' })
    rmSync(this.folder, { recursive: true, force: true })
    return status === 0
  }
}

function readResult(result: Arguments, isError: boolean): ToolResult {
  const text = (name: string) => (typeof result[name] === 'string' ? result[name] : '')
  const exitCode = result['exitCode']
  return {
    isError,
    text: isError ? `${text('code')}: ${text('message')} ${text('hint')}` : text('screen') || text('output'),
    terminalId: text('terminalId'),
    state: text('state'),
    kind: text('kind'),
    confidence: text('confidence'),
    exitCode: typeof exitCode === 'number' ? exitCode : null,
  }
}
