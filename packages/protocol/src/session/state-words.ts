/** The words in which persons read the state of a terminal: the same in `ls`, the tree, the page and VS Code. */

import type { NodeStatus } from '../agents/lineage.ts'
import type { NeedKind } from '../need-limits.ts'
import type { Kind, State } from './verdict.ts'

export interface TerminalState {
  /** Null while it is not known yet. */
  readonly state: State | null
  /** Null unless ready. */
  readonly kind: Kind | null
  /** The need of the terminal for a person; null without one. */
  readonly need: NeedKind | null
  readonly isPaused: boolean
  /** An agent was started in it. */
  readonly isAgent: boolean
  readonly exitCode: number | null
  readonly signal: string | null
}

/** Each text for persons begins with one of these words. Details follow: "asks for a key", "ended (exit 3)". */
export const stateVocabulary = [
  'working',
  'asks',
  'needs approval',
  'at its prompt',
  'idle',
  'paused',
  'ended',
  'unreachable',
  'unknown',
] as const

type Word = (typeof stateVocabulary)[number]
type Words = Word | `${Word} ${string}`

/** @example stateWords(terminal) // 'at its prompt', 'asks for a password', 'ended (exit 3)' */
export function stateWords({ state, kind, need, isPaused, isAgent, exitCode, signal }: TerminalState): Words {
  if (state === 'exited') return endWords({ exitCode, signal })
  if (isPaused) return 'paused'
  if (need !== null && need !== 'failure') return needWords[need]
  if (state === null) return 'unknown'
  if (state === 'busy') return 'working'
  return kindWords[isAgent && taskKinds.has(kind ?? 'other') ? 'agent' : (kind ?? 'other')]
}

/** The end of a program: "ended", "ended (exit 3)", "ended (SIGTERM)". */
export function endWords({ exitCode, signal }: Pick<TerminalState, 'exitCode' | 'signal'>): Words {
  if (signal !== null) return `ended (${signal})`
  return exitCode === null || exitCode === 0 ? 'ended' : `ended (exit ${exitCode})`
}

export const needWords: Readonly<Record<NeedKind, Words>> = {
  approval: 'needs approval',
  question: 'asks a question',
  dialog: 'asks a question',
  password: 'asks for a password',
  confirmation: 'asks yes or no',
  takeOver: 'asks you to take over',
  failure: 'ended (failed)',
}

/** A program that waits for input. A dialog and a password have the same words before they count as a need. */
const kindWords: Readonly<Record<Kind, Words>> = {
  shell: 'at its prompt',
  continuation: 'asks for the next line',
  line: 'asks for a line',
  password: needWords.password,
  key: 'asks for a key',
  pager: 'asks for keys (pager)',
  repl: 'at its prompt',
  menu: needWords.dialog,
  editor: 'asks for keys (editor)',
  tui: 'asks for keys',
  agent: 'idle',
  remote: 'at its prompt (remote)',
  other: 'asks for input',
}

/** Where an agent takes its next task. */
const taskKinds: ReadonlySet<Kind> = new Set<Kind>(['agent', 'line', 'repl', 'tui', 'other'])

/** The words for a node of the lineage without a terminal, and for a status that a caller has set. */
export const statusWords: Readonly<Record<NodeStatus, Words>> = {
  idle: kindWords.agent,
  queued: 'idle (queued)',
  starting: 'working (starting)',
  running: 'working',
  blocked: needWords.question,
  'waiting-input': needWords.question,
  stopping: 'working (stopping)',
  stopped: 'ended (stopped)',
  error: 'ended (failed)',
  done: 'ended (done)',
  disconnected: 'unreachable',
}

/**
 * Returns the status that is shown instead of the state of the terminal, or null. A status that only repeats what the
 * terminal shows is not, and nothing counts once the program has ended.
 */
export function overridingStatus(
  status: NodeStatus | null,
  { state }: Pick<TerminalState, 'state'>,
): NodeStatus | null {
  if (status === null || state === 'exited' || shownByTerminal.has(status)) return null
  return status === 'waiting-input' && state === 'ready' ? null : status
}

const shownByTerminal: ReadonlySet<NodeStatus> = new Set<NodeStatus>(['idle', 'starting', 'running', 'stopped'])
