/** The approvals of an instance, in a file of its own: they outlive the daemon. */

import { KeptApprovals } from '@agentpty/protocol/approvals'
import { privateJsonFile } from '../files/index.ts'
import { type ApprovalStore, inMemory } from './approvals.ts'

const advice = 'Make it readable, or remove it: what waits for a person is asked again.'

/** A broken file counts as none, and allows nothing. Errors: `environment`, on a full disk say; then nothing is allowed either. */
export function approvalsFile(path: string): ApprovalStore {
  const { read, write } = privateJsonFile<KeptApprovals>(path, { schema: KeptApprovals, advice, setAside: null })
  return { load: () => read() ?? inMemory.load(), save: write }
}
