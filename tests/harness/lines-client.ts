/** Sends raw lines to the standard input of `agentpty mcp` and reads the answers: for messages that no client would send. */

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import { type Instance, program } from './instance.ts'
import { type Message, notification, opening, request } from './mcp-messages.ts'

interface Server {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** The command with which a client of this instance starts its server. */
export const serverOf = ({ env, user: cwd }: Instance): Server => ({
  command: [process.execPath, program, 'mcp'],
  env,
  cwd,
})

export class LinesClient {
  readonly process: ChildProcess
  /** Its exit code, after its end. */
  readonly ended: Promise<number | null>
  readonly #lines: Interface
  readonly #answers: AsyncIterator<string>

  /** `stderr`: the target of the server's notices outside the protocol. */
  constructor({ command: [file = '', ...args], env, cwd }: Server, stderr: 'inherit' | 'pipe' = 'inherit') {
    const child = spawn(file, args, { env: { ...env }, cwd, stdio: ['pipe', 'pipe', stderr] })
    this.process = child
    this.ended = once(child, 'exit').then(([code]) => code)
    assert.ok(child.stdout)
    this.#lines = createInterface({ input: child.stdout })
    this.#answers = this.#lines[Symbol.asyncIterator]()
  }

  async open(era = '2025-11-25'): Promise<void> {
    this.write(request(0, 'initialize', opening(era)))
    await this.next()
    this.write(notification('notifications/initialized'))
  }

  write(line: string | Buffer): void {
    this.process.stdin?.write(Buffer.concat([Buffer.from(line), Buffer.from('\n')]))
  }

  /** Returns the next answer and skips notifications. */
  async next(): Promise<Message> {
    const message = JSON.parse(String((await this.#answers.next()).value))
    return 'method' in message ? this.next() : message
  }

  async close(): Promise<number | null> {
    this.process.stdin?.end()
    return this.ended
  }
}
