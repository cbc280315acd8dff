/**
 * A result as a model reads it: without what is obvious.
 *
 * A call that is not an error did what was asked; a wait that was met, a verdict that is not a guess, and the keys that
 * the caller itself has named are not worth their tokens in every result. Long fields come last: clients that shorten a
 * result keep its beginning, and a model needs the offset to read on from.
 */

import type { JsonObject } from '@agentpty/protocol/wire'

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
