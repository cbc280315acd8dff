/** Finds what is wrong, and says what to do about it: the machine first, then the daemon, then every client that knows us. */

import type { Finding } from '@agentpty/protocol/setup'
import type { DaemonStatus } from '@agentpty/protocol/wire'
import { examineAgents } from './agent-programs.ts'
import { made, type Subject } from './check.ts'
import { examineClient } from './client-checks.ts'
import { daemonChecks, openDaemon } from './daemon-checks.ts'
import { examinePolicy, machineChecks } from './machine-checks.ts'

export type { Subject } from './check.ts'

export async function* examine(subject: Subject): AsyncGenerator<Finding> {
  for await (const finding of examineAll(subject))
    yield { ...finding, found: asOneLine(finding.found), advice: asOneLine(finding.advice) }
}

/** Text from files and programs is not ours: it must stay on its line and move no cursor. */
const asOneLine = (text: string) => text.replaceAll(/\p{Cc}+/gu, ' ')

async function* examineAll(subject: Subject): AsyncGenerator<Finding> {
  for (const check of machineChecks) yield await made('machine', check, subject)
  for (const seen of examinePolicy(subject)) yield { group: 'machine', name: 'policy', ...seen }
  for await (const seen of examineAgents(subject)) yield { group: 'machine', name: 'agents', ...seen }
  const own = yield* examineDaemon(subject)
  const states = await subject.registered()
  if (states.length === 0) yield { group: 'clients', name: 'clients', ...noneHere }
  for (const state of states) {
    for await (const seen of examineClient(state, { ...subject, own }))
      yield { group: 'clients', name: state.title, ...seen }
  }
}

const noneHere = { mark: 'hint', found: 'none found here', advice: 'Those it knows: agentpty init --help' } as const

/** Without a daemon its other checks are skipped. Returns its status, or null. */
async function* examineDaemon(subject: Subject): AsyncGenerator<Finding, DaemonStatus | null> {
  const { seen, daemon, status } = await openDaemon(subject)
  yield { group: 'daemon', name: 'daemon', ...seen }
  if (daemon === null) return null
  try {
    for (const check of daemonChecks(daemon)) yield await made('daemon', check, subject)
  } finally {
    await daemon.close()
  }
  return status
}
