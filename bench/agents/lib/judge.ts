/** Compares verdicts with the truth. Pure: takes samples and the true states with times, returns a row of the table. */

import type { Sample, Verdict } from './verdict.ts'

/** The expected verdict, and its text in the table. */
export interface Want {
  readonly label: string
  readonly holds: (verdict: Verdict) => boolean
}

export const wants = {
  idle: {
    label: 'ready agent',
    holds: ({ state, kind, needs }) => state === 'ready' && kind === 'agent' && needs === undefined,
  },
  working: { label: 'busy', holds: ({ state }) => state === 'busy' },
  blocked: {
    label: 'ready menu, needs answer',
    holds: ({ state, kind, needs, question }) =>
      state === 'ready' && kind === 'menu' && needs === 'answer' && question !== undefined && question !== '',
  },
  exited: { label: 'exited', holds: ({ state }) => state === 'exited' },
} as const satisfies Record<string, Want>

export interface Phase {
  readonly name: string
  readonly want: Want
  /** True from here on, until `to`. */
  readonly from: number
  readonly to: number
  /** The longest delay of the verdict; 0: it must be right all the time. */
  readonly withinMs: number
}

export interface Row {
  readonly phase: string
  readonly want: string
  /** The most frequent verdict. */
  readonly got: string
  /** The time from which the verdict stayed right; null if it never did. */
  readonly afterMs: number | null
  readonly wrong: number
  readonly samples: number
  readonly ok: boolean
  /** The first wrong verdict that counts, else the last one. */
  readonly evidence: string
  readonly question: string
}

export function judge({ name, want, from, to, withinMs }: Phase, all: readonly Sample[]): Row {
  const samples = all.filter(({ t, answeredAt }) => t >= from && answeredAt <= to)
  const lastWrong = samples.findLastIndex(({ verdict }) => !want.holds(verdict))
  const settled = samples[lastWrong + 1]
  const counted = samples.filter(({ t, verdict }) => t >= from + withinMs && !want.holds(verdict))
  const shown = counted[0] ?? samples.at(-1)
  return {
    phase: name,
    want: want.label,
    got: mostFrequent(samples.map(({ verdict }) => describe(verdict))),
    afterMs: settled === undefined ? null : Math.max(0, Math.round(settled.t - from)),
    wrong: counted.length,
    samples: samples.length,
    ok: samples.length > 0 && counted.length === 0 && settled !== undefined,
    evidence: shown === undefined ? '' : `${describe(shown.verdict)}: ${(shown.verdict.evidence ?? []).join('; ')}`,
    question: samples.findLast(({ verdict }) => verdict.question)?.verdict.question ?? '',
  }
}

/** A state that could not be reached. */
export const failedRow = (phase: string, want: string, reason: string): Row => ({
  phase,
  want,
  got: 'not reached',
  afterMs: null,
  wrong: 0,
  samples: 0,
  ok: false,
  evidence: reason,
  question: '',
})

export function describe({ state, kind, confidence, needs }: Verdict): string {
  const words = [state, kind, confidence].filter((word) => word !== undefined).join(' ')
  return needs === undefined ? words : `${words}, needs ${needs}`
}

function mostFrequent(words: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const sorted = [...counts].sort(([, a], [, b]) => b - a)
  return sorted[0]?.[0] ?? 'nothing'
}
