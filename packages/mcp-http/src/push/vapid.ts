/** Identifies this server at push services (RFC 8292): a signature with the key that the browser has subscribed with. */

import { createECDH, createPrivateKey, sign } from 'node:crypto'
import { type PushKeys, pushTokenMs } from '@agentpty/protocol/page'
import { curve } from './encrypt.ts'

export interface TokenParts {
  /** The address of the message; the token is valid for its origin only. */
  readonly endpoint: string
  readonly keys: PushKeys
  /** Milliseconds since 1970. */
  readonly now: number
  /** `mailto:` and an address, or a page. */
  readonly contact: string
}

export function makePushKeys(): PushKeys {
  const pair = createECDH(curve)
  return {
    publicKey: pair.generateKeys().toString('base64url'),
    privateKey: pair.getPrivateKey().toString('base64url').padStart(privateKeyCharacters, 'A'),
  }
}

/** The number has 32 bytes. A shorter one begins with zeros. */
const privateKeyCharacters = 43

/** The value of the header `Authorization`. */
export function authorization({ endpoint, keys, now, contact }: TokenParts): string {
  const head = part({ typ: 'JWT', alg: 'ES256' })
  const exp = Math.floor((now + pushTokenMs) / 1_000)
  const signed = `${head}.${part({ aud: new URL(endpoint).origin, exp, sub: contact })}`
  const signature = sign('sha256', Buffer.from(signed), { key: signingKey(keys), dsaEncoding: 'ieee-p1363' })
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${keys.publicKey}`
}

function signingKey({ publicKey, privateKey }: PushKeys) {
  const point = Buffer.from(publicKey, 'base64url')
  const x = point.subarray(1, 33).toString('base64url')
  const y = point.subarray(33).toString('base64url')
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x, y, d: privateKey }, format: 'jwk' })
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
