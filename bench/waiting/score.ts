/** Compares decisions with the truth. Pure. */

import type { Phase, Scenario } from './scenario.ts'
import type { Decision, PhaseTrace, Trace } from './trace.ts'

/** A decision this much before the wait is still right: clocks and tracing have their own lags. */
export const earlyMs = 3
/** A decision this much after the wait began is a miss. */
export const lateMs = 2_400

export type Verdict = 'hit' | 'FALSE' | 'miss' | 'quiet'

export interface Scored {
  readonly id: string
  readonly set: string
  readonly phase: number
  /** `waiting` or `busy`, with the kind of a wait. */
  readonly want: string
  readonly got: Verdict
  /** The time after the true start of the wait; negative when before. Null without a decision or a wait. */
  readonly ms: number | null
  readonly kind: string | null
  readonly kindRight: boolean | null
  readonly confidence: string | null
  readonly probability: number | null
  readonly evidence: readonly string[]
}

export interface TruthOf {
  readonly at: number
  /** Traced by the kernel, not only inferred from output. */
  readonly traced: boolean
}

export function truthOf(phase: Phase, trace: PhaseTrace, traced: number | null): TruthOf {
  if (traced !== null) return { at: traced, traced: true }
  return { at: Math.max(trace.sentAt + phase.floor_ms, trace.markerAt ?? 0, trace.sideAt ?? 0), traced: false }
}

export function score(
  scenario: Scenario,
  trace: Trace,
  decide: (phase: PhaseTrace, index: number) => Decision | null,
  truth: (phase: Phase, trace: PhaseTrace) => TruthOf,
): readonly Scored[] {
  return trace.phases.map((phaseTrace, index) => {
    const phase = scenario.phases[index] as Phase
    const decision = decide(phaseTrace, index)
    const base = {
      id: scenario.id,
      set: scenario.set,
      phase: index,
      want: phase.state === 'busy' ? 'busy' : phase.kind,
      kind: decision?.kind ?? null,
      confidence: decision?.confidence ?? null,
      probability: decision?.probability ?? null,
      evidence: decision?.evidence ?? phaseTrace.undecided,
    }
    if (phase.state === 'busy')
      return {
        ...base,
        got: decision === null ? 'quiet' : 'FALSE',
        ms: decision === null ? null : decision.at - phaseTrace.sentAt,
        kindRight: null,
      }
    const { at } = truth(phase, phaseTrace)
    const ms = decision === null ? null : decision.at - at
    const isWrong = (ms !== null && ms < -earlyMs) || (decision !== null && decision.state !== 'ready')
    const got = isWrong ? 'FALSE' : ms === null || ms > lateMs ? 'miss' : 'hit'
    return { ...base, got, ms, kindRight: got === 'hit' ? isKindOf(phase, decision?.kind ?? null) : null }
  })
}

/** Full-screen programs have finer kinds than the scenarios require. */
const finer: Readonly<Record<string, readonly string[]>> = {
  tui: ['tui', 'menu', 'editor', 'agent'],
  menu: ['menu', 'tui'],
  editor: ['editor', 'tui'],
}

function isKindOf({ kind, also }: Phase, got: string | null): boolean {
  return isKind(kind, got) || (also !== null && isKind(also, got))
}

function isKind(want: string, got: string | null): boolean {
  return got !== null && (finer[want] ?? [want]).includes(got)
}

export interface Summary {
  readonly waits: number
  readonly busy: number
  readonly decisions: number
  readonly hits: number
  readonly false: number
  readonly misses: number
  readonly precision: number
  readonly recall: number
  readonly p50Ms: number
  readonly p90Ms: number
  readonly p99Ms: number
  /** Share of the hits whose kind was right; null for a detector that reports none. */
  readonly kindRight: number | null
  /** How often each reported confidence was right. */
  readonly calibration: Readonly<Record<string, { readonly decisions: number; readonly right: number }>>
}

export function summarize(scored: readonly Scored[]): Summary {
  const waits = scored.filter(({ want }) => want !== 'busy')
  const hits = scored.filter(({ got }) => got === 'hit')
  const falses = scored.filter(({ got }) => got === 'FALSE').length
  const late = hits.map(({ ms }) => Math.max(0, ms ?? 0)).toSorted((a, b) => a - b)
  const withKind = hits.filter(({ kind }) => kind !== null)
  const levels = new Set(scored.flatMap(({ confidence }) => (confidence === null ? [] : [confidence])))
  return {
    waits: waits.length,
    busy: scored.length - waits.length,
    decisions: hits.length + falses,
    hits: hits.length,
    false: falses,
    misses: scored.filter(({ got }) => got === 'miss').length,
    precision: ratio(hits.length, hits.length + falses),
    recall: ratio(hits.length, waits.length),
    p50Ms: quantile(late, 0.5),
    p90Ms: quantile(late, 0.9),
    p99Ms: quantile(late, 0.99),
    kindRight:
      withKind.length === 0 ? null : ratio(withKind.filter(({ kindRight }) => kindRight).length, withKind.length),
    calibration: Object.fromEntries(
      [...levels].map((level) => {
        const stated = scored.filter(
          ({ confidence, got }) => confidence === level && (got === 'hit' || got === 'FALSE'),
        )
        return [level, { decisions: stated.length, right: stated.filter(({ got }) => got === 'hit').length }]
      }),
    ),
  }
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}
