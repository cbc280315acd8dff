/** Runs an agent without its screen and returns its output for one task. */

import { spawn } from 'node:child_process'
import type { Launch } from '../../bench/agents/clients/client.ts'
import type { AgentHome } from './agent-home.ts'
import type { TestedAgent } from './agents.ts'

/** Both output streams, after its end. */
export function askAlone(home: AgentHome, agent: TestedAgent, launch: Launch, prompt: string): Promise<string> {
  const [file = '', ...args] = [...launch.command, ...agent.ask(prompt), ...agent.permitting]
  const env = { ...home.env, ...launch.env, ...agent.env }
  return new Promise((resolve, reject) => {
    // Closes standard input, because some agents wait for its end.
    const child = spawn(file, args, { cwd: home.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const parts: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part))
    child.once('error', reject)
    child.once('close', () => resolve(Buffer.concat(parts).toString()))
  })
}
