/** Lines to the standard input of `agentpty mcp`, and the answers as they come: for messages that no client would send. */

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import { type Instance, program } from './instance.ts'

export interface RawMessage {
  readonly id?: number | string | null
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: number; readonly message: string }
}

export class LinesClient {
  readonly opening = {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'lines', version: '1' } },
  }
  readonly process: ChildProcess
  /** Its code, once it has ended. */
  readonly ended: Promise<number | null>
  readonly #lines: Interface
  readonly #answers: AsyncIterator<string>

  /** `stderr`: where what it says beside the protocol goes. */
  constructor(instance: Instance, stderr: 'inherit' | 'pipe' = 'inherit') {
    const child = spawn(process.execPath, [program, 'mcp'], {
      env: { ...instance.env },
      cwd: instance.user,
      stdio: ['pipe', 'pipe', stderr],
    })
    this.process = child
    this.ended = once(child, 'exit').then(([code]) => code)
    assert.ok(child.stdout)
    this.#lines = createInterface({ input: child.stdout })
    this.#answers = this.#lines[Symbol.asyncIterator]()
  }

  async open(): Promise<void> {
    this.write(JSON.stringify(this.opening))
    await this.next()
    this.write('{"jsonrpc":"2.0","method":"notifications/initialized"}')
  }

  write(line: string | Buffer): void {
    this.process.stdin?.write(Buffer.concat([Buffer.from(line), Buffer.from('\n')]))
  }

  /** The next answer; notifications in between are skipped. */
  async next(): Promise<RawMessage> {
    const message = JSON.parse(String((await this.#answers.next()).value))
    return 'method' in message ? this.next() : message
  }

  async close(): Promise<number | null> {
    this.process.stdin?.end()
    return this.ended
  }
}
