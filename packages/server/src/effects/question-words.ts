/** A question of a gate in words for persons. */

import { homedir } from 'node:os'
import { effectMsMax, shownText } from '@agentpty/protocol/approvals'
import type { EffectQuestion, EffectVerb } from '@agentpty/protocol/effects'
import { countedFiles } from '../policy/index.ts'

const pathMax = 200

const verbWords: Readonly<Record<EffectVerb, string>> = {
  delete: 'delete',
  move: 'move',
  write: 'write to',
  create: 'create',
  mode: 'change the mode or owner of',
  link: 'link',
  mount: 'mount at',
  anything: 'do many things: look at its terminal, which asks more than can be shown, below',
}

export const wantedBy = ({ program, verb, area }: EffectQuestion) =>
  `${shownText(program, pathMax)} wants to ${verbWords[verb]} ${inHome(area)}`

const inHome = (path: string) =>
  shownText(path.startsWith(`${homedir()}/`) ? `~${path.slice(homedir().length)}` : path, pathMax)

/** Describes the files that are there now. Counting them takes a bounded time. */
export function effectOf({ verb, area, path }: EffectQuestion, now: () => number): string {
  const first = path === area ? '' : `; the first is ${inHome(path)}`
  if (verb === 'create') return `makes ${inHome(path)}, where programs start from or keep keys`
  if (verb === 'anything') return `the first of these is ${inHome(path)}`
  const until = now() + effectMsMax
  return `${countedFiles(area, () => now() > until)}${first}`
}
