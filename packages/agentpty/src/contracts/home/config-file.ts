/** `config.yaml` as text: its keys and their lines. The settings are in config.ts. */

import { isMap, isScalar, LineCounter, parseDocument } from 'yaml'
import { TermError } from '../errors.ts'

export interface ConfigFile {
  readonly path: string
  readonly text: string
}

export interface FileEntry {
  readonly value: unknown
  /** Counts from 1. */
  readonly line: number
}

const fileBytesMax = 64 * 1024

/** Errors: `invalid_input` that names the line. */
export function parseConfigFile({ path, text }: ConfigFile): ReadonlyMap<string, FileEntry> {
  if (text.length > fileBytesMax) throw wrong(`${path}: larger than ${fileBytesMax} bytes.`)
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const [problem] = document.errors
  if (problem !== undefined) {
    const [what = problem.message] = problem.message.split(/ at line |\n/)
    throw wrong(`${path}:${lines.linePos(problem.pos[0]).line}: ${what}.`)
  }
  const { contents } = document
  if (contents === null || (isScalar(contents) && contents.value === null)) return new Map()
  if (!isMap(contents)) throw wrong(`${path}: not a list of keys and values.`)
  return new Map(
    contents.items.map(({ key, value }) => {
      const at = isScalar(key) && key.range ? lines.linePos(key.range[0]).line : 1
      if (value !== null && !isScalar(value)) throw wrong(`${path}:${at}: ${String(key)} must be one value.`)
      return [String(isScalar(key) ? key.value : key), { value: value?.value ?? null, line: at }] as const
    }),
  )
}

function wrong(problem: string): TermError {
  return new TermError('invalid_input', problem, 'For example: logBytes: 8388608   See: agentpty config --help')
}
