/**
 * A small coverage-guided fuzzer: inputs that reach something new are kept and changed further.
 *
 * Many inputs are tried before the coverage is asked for, since most reach nothing new; only when a batch has reached
 * something are its inputs tried again one by one.
 */

import { Random } from '../harness/random.ts'
import { shrink } from '../harness/shrink.ts'
import { Coverage } from './coverage.ts'
import { mutate } from './mutate.ts'
import type { Target } from './target.ts'

export interface FuzzOptions {
  readonly seed: number
  /** Inputs to start from. */
  readonly corpus: readonly Uint8Array[]
  /** Asked between batches. */
  readonly goesOn: (tried: number) => boolean
  /** Called before each batch: an input may end the whole process. */
  readonly tries?: (batch: readonly Uint8Array[]) => void
}

export interface Finding {
  /** As small as it could be made. */
  readonly input: Uint8Array
  readonly error: unknown
}

export interface FuzzReport {
  readonly tried: number
  readonly blocks: number
  /** Inputs that reached something new, those it started from included. */
  readonly kept: readonly Uint8Array[]
  readonly finding: Finding | null
}

const batchSize = 16
/** So many batches are only asked for new blocks, then one also for how often they ran. */
const countEvery = 8
const keptMax = 2_000
const shrinkTriesMax = 2_000

export async function fuzz(target: Target, { seed, corpus, goesOn, tries }: FuzzOptions): Promise<FuzzReport> {
  const random = new Random(seed)
  const coverage = new Coverage(target.covers)
  const seen = new Set<string>()
  const kept: Uint8Array[] = []
  const report = (finding: Finding | null, tried: number): FuzzReport => ({
    tried,
    blocks: [...seen].filter((each) => !each.includes(' ')).length,
    kept,
    finding,
  })
  let tried = 0
  let batch: readonly Uint8Array[] = [new Uint8Array(0), ...corpus]
  while (tried === 0 || goesOn(tried)) {
    tries?.(batch)
    const failed = await firstFailing(target, batch)
    tried += batch.length
    if (failed !== null) return report(await minimal(target, failed), tried)
    const isNew = hasNew(coverage.takeBlocks(), seen)
    if (isNew || tried % (batchSize * countEvery) < batchSize) await keepNew(target, batch, { coverage, seen, kept })
    batch = Array.from({ length: batchSize }, () => {
      const parents = [kept, corpus, [new Uint8Array(0)]].find(({ length }) => length > 0) ?? []
      const { words, bytesMax } = target
      return mutate(random.pick(parents), { random, words, bytesMax, other: random.pick(parents) })
    })
  }
  return report(null, tried)
}

/** Of `inputs` those that reach code which `known` and the shorter ones do not. */
export async function fewest(
  target: Target,
  known: readonly Uint8Array[],
  inputs: readonly Uint8Array[],
): Promise<readonly Uint8Array[]> {
  const coverage = new Coverage(target.covers)
  const seen = new Set<string>()
  const needed: Uint8Array[] = []
  for (const input of [...known, ...inputs.toSorted((a, b) => a.length - b.length)]) {
    await target.check(input)
    const blocks = coverage.takeBlocks()
    if (hasNew(blocks, seen) && !known.includes(input)) needed.push(input)
    for (const block of blocks) seen.add(block)
  }
  return needed
}

async function keepNew(
  target: Target,
  batch: readonly Uint8Array[],
  { coverage, seen, kept }: { readonly coverage: Coverage; readonly seen: Set<string>; readonly kept: Uint8Array[] },
): Promise<void> {
  for (const input of batch) {
    await target.check(input)
    const reached = coverage.takeCounts()
    if (!hasNew(reached, seen) || kept.length >= keptMax) continue
    for (const counted of reached) seen.add(counted).add(counted.slice(0, counted.lastIndexOf(' ')))
    kept.push(input)
  }
}

function hasNew(blocks: ReadonlySet<string>, seen: ReadonlySet<string>): boolean {
  for (const block of blocks) if (!seen.has(block)) return true
  return false
}

async function firstFailing(target: Target, inputs: readonly Uint8Array[]): Promise<Uint8Array | null> {
  for (const input of inputs) if ((await errorOf(target, input)) !== null) return input
  return null
}

async function minimal(target: Target, input: Uint8Array): Promise<Finding> {
  const fails = async (bytes: readonly number[]) => (await errorOf(target, Uint8Array.from(bytes))) !== null
  const smallest = Uint8Array.from(await shrink([...input], fails, shrinkTriesMax))
  return { input: smallest, error: await errorOf(target, smallest) }
}

/** Null when everything holds. */
async function errorOf(target: Target, input: Uint8Array): Promise<unknown> {
  try {
    await target.check(input)
    return null
  } catch (error) {
    // Inputs that fail are what a fuzzer is for; the caller reports them.
    return error ?? new Error('failed without saying why')
  }
}
