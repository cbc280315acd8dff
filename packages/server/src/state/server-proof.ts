/**
 * How a server proves that it is this user's agentpty before anybody sends it the token: it answers a challenge with a
 * code that only the token can make. The port is part of the code, so that a server at another port cannot pass the
 * challenge on.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { challengeCharactersMax } from '@agentpty/protocol'

export interface Challenge {
  /** Random, chosen by the client. */
  readonly challenge: string
  /** The port at which the server is asked. */
  readonly port: number
}

export function proofOf(token: string, { challenge, port }: Challenge): string {
  return createHmac('sha256', token).update(`agentpty server ${port} ${challenge}`).digest('base64url')
}

export function isProof(given: unknown, token: string, asked: Challenge): boolean {
  const wanted = Buffer.from(proofOf(token, asked))
  const answer = Buffer.from(typeof given === 'string' ? given : '')
  return answer.length === wanted.length && timingSafeEqual(answer, wanted)
}

/** Null when the address asks for no proof, or its challenge is not valid. */
export function challengeIn(url: string): string | null {
  const challenge = new URL(url, 'http://localhost').searchParams.get('challenge') ?? ''
  return /^[\w-]{16,}$/.test(challenge) && challenge.length <= challengeCharactersMax ? challenge : null
}
