/** Kept inputs of a target, one a file. A file's name says what the input is, or is made from its bytes. */

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const here = path.dirname(fileURLToPath(import.meta.url))
export const corpusFolder = path.join(here, 'corpus')

export interface KeptInput {
  readonly name: string
  readonly input: Uint8Array
}

/** None where there is no folder. */
export function readInputs(folder: string): readonly KeptInput[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).toSorted()
  return names.map((name) => ({ name, input: Uint8Array.from(readFileSync(path.join(folder, name))) }))
}

/** Where it was written. */
export function writeInput(folder: string, input: Uint8Array): string {
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, createHash('sha256').update(input).digest('hex').slice(0, 16))
  writeFileSync(file, input)
  return file
}
