/**
 * The guard of scopes: a caller that has one touches its own terminals and no others, by any verb and any stream.
 *
 * The record of a verb says what it touches, and whether viewers may call it. The engine that its handler gets shows the same terminals, so that what a name means cannot
 * change in between, and lists hold nothing else.
 */

import { hostSeenBy, type SeenHost } from '@agentpty/engine/host'
import type { Call, Guard } from '@agentpty/protocol/call'
import { onlyLooks, outsideScope, scopeEnded } from '@agentpty/protocol/scope'
import { isVerbName, type Touches, verbs } from '@agentpty/protocol/verbs'

interface Access {
  readonly touches: Touches
  readonly forViewers: boolean
}

/** Calls that are no verbs. The state of the server tells of all terminals, and ending it ends them for all. */
const others: Readonly<Record<'tool' | 'follow' | 'watch' | 'status' | 'stop', Access>> = {
  // Each verb that it calls is looked at.
  tool: { touches: 'own', forViewers: false },
  follow: { touches: ['terminalId'], forViewers: true },
  watch: { touches: 'own', forViewers: true },
  status: { touches: 'nobody', forViewers: false },
  stop: { touches: 'nobody', forViewers: false },
}

/** Errors: `denied` for what no scope may, and once its token does not count; `session_not_found` for terminals of others. */
export function scopeGuard(host: SeenHost): Guard {
  return ({ name, input, context: { scope }, typesInto }) => {
    if (scope === undefined) return
    if (!scope.holds()) throw scopeEnded(scope)
    const { touches, forViewers } = accessOf(name)
    if (scope.view !== undefined && !forViewers) throw onlyLooks(name)
    if (touches === 'nobody') throw outsideScope(scope, name)
    const seen = hostSeenBy(host, scope)
    if (typesInto !== undefined) seen.find(typesInto)
    if (touches === 'own') return
    for (const field of touches) for (const terminal of namedIn(input, field)) seen.find(terminal)
  }
}

function accessOf(name: Call['name']): Access {
  if (!isVerbName(name)) return others[name]
  const { touches, safety } = verbs[name]
  return { touches, forViewers: safety.callers === 'viewer' }
}

function namedIn(input: unknown, field: 'terminalId' | 'terminalIds'): readonly string[] {
  const named = (input as { readonly [Field in typeof field]?: string | readonly string[] })[field]
  return named === undefined ? [] : [named].flat()
}
