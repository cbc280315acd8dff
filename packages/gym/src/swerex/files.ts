/** Files of a runtime: read, written, and uploaded, inside its container. */

import { TextDecoder } from 'node:util'
import { execInputBytesMax, execOutputBytesMax } from '@agentpty/protocol/gym'
import type { RuntimeContainer } from './container.ts'
import { type classes, type ReadFile, Swerexception } from './contract.ts'

/** Errors: those of Python's `open`. */
export async function readFile(container: RuntimeContainer, { path, encoding, errors }: ReadFile): Promise<string> {
  const { stdout, stderr, exitCode, droppedBytes } = await container.exec(['cat', '--', path])
  if (exitCode !== 0) throw fileError(stderr.toString(), path)
  if (droppedBytes > 0)
    throw new Swerexception('os', `${path} is larger than ${execOutputBytesMax} bytes: read it in parts by execute.`)
  return decodeText(stdout, encoding, errors)
}

/** Writes a file and the folders above it. Errors: those of Python's `open`. */
export async function writeFile(container: RuntimeContainer, path: string, content: Uint8Array): Promise<void> {
  let isFirst = true
  for (let at = 0; isFirst || at < content.length; at += execInputBytesMax) {
    const input = content.subarray(at, at + execInputBytesMax)
    const { stderr, exitCode } = await container.exec(['/bin/sh', '-c', isFirst ? begin : append, 'sh', path], {
      input,
    })
    if (exitCode !== 0) throw fileError(stderr.toString(), path)
    isFirst = false
  }
}

const begin = 'mkdir -p -- "$(dirname -- "$1")" && cat > "$1"'
const append = 'cat >> "$1"'

export interface Uploaded {
  readonly content: Uint8Array
  readonly targetPath: string
  /** The content is a ZIP archive, which becomes the folder `targetPath`. */
  readonly unzip: boolean
}

/** Errors: those of Python's `open`; `OSError` when it cannot be unpacked. */
export async function upload(container: RuntimeContainer, { content, targetPath, unzip }: Uploaded): Promise<void> {
  if (!unzip) return writeFile(container, targetPath, content)
  await writeFile(container, archive, content)
  const { stderr, exitCode } = await container.exec(['/bin/sh', '-c', unpack, 'sh', archive, targetPath])
  if (exitCode !== 0) throw new Swerexception('os', `Cannot unpack into ${targetPath}: ${stderr.toString().trim()}`)
}

const archive = '/run/swerex/upload.zip'

/** A script that unpacks with a program that exists. */
const unpack = `mkdir -p -- "$2" || exit
if command -v python3 >/dev/null; then python3 -c 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])' "$1" "$2"
elif command -v unzip >/dev/null; then unzip -qo "$1" -d "$2"
elif command -v bsdtar >/dev/null; then bsdtar -xf "$1" -C "$2"
else echo 'python3, unzip or bsdtar is needed for that.' >&2; false; fi
status=$?; rm -f -- "$1"; exit $status`

const errorTable: readonly (readonly [RegExp, keyof typeof classes, string])[] = [
  [/No such file/, 'notFound', '[Errno 2] No such file or directory'],
  [/Is a directory/, 'isFolder', '[Errno 21] Is a directory'],
  [/Not a directory/, 'isNoFolder', '[Errno 20] Not a directory'],
  [/Permission denied/, 'noPermission', '[Errno 13] Permission denied'],
]

/** Tools inside speak English: there is no other language. */
function fileError(stderr: string, path: string): Swerexception {
  const row = errorTable.find(([said]) => said.test(stderr))
  return row === undefined ? new Swerexception('os', stderr.trim()) : new Swerexception(row[1], `${row[2]}: '${path}'`)
}

/** Decodes a file's bytes as Python's `open(encoding, errors)` does. Errors: `UnicodeDecodeError`, `LookupError`. */
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
