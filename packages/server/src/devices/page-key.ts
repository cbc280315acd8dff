/** Keys of browsers: ECDSA on P-256, as WebCrypto writes the key and the signature. */

import { createPublicKey, type KeyObject, verify } from 'node:crypto'

/** An uncompressed point. */
const pointBytes = 65
const signatureBytes = 64

/** Null for what is no point of the curve. */
export function readPageKey(publicKey: string): KeyObject | null {
  const point = Buffer.from(publicKey, 'base64url')
  if (point.length !== pointBytes || point[0] !== 4 || point.toString('base64url') !== publicKey) return null
  const x = point.subarray(1, 33).toString('base64url')
  const y = point.subarray(33).toString('base64url')
  try {
    return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  } catch {
    // Two numbers that are no point of the curve.
    return null
  }
}

export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  const key = readPageKey(publicKey)
  const bytes = Buffer.from(signature, 'base64url')
  if (key === null || bytes.length !== signatureBytes) return false
  return verify('sha256', Buffer.from(text, 'utf8'), { key, dsaEncoding: 'ieee-p1363' }, bytes)
}
