/** Several parts of a log as one text within one budget: the outputs of commands without the prompts between them. */

import type { Session } from '@agentpty/engine/session'
import { defined, outputBytesDefault, renderBytesMax } from '@agentpty/protocol'
import type { CountedOutput } from '@agentpty/protocol/call'
import { countInvalid } from './count-invalid.ts'
import { type Budget, fitBudget, readLines, readText, type TypedRange } from './read-text.ts'

export async function readRanges(
  session: Session,
  ranges: readonly TypedRange[],
  budget: Budget,
): Promise<CountedOutput> {
  const { start } = session.log
  const missedBytes = ranges.reduce((sum, { since, until }) => sum + Math.max(0, Math.min(start, until) - since), 0)
  const kept = ranges.filter(({ until }) => until > start)
  let invalidBytes = 0
  for (const { since, until } of kept) invalidBytes += (await countInvalid(session, since, until)) ?? 0
  return defined({
    output: await textOf(session, kept, budget),
    missedBytes: missedBytes || undefined,
    invalidBytes: invalidBytes || undefined,
  })
}

async function textOf(session: Session, kept: readonly TypedRange[], budget: Budget): Promise<string> {
  const { start } = session.log
  const maxBytes = budget.maxBytes ?? outputBytesDefault
  const [only, ...others] = kept
  if (only === undefined) return ''
  if (others.length === 0) return (await readText(session, only, budget)).output
  const bytes = kept.reduce((sum, { since, until }) => sum + until - Math.max(since, start), 0)
  if (bytes > renderBytesMax) return readEach(session, kept, { ...budget, maxBytes })
  const lines = []
  for (const range of kept)
    lines.push(...(await readLines(session, { ...range, since: Math.max(range.since, start) }, budget)))
  return fitBudget(lines, budget)
}

/** Too much to be rendered at once: each part gets its share of the budget. */
async function readEach(
  session: Session,
  ranges: readonly TypedRange[],
  { maxBytes, secrets }: Budget & { readonly maxBytes: number },
): Promise<string> {
  const texts: string[] = []
  for (const range of ranges) {
    const share = Math.max(rangeBytesMin, Math.floor(maxBytes / ranges.length))
    const { output } = await readText(session, range, defined({ maxBytes: share, secrets }))
    if (output !== '') texts.push(output)
  }
  return texts.join('\n')
}

const rangeBytesMin = 256
