/** An action in any of the forms that clients of OpenEnv send it: as ours, as `{text}`, as a string, with `metadata`, or in `{action}`. */

import { Action, type ParsedAction } from '@agentpty/protocol/gym'
import { isObject, type JsonObject } from '@agentpty/protocol/wire'
import { OpenEnvError } from './contract.ts'

/** Errors: `VALIDATION_ERROR`. */
export function readAction(given: unknown): ParsedAction {
  const meant = plain(given)
  const parsed = Action.safeParse(meant)
  if (parsed.success) return parsed.data
  throw new OpenEnvError('VALIDATION_ERROR', `${JSON.stringify(meant).slice(0, shownMax)} is no action.`, {
    errors: [{ loc: ['action'], msg: Action.description ?? '', type: 'value_error' }],
  })
}

const shownMax = 200

function plain(given: unknown): unknown {
  if (!isObject(given)) return given
  // Every action of OpenEnv has it, and nothing follows from it.
  const { metadata: _, ...action } = given
  const [only] = Object.keys(action)
  if (only === 'action' && Object.keys(action).length === 1) return plain(action['action'])
  return 'text' in action && !('type' in action) ? entered(action) : action
}

/** A text alone is entered, as a string is. */
function entered({ text, ...more }: JsonObject): unknown {
  return Object.keys(more).length === 0 ? text : { type: 'send', text, enter: true, ...more }
}
