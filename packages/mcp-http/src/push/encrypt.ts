/**
 * Encryption of push messages (RFC 8291 with the `aes128gcm` coding of RFC 8188): only the browser that has subscribed can read them, and not
 * its push service.
 */

import { createCipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto'
import { pushPlainBytes } from '@agentpty/protocol/page'

/** The name of P-256 in OpenSSL. */
export const curve = 'prime256v1'

/** The browser's keys of a subscription, as bytes. */
export interface BrowserKeys {
  /** An uncompressed point. */
  readonly publicKey: Buffer
  readonly auth: Buffer
}

/** The random parts of one message. Tests set them. */
export interface MessageSecrets {
  readonly sender: ECDH
  readonly salt: Buffer
}

const saltBytes = 16
const keyBytes = 16
const nonceBytes = 12
const secretBytes = 32
/** The size of a record. A message is a single one. */
const recordBytes = 4_096
/** Marks the end of the text in the last record; zeros after it are padding. */
const lastRecord = Buffer.of(2)

/** Errors: those of the curve, for a public key that is no point of it. */
export function encrypt(
  text: Buffer,
  { publicKey, auth }: BrowserKeys,
  { sender, salt }: MessageSecrets = freshSecrets(),
): Buffer {
  const own = sender.getPublicKey()
  const shared = sender.computeSecret(publicKey)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, own])
  const material = hkdf(shared, { salt: auth, info, bytes: secretBytes })
  const key = hkdf(material, { salt, info: Buffer.from('Content-Encoding: aes128gcm\0'), bytes: keyBytes })
  const nonce = hkdf(material, { salt, info: Buffer.from('Content-Encoding: nonce\0'), bytes: nonceBytes })
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const encrypted = Buffer.concat([cipher.update(Buffer.concat([text, lastRecord])), cipher.final()])
  return Buffer.concat([headerOf(salt, own), encrypted, cipher.getAuthTag()])
}

/** Pads with spaces, which JSON allows. Errors: one for a text that is too long. */
export function padded(text: string): Buffer {
  const bytes = Buffer.from(text)
  if (bytes.length > pushPlainBytes) throw new Error(`a push message of ${bytes.length} bytes`)
  return Buffer.concat([bytes, Buffer.alloc(pushPlainBytes - bytes.length, ' ')])
}

function freshSecrets(): MessageSecrets {
  const sender = createECDH(curve)
  sender.generateKeys()
  return { sender, salt: randomBytes(saltBytes) }
}

interface HkdfParts {
  readonly salt: Buffer
  readonly info: Buffer
  readonly bytes: number
}

function hkdf(secret: Buffer, { salt, info, bytes }: HkdfParts): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))
}

function headerOf(salt: Buffer, publicKey: Buffer): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(recordBytes)
  return Buffer.concat([salt, size, Buffer.of(publicKey.length), publicKey])
}
