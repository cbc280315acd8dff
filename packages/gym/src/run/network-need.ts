/**
 * Finds whether a task needs the network, and the words that show it.
 *
 * Harbor's default is a public network, so a task.toml that does not mention it says nothing. A task needs the network where its task.toml
 * asks for it by name, or where one of its scripts runs a command that fetches something from another machine.
 */

import { dockerfileBytesMax, scriptBytesMax } from '@agentpty/protocol/gym'
import { filesBelow, readBytesInside } from '../folder-files.ts'
import type { HarborTask } from '../harbor/harbor-task.ts'
import type { TaskFolder } from '../harbor/read-task.ts'

type NetworkMode = HarborTask['environment']['network_mode']

export interface PhaseNetworks {
  readonly agent: NetworkMode
  readonly verifier: NetworkMode
}

export const isOpen = (mode: NetworkMode): boolean => mode !== 'no-network'

export function phaseNetworks({ environment, agent, verifier }: HarborTask): PhaseNetworks {
  return {
    agent: agent.network_mode ?? environment.network_mode,
    verifier: verifier.network_mode ?? verifier.environment?.network_mode ?? environment.network_mode,
  }
}

/** The first sign that the task needs the network, for a person; null without one. Errors: `invalid_input`, `limit_reached`. */
export function networkNeed(task: TaskFolder): string | null {
  const asked = askedByName(task)
  if (asked !== null) return asked
  const { agent, verifier } = phaseNetworks(task.task)
  if (!isOpen(agent) && !isOpen(verifier)) return null
  return scriptsOf(task).flatMap((path) => fetchIn(task.folder, path))[0] ?? null
}

/** The key of task.toml that asks for the network; null where none does. */
function askedByName({ written }: TaskFolder): string | null {
  const steps = (written.steps ?? []).flatMap((step, at) => [
    [`steps.${at}.agent`, step.agent?.network_mode] as const,
    [`steps.${at}.verifier`, step.verifier?.network_mode] as const,
  ])
  const modes = [
    ['environment', written.environment?.network_mode] as const,
    ['agent', written.agent?.network_mode] as const,
    ['verifier', written.verifier?.network_mode] as const,
    ['verifier.environment', written.verifier?.environment?.network_mode] as const,
    ...steps,
  ]
  const found = modes.find(([, mode]) => mode === 'public' || mode === 'allowlist')
  return found === undefined ? null : `task.toml: ${found[0]}.network_mode is "${found[1]}"`
}

function scriptsOf({ folder, steps }: TaskFolder): readonly string[] {
  const folders = ['tests', 'solution', ...steps.flatMap(({ name }) => [`steps/${name}`])]
  const scripts = folders.flatMap((path) => filesBelow(folder, path)).filter((path) => path.endsWith('.sh'))
  return ['environment/Dockerfile', 'tests/Dockerfile', ...scripts]
}

function fetchIn(folder: string, path: string): readonly string[] {
  const bytesMax = path.endsWith('Dockerfile') ? dockerfileBytesMax : scriptBytesMax
  // Whatever its encoding: commands are ASCII.
  const lines = (readBytesInside(folder, path, bytesMax)?.toString('latin1') ?? '').split('\n')
  const at = lines.findIndex(fetches)
  return at < 0 ? [] : [`${path}, line ${at + 1}: ${lines[at]?.trim().slice(0, 100)}`]
}

/** Commands that install or download. A wrong entry costs a refusal that names the way out; a missing one shows after the play. */
const fetchers: readonly RegExp[] = [
  /\b(?:apt|apt-get|dnf|yum|microdnf|zypper)\s+(?:-\S+\s+)*(?:update|install|upgrade)\b/,
  /\bapk\s+(?:-\S+\s+)*add\b/,
  /\b(?:pip|pip3|pipx|uv pip|uv tool|conda|mamba|npm|pnpm|yarn|gem)\s+(?:-\S+\s+)*install\b(?!.*(?:--no-index|--offline))/,
  /\b(?:uvx|npx)\s+\S/,
  /\buv\s+(?:add|sync|run)\b(?!.*--offline)/,
  /\bnpm\s+ci\b(?!.*--offline)/,
  /\bgit\s+(?:clone|fetch|pull)\b.*(?:https?|ssh|git):\/\//,
]
/** `curl -s example.com/file`: an address without its scheme. */
const bareDownloads =
  /^\s*(?:\S+=\S*\s+)*(?:curl|wget)\s(?:.*\s)?['"]?(?!localhost|127\.)[a-z\d-]+(?:\.[a-z\d-]+)*\.(?:com|org|net|io|sh|dev|edu|gov|me|co)(?:[:/'"\s]|$)/i
const downloads = /\b(?:curl|wget)\b.*\b(?:https?|ftp):\/\/(?!(?:localhost|127\.|0\.0\.0\.0|\[::1\]|\$))/

/** A comment fetches nothing. */
const fetches = (whole: string): boolean => isFetch(whole.slice(0, lineCharactersMax))

/** No command of a script is longer, and the patterns take the square of a line's length. */
const lineCharactersMax = 2_000

const isFetch = (line: string): boolean =>
  !/^\s*#/.test(line) &&
  (downloads.test(line) || bareDownloads.test(line) || fetchers.some((fetcher) => fetcher.test(line)))
