/**
 * JSON that somebody else has written, as a value that nothing can stumble over: not too long, not too deep, and without the key
 * `__proto__`, which would become the prototype of whatever it is copied into.
 */

import { TermError } from '@agentpty/protocol'
import { jsonNestingMax } from '@agentpty/protocol/gym'
import { isObject } from '@agentpty/protocol/wire'
import { malformed } from './malformed.ts'

export interface JsonOptions {
  /** For errors. */
  readonly file: string
  readonly bytesMax: number
}

/** Errors: `invalid_input`, `limit_reached`. */
export function readJsonText(text: string, { file, bytesMax }: JsonOptions): unknown {
  if (Buffer.byteLength(text) > bytesMax)
    throw new TermError('limit_reached', `${file} is longer than ${bytesMax} bytes.`, 'Read a shorter one.')
  const value = parse(text, file)
  const fault = shapeFault(value, jsonNestingMax)
  if (fault !== null) throw malformed(file, { path: [], message: fault }, 'Mend the file, or leave that part out.')
  return value
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = `is no JSON: ${error instanceof Error ? error.message : String(error)}`
    throw malformed(file, { path: [], message }, 'Mend the file; a program that was killed may have left half of it.')
  }
}

/** What is wrong with the shape of a parsed value; null when nothing is. Walks level by level, so depth costs no stack. */
export function shapeFault(value: unknown, depthMax: number): string | null {
  let level: readonly unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthMax) return `is nested deeper than ${depthMax} levels`
    const next: unknown[] = []
    for (const one of level) {
      if (isObject(one) && Object.hasOwn(one, '__proto__')) return 'has a key "__proto__"'
      if (typeof one !== 'object' || one === null) continue
      for (const inner of Object.values(one)) if (typeof inner === 'object' && inner !== null) next.push(inner)
    }
    level = next
  }
  return null
}
