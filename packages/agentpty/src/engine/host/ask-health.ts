/** Who answers at a port of this machine. */

import { get } from 'node:http'
import { parseObject } from '../../contracts/json-lines.ts'
import { healthAnswerMs, healthBytesMax } from '../../contracts/limits.ts'
import type { Clock } from '../../contracts/ports.ts'

/**
 * `server`: agentpty, or another that says of its health what agentpty says. `stranger`: somebody else. `silent`: somebody who
 * has taken the connection and said nothing so far. `nobody`: the port is free.
 */
export type Answerer = 'server' | 'stranger' | 'silent' | 'nobody'

export function askHealth(port: number, clock: Clock): Promise<Answerer> {
  return new Promise((resolve) => {
    const asked = get({ host: '127.0.0.1', port, path: '/health', agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
        if (text.length > healthBytesMax) give('stranger')
      })
      response.on('end', () => give(parseObject(text)?.['status'] === 'ok' ? 'server' : 'stranger'))
      response.on('error', () => give('stranger'))
    })
    const forget = clock.callAt(clock.now() + healthAnswerMs, () => give('silent'))
    const give = (answer: Answerer) => {
      forget()
      resolve(answer)
      asked.destroy()
    }
    // What is no HTTP is somebody all the same.
    asked.on('error', (error: NodeJS.ErrnoException) => give(error.code === 'ECONNREFUSED' ? 'nobody' : 'stranger'))
  })
}
