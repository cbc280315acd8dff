/** The saved inputs of a target, one in each file. A file is named after its input or its hash. */

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

/** Empty without a folder. */
export function readInputs(folder: string): readonly KeptInput[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).toSorted()
  return names.map((name) => ({ name, input: Uint8Array.from(readFileSync(path.join(folder, name))) }))
}

/** Returns the path of the written file. */
export function writeInput(folder: string, input: Uint8Array): string {
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, createHash('sha256').update(input).digest('hex').slice(0, 16))
  writeFileSync(file, input)
  return file
}
