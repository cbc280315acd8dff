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

/** Returns a few words: "at its prompt", "asks for a password", "failed (3)". */
export function stateWords({ state, kind, need, isPaused, isAgent, exitCode, signal }: TerminalState): string {
  if (isPaused && state !== 'exited') return 'paused'
  if (state === 'exited') {
    if (signal !== null) return `ended by ${signal}`
    return exitCode === null || exitCode === 0 ? 'ended' : `failed (${exitCode})`
  }
  if (need !== null && need !== 'failure') return needWords[need]
  if (state === null) return 'starting'
  if (state === 'busy') return 'working'
  return kindWords[isAgent && taskKinds.has(kind ?? 'other') ? 'agent' : (kind ?? 'other')]
}

export const needWords: Readonly<Record<NeedKind, string>> = {
  approval: 'wants approval',
  question: 'asks a question',
  dialog: 'asks a question',
  password: 'asks for a password',
  confirmation: 'asks yes or no',
  takeOver: 'wants you to take over',
  failure: 'has failed',
}

/** A program whose turn it is not. A dialog and a password have the same words before they count as a need. */
const kindWords: Readonly<Record<Kind, string>> = {
  shell: 'at its prompt',
  continuation: 'asks for the next line',
  line: 'asks for a line',
  password: needWords.password,
  key: 'asks for a key',
  pager: 'in a pager',
  repl: 'at its prompt',
  menu: needWords.dialog,
  editor: 'in an editor',
  tui: 'waits for keys',
  agent: 'idle',
  remote: 'at a remote prompt',
  other: 'waits for input',
}

/** Where an agent takes its next task. */
const taskKinds: ReadonlySet<Kind> = new Set<Kind>(['agent', 'line', 'repl', 'tui', 'other'])

/** The words for a node of the lineage without a terminal, and for a status that a caller has set. */
export const statusWords: Readonly<Record<NodeStatus, string>> = {
  idle: kindWords.agent,
  queued: 'queued',
  starting: 'starting',
  running: 'working',
  blocked: 'blocked',
  'waiting-input': needWords.question,
  stopping: 'stopping',
  stopped: 'stopped',
  error: 'failed',
  done: 'done',
  disconnected: 'disconnected',
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
