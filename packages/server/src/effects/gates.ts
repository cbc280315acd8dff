/** Which gate a terminal gets: the wanted one. For one looser than that of the user, the repository and the caller’s terminal a person is asked. */

import { homedir, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type Millis, TermError } from '@agentpty/protocol'
import { type GatePlace, type GateSetting, type Gates, gateSettings, undoBytesMax } from '@agentpty/protocol/effects'
import { workspaceOf } from '@agentpty/shell-policy'
import type { EffectApprovals } from './effect-approvals.ts'
import { gateServers } from './gate-servers.ts'
import { type GatePlaces, gateTable } from './gate-table.ts'
import { KeptHistory } from './kept-history.ts'

interface GatesOptions {
  /** Returns the setting of the user and the repositories in these folders. */
  readonly requiredIn: (folders: readonly string[]) => GateSetting
  /** How long a held call waits for an answer. */
  readonly waitMsIn: (folders: readonly string[]) => Millis
  /** Folders of this agentpty. */
  readonly own: readonly string[]
  readonly approvals: Pick<EffectApprovals, 'endJob'>
  /** Where deleted and overwritten files are kept; null where none are. */
  readonly undo: string | null
}

export function makeGates({ requiredIn, waitMsIn, own, approvals, undo }: GatesOptions): Gates {
  const history = undo === null ? null : new KeptHistory(undo)
  const loosened = new WeakSet<GatePlace['caller']>()
  const requiredAt = ({ cwd, caller, inherited }: GatePlace) => strictest([requiredIn([cwd, caller.cwd]), inherited])
  return {
    keepsFiles: undo !== null,
    endJob: (approvalId) => approvals.endJob(approvalId),
    requiredAbove: (asked, place) => {
      const required = requiredAt(place)
      return asked !== undefined && isLooser(asked, required) ? required : null
    },
    loosenFor: (caller) => void loosened.add(caller),
    tableFor: (asked, place) => {
      const { cwd, caller } = place
      const setting = settle(asked, requiredAt(place), loosened.has(caller))
      if (setting === 'off') return null
      const table = tableFor(place, { own, isKept: setting === 'ask' && undo !== null })
      if (setting === 'journal') return () => table
      const asks = `asks ${waitMsIn([cwd, caller.cwd])}\n`
      return (terminal) => `${asks}${undo === null ? '' : keepsLine(undo, terminal)}${table}`
    },
    keptJobs: (terminalId) => history?.jobsOf(terminalId) ?? [],
  }
}

/** One job may take half of the room. */
const keepsLine = (undo: string, terminal: string) => `keeps ${undoBytesMax / 2} ${join(undo, terminal)}\n`

const strictest = (settings: readonly GateSetting[]) =>
  gateSettings.findLast((setting) => settings.includes(setting)) ?? 'off'

const isLooser = (one: GateSetting, other: GateSetting) => gateSettings.indexOf(one) < gateSettings.indexOf(other)

/** Errors: `denied` for one that is looser than the required one. */
function settle(asked: GateSetting | undefined, required: GateSetting, isApproved: boolean): GateSetting {
  if (asked === undefined) return required
  if (isApproved || !isLooser(asked, required)) return asked
  throw new TermError(
    'denied',
    `Terminals here have the gate "${required}", and "${asked}" would be looser.`,
    'Leave it out, or ask the person: it is gate below policy in config.yaml, or in .agentpty/policy.yaml.',
  )
}

function tableFor({ cwd, caller }: GatePlace, more: Pick<GatePlaces, 'own' | 'isKept'>): string {
  const { env } = caller
  const home = env['HOME'] || homedir()
  const servers = gateServers({ home, user: process.getuid?.() ?? 0, env })
  const files = gateTable({
    workspace: workspaceOf(cwd, home),
    home,
    searchPath: (env['PATH'] ?? '').split(delimiter),
    temporary: env['TMPDIR'] || tmpdir(),
    cache: env['XDG_CACHE_HOME'] || undefined,
    ...more,
  })
  return files + servers.map(({ name, path }) => `server ${name} ${path}\n`).join('')
}
