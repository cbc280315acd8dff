/** TOML as plain tables, and back. Whole numbers too large for a number are kept as bigint. */

import { limitReached } from '@agentpty/protocol'
import { nestingMax, settingsFileBytesMax } from '@agentpty/protocol/gym'
import { isObject, type JsonObject } from '@agentpty/protocol/wire'
import { parse, stringify, TomlError } from 'smol-toml'
import { malformed, shapeFault } from './json-text.ts'

/** `file`: its name, for errors. Errors: `invalid_input`, with the line; `limit_reached`. */
export function readTomlText(text: string, file: string): JsonObject {
  if (Buffer.byteLength(text) > settingsFileBytesMax)
    throw limitReached(`${file} is longer than ${settingsFileBytesMax} bytes.`, 'Shorten it.')
  const value = parsed(text, file)
  const fault = shapeFault(value, nestingMax)
  if (fault !== null) throw malformed(file, { path: [], message: fault }, 'Write it flatter.')
  return value
}

function parsed(text: string, file: string): JsonObject {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded', unsafeKeyBehaviour: 'throw', maxDepth: nestingMax })
  } catch (error) {
    const [first = 'cannot be read'] = (error instanceof Error ? error.message : String(error)).split('\n')
    const line = error instanceof TomlError ? `line ${error.line}: ` : ''
    throw malformed(
      file,
      { path: [], message: `${line}${first.replace(/\.$/, '')}` },
      'Mend that line; the file is TOML 1.0.',
    )
  }
}

/** Keys in their order; what is null or undefined is left out at every level. */
export function tomlText(table: JsonObject): string {
  return stringify(withoutNulls(table))
}

/** Dates have a shape of their own, which stays. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null && item !== undefined).map(withoutNulls)
  if (!isObject(value) || value instanceof Date) return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined)
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutNulls(inner)]))
}
