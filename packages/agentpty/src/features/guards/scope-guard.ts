/**
 * The guard of scopes: a caller that has one touches its own terminals and no others, by any verb and any stream.
 *
 * What a verb touches stands in its record. The engine that its handler gets shows the same terminals, so that what a name means cannot
 * change in between, and lists hold nothing else.
 */

import type { Call, Guard } from '../../contracts/call/guard.ts'
import { onlyLooks, outsideScope, scopeEnded } from '../../contracts/scope/scope.ts'
import { isVerbName, verbs } from '../../contracts/verbs/index.ts'
import type { TypingVerb } from '../../contracts/verbs/typing-verbs.ts'
import type { Touches } from '../../contracts/verbs/verb.ts'
import { hostSeenBy, type SeenHost } from '../../engine/host/seen-host.ts'

/** Calls that are no verbs. The state of the server tells of all terminals, and ending it ends them for all. */
const others: Readonly<Record<'tool' | 'follow' | 'watch' | 'status' | 'stop', Touches>> = {
  // Each verb that it calls is looked at.
  tool: 'own',
  follow: ['terminalId'],
  watch: 'own',
  status: 'nobody',
  stop: 'nobody',
}

/** What who only looks may call: named one by one, so that nothing new is among them unseen. */
const looking: ReadonlySet<Call['name']> = new Set<Exclude<Call['name'], TypingVerb>>([
  'list',
  'read',
  'screenshot',
  'recording',
  'timeline',
  // Of terminals that it may look at, as long as they are there.
  'recordings',
  'keptRecording',
  'follow',
  'watch',
])

/** Errors: `denied` for what no scope may, and once its token does not count; `session_not_found` for terminals of others. */
export function scopeGuard(host: SeenHost): Guard {
  return ({ name, input, context: { scope }, typesInto }) => {
    if (scope === undefined) return
    if (!scope.holds()) throw scopeEnded(scope)
    if (scope.view !== undefined && !looking.has(name)) throw onlyLooks(name)
    const touches = touchesOf(name)
    if (touches === 'nobody') throw outsideScope(scope, name)
    const seen = hostSeenBy(host, scope)
    if (typesInto !== undefined) seen.find(typesInto)
    if (touches === 'own') return
    for (const field of touches) for (const terminal of namedIn(input, field)) seen.find(terminal)
  }
}

function touchesOf(name: Call['name']): Touches {
  return isVerbName(name) ? verbs[name].touches : others[name]
}

function namedIn(input: unknown, field: 'terminalId' | 'terminalIds'): readonly string[] {
  const named = (input as { readonly [Field in typeof field]?: string | readonly string[] })[field]
  return named === undefined ? [] : [named].flat()
}
