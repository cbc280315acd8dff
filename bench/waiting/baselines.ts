/**
 * Other systems' detectors, computed from the same runs: a prompt pattern, quiet output, raw mode, raw mode or a preloaded hook.
 * Each returns the first moment of a phase at which it would report that the program waits.
 */

import type { Decision, PhaseTrace, Trace } from './trace.ts'

export type Baseline = (trace: Trace, phase: PhaseTrace) => number | null

/** Line ends that match the prompt patterns of popular tools. */
const prompt = /(?:[$#%>❯➜»:?\])]|\(y\/n\)|\[Y\/n\]|--More--|\(END\)) ?$/
const escapes =
  /\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g
const promptQuietMs = 30
/** After input a program has this long to leave its waiting mode. */
const graceMs = 50
const modeTickMs = 4

export const baselines: Readonly<Record<string, Baseline>> = {
  'prompt pattern, 30 ms quiet': promptPattern,
  'quiet 100 ms': quiet(100),
  'quiet 500 ms': quiet(500),
  'quiet 2,000 ms': quiet(2_000),
  'raw mode': rawMode,
  'tmux, polled as reptile does': polled,
}

export function quiet(ms: number): Baseline {
  return (trace, phase) => {
    let last = phase.sentAt
    for (const [at] of outputsIn(trace, phase)) {
      if (at - last >= ms) return last + ms
      last = at
    }
    return phase.endAt - last >= ms ? last + ms : null
  }
}

function promptPattern(trace: Trace, phase: PhaseTrace): number | null {
  let text = ''
  const outputs = outputsIn(trace, phase)
  for (const [index, [at, bytes]] of outputs.entries()) {
    text = (text + Buffer.from(bytes, 'base64').toString()).slice(-2_000)
    const next = outputs[index + 1]?.[0] ?? phase.endAt
    const line =
      text
        .replaceAll(escapes, '')
        .split(/[\r\n]/)
        .at(-1) ?? ''
    if (next - at >= promptQuietMs && prompt.test(line)) return at + promptQuietMs
  }
  return null
}

function rawMode(trace: Trace, phase: PhaseTrace): number | null {
  return firstRaw(trace, phase, phase.sentAt + graceMs)
}

function firstRaw({ modes }: Trace, phase: PhaseTrace, from: number): number | null {
  const before = modes.findLast(([at]) => at <= from)
  if (before?.[1] === false) return from + modeTickMs
  const change = modes.find(([at, canonical]) => at > from && at < phase.endAt && !canonical)
  return change === undefined ? null : change[0]
}

const tickMs = 500
const firstTickMs = 100
const ticksNeeded = 3

/**
 * Samples the pane every half second: ready when for three samples its text has not changed and for three samples the
 * terminal was raw or a foreground thread slept in `wait_woken`; or when the last line asks yes or no, or for a password.
 */
function polled(trace: Trace, phase: PhaseTrace): number | null {
  let still = 0
  let raw = 0
  let woken = 0
  for (let at = phase.sentAt + firstTickMs; at < phase.endAt; at += tickMs) {
    const output = trace.outputs.filter(([time]) => time >= phase.sentAt && time <= at)
    const isStill = !output.some(([time]) => time > at - tickMs)
    still = isStill ? still + 1 : 0
    raw = trace.modes.findLast(([time]) => time <= at)?.[1] === false ? raw + 1 : 0
    woken = trace.woken.findLast(([time]) => time <= at)?.[1] ? woken + 1 : 0
    if (still < ticksNeeded) continue
    if (raw >= ticksNeeded || woken >= ticksNeeded || asksPlainly(output)) return at
  }
  return null
}

function asksPlainly(output: readonly (readonly [number, string])[]): boolean {
  const text = output
    .map(([, bytes]) => Buffer.from(bytes, 'base64').toString())
    .join('')
    .slice(-2_000)
  const line =
    text
      .replaceAll(escapes, '')
      .trimEnd()
      .split(/[\r\n]/)
      .at(-1) ?? ''
  return /[Yy](?:es)?(?:\/| or )[Nn](?:o)?|[Pp]assword/.test(line)
}

/** Raw mode, or a hooked program inside a read of the terminal: the idea of tty-use. Needs a run with the hook. */
export function rawModeOrHook(trace: Trace, phase: PhaseTrace): number | null {
  const from = phase.sentAt + graceMs
  const raw = firstRaw(trace, phase, from)
  let inside = 0
  let hooked: number | null = null
  for (const [at, step] of trace.hooks) {
    inside += step
    if (at >= phase.endAt) break
    if (inside > 0 && hooked === null) hooked = Math.max(at, from)
    else if (inside <= 0 && hooked !== null && at > from && hooked >= at) hooked = null
    if (inside <= 0 && at <= from) hooked = null
  }
  const found = [raw, hooked].filter((at) => at !== null && at < phase.endAt) as number[]
  return found.length === 0 ? null : Math.min(...found)
}

function outputsIn({ outputs }: Trace, phase: PhaseTrace): readonly (readonly [number, string])[] {
  return outputs.filter(([at]) => at >= phase.sentAt && at <= phase.endAt)
}

export function toDecision(at: number | null): Decision | null {
  if (at === null) return null
  return { at, state: 'ready', kind: null, confidence: 'none', probability: 0, needs: null, evidence: [] }
}
