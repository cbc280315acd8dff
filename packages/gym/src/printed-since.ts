/** The output of a step with `text: raw`: everything that was printed, without escape sequences and without the echo of the typed text. */

import type { Offset } from '@agentpty/protocol'
import { printedText, splitAtOutput } from '@agentpty/protocol/escapes'
import { type EnvironmentCall, observationBytesMax } from '@agentpty/protocol/gym'

export interface PrintedRange {
  readonly terminalId: string
  readonly from: Offset
  readonly to: Offset
  /** The text that the step typed; empty for none. */
  readonly typed: string
}

export interface Printed {
  readonly text: string
  /** Bytes omitted from the beginning of an output that was longer than one observation. */
  readonly omittedBytes: number
}

/** Errors: `session_not_found`. */
export async function printedSince(range: PrintedRange, { call }: EnvironmentCall): Promise<Printed> {
  const { terminalId, from, to, typed } = range
  const since = Math.max(from, to - observationBytesMax)
  const asked = { terminalId, since, until: to, raw: true, maxBytes: observationBytesMax }
  const { output, missedBytes = 0 } = await call('read', asked)
  // Half a character at the cut is none.
  const raw = since === from ? output : output.replace(/^\uFFFD{1,3}/, '')
  return { text: withoutTyped(raw, typed), omittedBytes: since - from + missedBytes }
}

function withoutTyped(raw: string, typed: string): string {
  const { before, output } = splitAtOutput(raw)
  const line = typed.trim()
  if (line !== '' && output !== null && printedText(before).replaceAll('\r', '').trim() === line)
    return printedText(output)
  const text = printedText(raw)
  const firstEnd = text.indexOf('\n')
  return line !== '' && text.slice(0, Math.max(0, firstEnd)).trim() === line ? text.slice(firstEnd + 1) : text
}

/** Returns the omission that the text of an observation states. */
export function statedOmission(text: string): number {
  const stated = [...text.matchAll(/\[\.\.\. (?:[\d,]+ lines?, )?([\d,]+) bytes omitted/g)]
  return stated.reduce((sum, [, bytes = '0']) => sum + Number(bytes.replaceAll(',', '')), 0)
}
