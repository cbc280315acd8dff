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
  connect: 'connect to',
  signal: 'send a signal to',
  trace: 'debug',
  hidden: 'change files that the gate cannot see',
  anything: 'do many things: look at its terminal, which asks more than can be shown, below',
}

const manyWords: Readonly<Partial<Record<EffectVerb, string>>> = {
  connect: 'many more servers',
  signal: 'many more processes',
  trace: 'many more processes',
}

/** The area of a job that has been asked about in many places: the question is about all others. */
export const isAboutAll = ({ area }: EffectQuestion): boolean => area === '/'

export function wantedBy(question: EffectQuestion): string {
  const { program, verb, area } = question
  if (verb === 'hidden') return `${shownText(program, pathMax)} wants to ${verbWords[verb]}`
  const where =
    isAboutAll(question) && verb !== 'anything' ? (manyWords[verb] ?? 'files in many more places') : inHome(area)
  return `${shownText(program, pathMax)} wants to ${verbWords[verb]} ${where}`
}

const inHome = (path: string) =>
  shownText(path.startsWith(`${homedir()}/`) ? `~${path.slice(homedir().length)}` : path, pathMax)

const reasons: Readonly<Partial<Record<EffectVerb, string>>> = {
  connect: 'It is outside this terminal.',
  signal: 'It is outside this terminal.',
  trace: 'It is outside this terminal.',
  hidden: 'It closes its memory to other programs.',
}

/** Why it is asked about. */
export const reasonOf = ({ verb }: EffectQuestion) =>
  `${reasons[verb] ?? 'This terminal has not made it.'} The first call is held: nothing has happened yet.`

/** `4711 node server.js`, or all of them. */
function processOf(shown: string): string {
  const [, pid, command = ''] = /^(\d+) (.*)$/.exec(shown) ?? []
  if (pid === undefined) return shownText(shown, pathMax)
  return `process ${pid}, which this terminal has not started${command === '' ? '' : `: ${shownText(command, pathMax)}`}`
}

/** Describes the files that are there now. Counting them takes a bounded time. */
export function effectOf(question: EffectQuestion, now: () => number): string {
  const { verb, area, path } = question
  if (isAboutAll(question) && verb !== 'anything')
    return `the answer is for all that this job has not been asked about; the first of these is ${inHome(path)}`
  const first = path === area ? '' : `; the first is ${inHome(path)}`
  if (verb === 'create') return `makes ${inHome(path)}, where programs start from or keep keys`
  if (verb === 'connect')
    return `it acts outside this terminal, where the gate does not see it; its socket is ${inHome(path.slice(area.length))}`
  if (verb === 'signal' || verb === 'trace') return processOf(path.slice(area.length + 1))
  if (verb === 'hidden')
    return 'agents of keys such as ssh-agent do so; an answer is for all that it does until its job ends'
  if (verb === 'anything') return `the first of these is ${inHome(path)}`
  const until = now() + effectMsMax
  return `${countedFiles(area, () => now() > until)}${first}`
}
