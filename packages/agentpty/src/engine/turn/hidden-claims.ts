/** Claims of programs whose waiting is out of sight: another user's, and those at the far end of a connection. */

import type { Facts } from '../../contracts/ports.ts'
import type { Kind } from '../../contracts/session/verdict.ts'
import { type Claim, nothingAskedMs, quietClaims } from './claim.ts'
import { kindOf } from './kind-of.ts'
import { promptShape } from './prompt-shape.ts'
import type { TurnView } from './turn-view.ts'

/** Programs whose far end nobody here can see. The only names in the rules of waiting. */
const remoteClients: ReadonlySet<string> = new Set([
  'ssh',
  'mosh-client',
  'telnet',
  'docker',
  'podman',
  'nerdctl',
  'kubectl',
  'lxc',
  'machinectl',
  'virsh',
])

export function isRemoteClient(facts: Facts): boolean {
  return remoteClients.has(facts.name)
}

/** Only the far end's marks, its line editor and what stands on the screen can tell. */
export function claimOfRemote(view: TurnView, kind: Kind, why: string): Claim {
  const claim = quietClaims(kind, `${why} and for the far end`)
  if (view.atPrompt) return claim(5, 'high', 'its shell has drawn its prompt')
  if (view.progressing) return claim(nothingAskedMs, 'low', 'which shows progress')
  if (!view.answeredSinceInput()) return claim(nothingAskedMs, 'low', 'which has not answered')
  if (view.pasteSinceInput) return claim(30, 'medium', 'where a line editor has begun a line')
  if (view.isKnownPrompt()) return claim(60, 'medium', 'where a known prompt stands')
  if (view.alternateScreen) return claim(250, 'low', 'which has drawn its screen')
  const shape = promptShape(view.cursorLine().before)
  if (shape === 'empty') return claim(nothingAskedMs, 'low', 'which has asked nothing')
  return shape === 'text' ? claim(700, 'low', 'which has gone quiet') : claim(250, 'low', 'where a prompt stands')
}

/** A program of another user hides its calls; its run state and the terminal's modes stay readable. */
export function claimOfHidden(view: TurnView, facts: Facts): Claim | null {
  if (facts.state !== 'S') return null
  const why = `${facts.name} sleeps and hides what it waits for`
  if (facts.canonical && !facts.echo)
    return { holdMs: 10, confidence: 'high', kind: 'password', why: [why, 'with echo off'] }
  const claim = quietClaims(kindOf(view, facts), why)
  if (view.answeredSinceInput() && view.isKnownPrompt()) return claim(60, 'medium', 'with a known prompt')
  if (view.alternateScreen || view.paints()) return claim(250, 'low', 'and has drawn its screen')
  const shape = promptShape(view.cursorLine().before)
  if (shape === 'empty') return claim(5_000, 'low', 'and asks nothing')
  return shape === 'text' ? claim(600, 'low', 'behind some text') : claim(200, 'low', 'behind what looks like a prompt')
}
