/** Where the rows of all rooms come from: the terminals that there are, and how each of them is. */

import type { VerbOutput } from '../../../agentpty/src/contracts/verbs/index.ts'
import type { WireClient } from '../../../agentpty/src/faces/wire/wire-client.ts'
import { systemClock } from '../system-clock.ts'

type Listed = VerbOutput<'list'>['terminals'][number]

export interface Row {
  readonly terminalId: string
  readonly name: string | null
  readonly command: string
  readonly cwd: string
  /** The terminal from which it was opened; null for one that was opened from elsewhere. */
  readonly parentId: string | null
  readonly state: 'ready' | 'busy' | 'exited'
  readonly kind: string | null
  /** What it asks a person; null when it asks nothing, or nothing that can be read. */
  readonly question: string | null
  /** It waits for an answer, a password, or the like. */
  readonly needsPerson: boolean
  readonly isPaused: boolean
  readonly exitCode: number | null
  readonly isSandboxed: boolean
  readonly createdAt: number
}

/** How often the states are asked for while the page shows. Names come and go by `watch`. */
const askMs = 1_500

/** Goes on until the signal aborts or the connection ends. */
export async function followOverview(
  client: WireClient,
  show: (rows: readonly Row[]) => void,
  signal: AbortSignal,
): Promise<void> {
  let isAsking = false
  const ask = async () => {
    if (isAsking || signal.aborted) return
    isAsking = true
    try {
      show((await client.call('list', {})).terminals.map(rowOf))
    } finally {
      isAsking = false
    }
  }
  const poll = () => {
    if (signal.aborted) return
    // A page that nobody sees asks nothing, and asks again once it is seen.
    if (document.visibilityState === 'visible') void ask().catch(() => {})
    systemClock.callAfter(askMs, poll)
  }
  poll()
  for await (const _ of client.watch({ signal })) await ask()
}

const askingKinds: readonly string[] = ['password', 'menu', 'key']

function rowOf(one: Listed): Row {
  return {
    terminalId: one.terminalId,
    name: one.name ?? null,
    command: one.command,
    cwd: one.cwd,
    parentId: one.parent ?? null,
    state: one.state,
    kind: one.kind ?? null,
    question: one.question ?? null,
    needsPerson: one.needs === 'answer' || (one.state === 'ready' && askingKinds.includes(one.kind ?? '')),
    isPaused: one.isPaused === true,
    exitCode: one.exitCode ?? null,
    isSandboxed: one.sandbox !== undefined,
    createdAt: one.createdAt,
  }
}

export interface TreeRow extends Row {
  /** 0 for one that nobody here has opened. */
  readonly depth: number
}

/** Each below the one that has opened it, in the order in which they were opened. */
export function treeOf(rows: readonly Row[]): readonly TreeRow[] {
  const known = new Set(rows.map(({ terminalId }) => terminalId))
  const below = (parentId: string | null, depth: number): readonly TreeRow[] =>
    rows
      .filter((row) => (known.has(row.parentId ?? '') ? row.parentId : null) === parentId)
      .flatMap((row) => [{ ...row, depth }, ...below(row.terminalId, depth + 1)])
  return below(null, 0)
}

/** What it does, in a word or two. */
export function stateWords({ state, kind, needsPerson, isPaused, exitCode }: Row): string {
  if (isPaused) return 'paused'
  if (state === 'exited') return exitCode === null || exitCode === 0 ? 'ended' : `ended (${exitCode})`
  if (state === 'busy') return 'working'
  if (needsPerson) return kind === 'password' ? 'wants a password' : 'asks'
  return kind === null || kind === 'other' ? 'waits' : `waits: ${kindWords[kind] ?? kind}`
}

const kindWords: Readonly<Record<string, string>> = {
  shell: 'shell',
  tui: 'full screen',
  repl: 'prompt',
  continuation: 'more',
}

export type Tone = 'asks' | 'working' | 'idle' | 'failed' | 'ended'

export function toneOf({ state, needsPerson, exitCode, isPaused }: Row): Tone {
  if (state === 'exited') return exitCode === null || exitCode === 0 ? 'ended' : 'failed'
  if (needsPerson) return 'asks'
  return state === 'busy' && !isPaused ? 'working' : 'idle'
}
