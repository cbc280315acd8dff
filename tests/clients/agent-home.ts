/** A home for one agent program: its own agentpty and daemon, with no process left at the end. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Finished } from '../harness/command-line.ts'
import { processesWith, program, run, untilEnded, writeUserFiles } from '../harness/instance.ts'
import { McpCaller } from '../harness/mcp-caller.ts'

const tapped = resolve('tests/clients/tapped-agentpty.mjs')

interface Address {
  readonly url: string
  readonly token: string
}

export class AgentHome {
  readonly path: string
  readonly cwd: string
  readonly dumps: string
  /** The command with which a client starts agentpty. */
  readonly command = [process.execPath, tapped, 'mcp']
  readonly env: Readonly<Record<string, string>>
  readonly #callers: Client[] = []

  constructor(parent = tmpdir()) {
    this.path = mkdtempSync(join(parent, '.agentpty-client-'))
    this.cwd = join(this.path, 'work')
    this.dumps = join(this.path, 'dump')
    mkdirSync(this.cwd)
    mkdirSync(join(this.path, '.copilot'))
    writeUserFiles(this.path)
    this.env = {
      HOME: this.path,
      // A client may write to a file instead of the screen.
      TMPDIR: this.path,
      PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      SHELL: '/bin/bash',
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
    }
  }

  /** Allows every approval at this home, as a person. */
  async allowAll(): Promise<void> {
    await this.agentpty('approvals', 'answer', 'all', 'allow')
  }

  agentpty(...args: readonly string[]): Promise<Finished> {
    return run(process.execPath, [tapped, ...args], this.env)
  }

  async address(): Promise<Address> {
    const { http } = JSON.parse((await this.agentpty('status', '--start', '--json')).stdout)
    return { url: `${http.url}/mcp`, token: (await this.agentpty('token')).stdout.trim() }
  }

  /** A client of another person at this home. */
  async caller(): Promise<McpCaller> {
    return new McpCaller(await this.#connect(['mcp'], this.env))
  }

  /** The tools of another system, with additions to the environment of the caller. */
  door(toolset: string, more: Readonly<Record<string, string>> = {}): Promise<Client> {
    return this.#connect(['mcp', '--toolset', toolset], { ...this.env, ...more })
  }

  async #connect(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Client> {
    const protocol = new Client({ name: 'test', version: '1' })
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program, ...args],
      env: { ...env },
      cwd: this.cwd,
    })
    await protocol.connect(transport)
    this.#callers.push(protocol)
    return protocol
  }

  /** The protocol version of the agent's last tool call. */
  spoken(way: 'stdio' | 'HTTP'): string {
    const lines = readFileSync(join(this.path, 'spoken'), 'utf8').trim().split('\n')
    return lines.findLast((line) => line.startsWith(way))?.split(' ')[1] ?? ''
  }

  /** Returns the processes left, of which there should be none. */
  async close(): Promise<readonly number[]> {
    for (const caller of this.#callers) await caller.close()
    await this.agentpty('stop', '--all')
    const marker = `HOME=${this.path}`
    await untilEnded(marker)
    const left = processesWith(marker)
    for (const pid of left) process.kill(pid, 'SIGKILL')
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 })
    return left
  }
}
