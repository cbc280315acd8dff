/** Bytes of a file as text, as Python's `open(encoding, errors)` has it. */

import { TextDecoder } from 'node:util'
import { Swerexception } from './contract.ts'

/** Errors: `UnicodeDecodeError`, `LookupError`. */
export function decodeText(bytes: Uint8Array, encoding: string | null, errors: string | null): string {
  const name = encoding ?? 'utf-8'
  const strict = decoder(name, true)
  try {
    return strict.decode(bytes)
  } catch {
    // Some bytes are no text in it: what becomes of them the caller has said.
    return leniently(bytes, name, errors ?? 'strict')
  }
}

function leniently(bytes: Uint8Array, name: string, errors: string): string {
  switch (errors) {
    case 'replace':
      return decoder(name, false).decode(bytes)
    case 'ignore':
      return pieces(bytes, name, () => '')
    case 'backslashreplace':
      return pieces(bytes, name, (byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
    case 'strict':
      throw new Swerexception('decode', `'${name}' codec can't decode the file: some bytes of it are no text`)
    default:
      throw new Swerexception('lookup', `unknown error handler name '${errors}'`)
  }
}

/** The longest characters of the encodings that a browser knows have four bytes. */
const characterBytesMax = 4

/** A character at a time, and each byte that begins none as `other` says. */
function pieces(bytes: Uint8Array, name: string, other: (byte: number) => string): string {
  const strict = decoder(name, true)
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const length = characterLength(strict, bytes, at)
    text += length === 0 ? other(bytes[at] ?? 0) : strict.decode(bytes.subarray(at, at + length))
    at += Math.max(1, length)
  }
  return text
}

/** 0: none begins there. */
function characterLength(strict: TextDecoder, bytes: Uint8Array, at: number): number {
  for (let length = 1; length <= characterBytesMax && at + length <= bytes.length; length++) {
    try {
      strict.decode(bytes.subarray(at, at + length))
      return length
    } catch {
      // Not yet, or not at all.
    }
  }
  return 0
}

function decoder(name: string, fatal: boolean): TextDecoder {
  try {
    return new TextDecoder(name, { fatal, ignoreBOM: true })
  } catch {
    throw new Swerexception('lookup', `unknown encoding: ${name}`)
  }
}
