/** Finds out who answers at a port of this machine. */

import { randomBytes } from 'node:crypto'
import { get } from 'node:http'
import { type Clock, healthAnswerMs, healthBytesMax } from '@agentpty/protocol'
import { type JsonObject, parseObject } from '@agentpty/protocol/wire'
import { isProof } from './server-proof.ts'

/**
 * `server`: agentpty, or a server with the same health message. `stranger`: another program. `silent`: a program that
 * has accepted the connection and said nothing so far. `nobody`: the port is free.
 */
export type Answerer = 'server' | 'stranger' | 'silent' | 'nobody'

export async function askHealth(port: number, clock: Clock): Promise<Answerer> {
  const answer = await ask(port, '/health', clock)
  return typeof answer === 'string' ? answer : answer['status'] === 'ok' ? 'server' : 'stranger'
}

/**
 * Whether the server at a port of this machine knows the token, without sending it: only then may it be sent there.
 * `unproven`: the server does not know it.
 */
export async function askProof(port: number, token: string, clock: Clock): Promise<'proven' | 'unproven' | 'nobody'> {
  const asked = { challenge: randomBytes(32).toString('base64url'), port }
  const answer = await ask(port, `/health?challenge=${asked.challenge}`, clock)
  if (answer === 'nobody') return 'nobody'
  return typeof answer === 'object' && isProof(answer['proof'], token, asked) ? 'proven' : 'unproven'
}

/** The object in the answer, or who is there when there is none. */
function ask(port: number, path: string, clock: Clock): Promise<JsonObject | Exclude<Answerer, 'server'>> {
  return new Promise((resolve) => {
    const asked = get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
        if (text.length > healthBytesMax) give('stranger')
      })
      response.on('end', () => give(parseObject(text) ?? 'stranger'))
      response.on('error', () => give('stranger'))
    })
    const cancelTimer = clock.callAt(clock.now() + healthAnswerMs, () => give('silent'))
    const give = (answer: JsonObject | Exclude<Answerer, 'server'>) => {
      cancelTimer()
      resolve(answer)
      asked.destroy()
    }
    // An answer that is not HTTP is from a stranger.
    asked.on('error', (error: NodeJS.ErrnoException) => give(error.code === 'ECONNREFUSED' ? 'nobody' : 'stranger'))
  })
}
