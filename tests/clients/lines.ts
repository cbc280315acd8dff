/** Bare lines to the standard input of `agentpty mcp`. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { envelope, type Message, notification, opening, request, resultOf } from '../harness/mcp-messages.ts'
import type { AgentHome } from './agent-home.ts'
import { type Speaker, speakerOf } from './speaker.ts'

export async function lines({ command: [file = '', ...args], env }: AgentHome, era: string): Promise<Speaker> {
  const child = spawn(file, args, { env: { ...env }, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let id = 0
  const write = (line: string) => child.stdin.write(`${line}\n`)
  const ask = async (method: string, params: object) => {
    write(request(++id, method, params))
    for (;;) {
      const message: Message = JSON.parse(String((await answers.next()).value))
      if (message.id === id) return resultOf(message)
    }
  }
  const isOld = era.startsWith('2025')
  if (isOld) {
    await ask('initialize', opening(era))
    write(notification('notifications/initialized'))
  }
  const about = isOld ? {} : { _meta: envelope(era) }
  return speakerOf(
    (method, params = {}) => ask(method, { ...params, ...about }),
    async () => {
      child.stdin.end()
      const [code] = await ended
      if (code !== 0) throw new Error(`agentpty mcp ended with ${code}`)
    },
  )
}
