/** The approvals of an instance, in a file of its own: they outlive the daemon. */

import { type KeptApprovals, parseKeptApprovals } from '@agentpty/protocol/approvals'
import { readPrivateJson, writePrivate } from '../files/index.ts'

const nothing: KeptApprovals = { last: 0, approvals: [], grants: { last: 0, grants: [] } }
const advice = 'Make it readable, or remove it: what waits for a person is asked again.'

/** What does not parse counts as nothing: nobody is allowed anything by a broken file. Errors: `environment`. */
export function loadApprovals(path: string): KeptApprovals {
  return parseKeptApprovals(readPrivateJson(path, advice)) ?? nothing
}

/** Errors: `environment`, on a full disk say; then nothing is allowed either. */
export function saveApprovals(path: string, kept: KeptApprovals): void {
  writePrivate(path, JSON.stringify(kept))
}
