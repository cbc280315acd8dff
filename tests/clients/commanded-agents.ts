/** Real agents that are started and instructed with our commands, as a person does it. */

import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import type { AgentClient } from '../../bench/agents/clients/client.ts'
import { programOf } from '../../bench/agents/lib/install.ts'
import type { Finished } from '../harness/command-line.ts'
import { run, until } from '../harness/instance.ts'
import type { AgentHome } from './agent-home.ts'

export class CommandedAgents {
  readonly #home: AgentHome
  /** The environment with the agent's program and model. */
  readonly env: Readonly<Record<string, string>>

  constructor(home: AgentHome, client: AgentClient, modelUrl: string) {
    const program = programOf(client)
    const { env } = client.prepare({ home: home.path, cwd: home.cwd, modelUrl, program })
    this.#home = home
    this.env = {
      ...home.env,
      ...env,
      PATH: `${dirname(program)}:${home.env['PATH']}`,
      IS_SANDBOX: '1',
      // It restarts itself once it is trusted.
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    }
  }

  agent(...args: readonly string[]): Promise<Finished> {
    return run(process.execPath, [this.#home.command[1] ?? '', 'agent', ...args], this.env, { cwd: this.#home.cwd })
  }

  /** Starts an agent and sends it an instruction. Its first question may be whether the folder is trusted. */
  async begin(args: readonly string[], instruction: string, trust: string): Promise<string> {
    const { stdout, stderr } = await this.agent(...args)
    const terminalId = stdout.trim()
    assert.match(terminalId, /^term-\d+$/, stderr)
    const sent = await this.agent('send', terminalId, instruction)
    if (sent.code === 0) return terminalId
    const replied = await this.agent('reply', terminalId, trust)
    assert.equal(replied.code, 0, sent.stderr + replied.stderr)
    const again = await this.agent('send', terminalId, instruction)
    assert.equal(again.code, 0, again.stderr)
    return terminalId
  }

  /** An agent that was just started may look idle for a moment before it works. */
  async answerOf(terminalId: string, ...flags: readonly string[]): Promise<string> {
    let said = ''
    await until(async () => {
      await this.agent('wait', terminalId, '--timeout', '60000')
      said = (await this.agent('answer', terminalId, ...flags)).stdout
      return said !== ''
    })
    return said
  }
}
