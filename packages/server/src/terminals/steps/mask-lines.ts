/** Secrets in a slice's lines, also cut ones, found by the bytes around the slice. Masked before lines are cut, or half would show. */

import type { OutputLog } from '@agentpty/engine/log'
import type { RenderedLine } from '@agentpty/engine/screen'
import type { Offset } from '@agentpty/protocol'
import { withoutEscapes } from '@agentpty/protocol/escapes'
import { apart, maskSpans, type SecretSpan, type SecretValues, secretHeldBytesMax } from '@agentpty/protocol/secrets'

export interface CutSlice {
  readonly session: { readonly log: OutputLog; readonly parsedTo: Offset }
  readonly since: Offset
  readonly until: Offset
}

/** `lines` are those of the slice. Of a secret over several lines the first one is left. */
export function maskLines(
  lines: readonly RenderedLine[],
  slice: CutSlice,
  secrets: SecretValues | null | undefined,
): readonly RenderedLine[] {
  if (secrets === null || secrets === undefined) return lines
  const text = lines.map((line) => line.text).join('\n')
  const spans = apart([...cutSpans(text, slice, secrets), ...secrets.find(text)])
  if (spans.length === 0) return lines
  const masked: { line: RenderedLine; from: number; to: number }[] = []
  let from = 0
  for (const line of lines) {
    const to = from + line.text.length
    const last = masked.at(-1)
    const isJoined = spans.some((span) => span.from < from && span.to >= from)
    if (last !== undefined && isJoined) last.to = to
    else masked.push({ line, from, to })
    from = to + 1
  }
  return masked.map((one) => ({ ...one.line, text: maskSpans(text.slice(one.from, one.to), spansIn(spans, one)) }))
}

/** The bytes of a slice, which are kept, masked. */
export function maskBytes(slice: CutSlice, secrets: SecretValues | null): Uint8Array {
  const { session, since, until } = slice
  const { bytes } = session.log.read({ since, until })
  if (secrets === null) return bytes
  const text = latin1(bytes)
  const spans = apart([...cutBytes(slice, secrets), ...secrets.find(text)])
  return spans.length === 0 ? bytes : Buffer.from(maskSpans(text, spans), 'latin1')
}

/** The parts of secrets at the ends of a text, which is what a person reads of the slice. */
function cutSpans(text: string, slice: CutSlice, secrets: SecretValues): readonly SecretSpan[] {
  const { session, since, until } = slice
  const bytes = (span: SecretSpan) => session.log.read({ since: since + span.from, until: since + span.to }).bytes
  return cutBytes(slice, secrets).flatMap((span) => {
    const shown = withoutEscapes(Buffer.from(bytes(span)).toString('utf8')).replaceAll(/\r+\n/g, '\n')
    const { what } = span
    if (span.from === 0) return text.startsWith(shown) ? [{ from: 0, to: shown.length, what }] : []
    // Blanks at the end of a line are not kept.
    const isAtEnd = span.to === until - since && text.trimEnd().endsWith(shown.trimEnd())
    return isAtEnd ? [{ from: text.trimEnd().length - shown.trimEnd().length, to: text.length, what }] : []
  })
}

/** Finds secrets by the indexes of the slice’s bytes: one that begins before them, and one that continues after them. */
function cutBytes({ session, since, until }: CutSlice, secrets: SecretValues): readonly SecretSpan[] {
  return [since, until].flatMap((cut) =>
    secretsAt(cut, session, secrets).map(({ from, to, what }) => ({
      from: Math.max(from, since) - since,
      to: Math.min(to, until) - since,
      what,
    })),
  )
}

/** The secrets, by offsets, that a cut at this offset cuts. */
function secretsAt(cut: Offset, { log, parsedTo }: CutSlice['session'], secrets: SecretValues): readonly SecretSpan[] {
  // One side of the cut has no text yet.
  if (cut >= parsedTo || cut <= log.start) return []
  const looked = closedCuts.get(log)
  if (looked?.cut === cut && looked.secretsKnown === secrets.known) return []
  const before = log.read({ since: cut - secretHeldBytesMax, until: cut })
  const begun = latin1(before.bytes)
  if (secrets.openFrom(begun) === begun.length) return []
  const after = log.read({ since: cut, until: Math.min(cut + secretHeldBytesMax, parsedTo) })
  return secrets
    .find(begun + latin1(after.bytes))
    .filter(({ from, to }) => from < begun.length && to > begun.length)
    .map(({ from, to, what }) => ({ from: before.from + from, to: before.from + to, what }))
}

/** The last cut of each log before which nothing is open that could go on behind it. */
const closedCuts = new WeakMap<OutputLog, { readonly cut: Offset; readonly secretsKnown: number }>()

/** Inspects the cut at which a slice will begin while there is idle time, so that a later call need not wait. */
export function lookAtCut(cut: Offset, { log }: Pick<CutSlice['session'], 'log'>, secrets: SecretValues | null): void {
  if (secrets === null || cut <= log.start) return
  const begun = latin1(log.read({ since: cut - secretHeldBytesMax, until: cut }).bytes)
  if (secrets.openFrom(begun) === begun.length) closedCuts.set(log, { cut, secretsKnown: secrets.known })
}

const latin1 = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString('latin1')

const spansIn = (spans: readonly SecretSpan[], { from, to }: { readonly from: number; readonly to: number }) =>
  spans
    .filter((span) => span.from >= from && span.to <= to)
    .map((span) => ({ ...span, from: span.from - from, to: span.to - from }))
