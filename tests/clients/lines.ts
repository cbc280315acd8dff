/** Raw lines to the standard input of `agentpty mcp`. */

import { LinesClient } from '../harness/lines-client.ts'
import { envelope, request, resultOf } from '../harness/mcp-messages.ts'
import type { AgentHome } from './agent-home.ts'
import { type Speaker, speakerOf } from './speaker.ts'

export async function lines({ command, env }: AgentHome, era: string): Promise<Speaker> {
  const client = new LinesClient({ command, env })
  let id = 0
  const ask = async (method: string, params: object) => {
    client.write(request(++id, method, params))
    return resultOf(await client.next())
  }
  const isOld = era.startsWith('2025')
  if (isOld) await client.open(era)
  const about = isOld ? {} : { _meta: envelope(era) }
  return speakerOf(
    (method, params = {}) => ask(method, { ...params, ...about }),
    async () => {
      const code = await client.close()
      if (code !== 0) throw new Error(`agentpty mcp ended with ${code}`)
    },
  )
}
