/**
 * A result as a model reads it: without what goes without saying.
 *
 * A call that did what was asked says so by not being an error; a wait that was met, a verdict that is no mere guess,
 * and the keys that the caller itself has named are not worth their tokens in every answer. What is long comes last: clients that
 * shorten a result keep its beginning, and a model that has lost the offset to read on from is lost itself.
 */

import type { JsonObject } from '../../contracts/wire/json-lines.ts'

export function brief(result: JsonObject): JsonObject {
  const kept = Object.entries(result).filter(([name, value]) => !goesWithoutSaying(name, value, result))
  return Object.fromEntries([...kept.filter(([name]) => !isLong(name)), ...kept.filter(([name]) => isLong(name))])
}

const isLong = (name: string): boolean => name === 'output' || name === 'screen'

function goesWithoutSaying(name: string, value: unknown, result: JsonObject): boolean {
  switch (name) {
    case 'sent':
    case 'keys':
    case 'sequences':
    // They are marked in the text.
    case 'highlights':
      return true
    case 'outcome':
      return value === 'met'
    case 'confidence':
      return value !== 'low'
    case 'evidence':
      return result['state'] === 'ready' && result['confidence'] !== 'low'
    default:
      return false
  }
}
