/**
 * A small coverage-guided fuzzer: inputs that reach new code are saved and mutated further.
 *
 * Many inputs are run before coverage is read, because most reach nothing new. Only after a batch with new coverage are its
 * inputs run again one by one.
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
  /** Called between batches; false stops. */
  readonly goesOn: (tried: number) => boolean
  /** Called before each batch, because an input may end the whole process. */
  readonly tries?: (batch: readonly Uint8Array[]) => void
}

export interface Finding {
  /** Reduced as far as possible. */
  readonly input: Uint8Array
  readonly error: unknown
}

export interface FuzzReport {
  readonly tried: number
  readonly blocks: number
  /** Inputs that reached new code, including those to start from. */
  readonly retained: readonly Uint8Array[]
  readonly finding: Finding | null
}

const batchSize = 16
/** The number of batches checked for new blocks only, before one is checked for counts as well. */
const countEvery = 8
const keptMax = 2_000
const shrinkTriesMax = 2_000

export async function fuzz(target: Target, { seed, corpus, goesOn, tries }: FuzzOptions): Promise<FuzzReport> {
  const random = new Random(seed)
  const coverage = new Coverage(target.covers)
  const seen = new Set<string>()
  const retained: Uint8Array[] = []
  const report = (finding: Finding | null, tried: number): FuzzReport => ({
    tried,
    blocks: [...seen].filter((each) => !each.includes(' ')).length,
    retained,
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
    if (isNew || tried % (batchSize * countEvery) < batchSize)
      await keepNew(target, batch, { coverage, seen, retained })
    batch = Array.from({ length: batchSize }, () => {
      const parents = [retained, corpus, [new Uint8Array(0)]].find(({ length }) => length > 0) ?? []
      const { words, bytesMax } = target
      return mutate(random.pick(parents), { random, words, bytesMax, other: random.pick(parents) })
    })
  }
  return report(null, tried)
}

/** Returns those of `inputs` that reach code which `known` and the shorter ones do not. */
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
  {
    coverage,
    seen,
    retained,
  }: { readonly coverage: Coverage; readonly seen: Set<string>; readonly retained: Uint8Array[] },
): Promise<void> {
  for (const input of batch) {
    await target.check(input)
    const reached = coverage.takeCounts()
    if (!hasNew(reached, seen) || retained.length >= keptMax) continue
    for (const counted of reached) seen.add(counted).add(counted.slice(0, counted.lastIndexOf(' ')))
    retained.push(input)
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

/** Null if all checks pass. */
async function errorOf(target: Target, input: Uint8Array): Promise<unknown> {
  try {
    await target.check(input)
    return null
  } catch (error) {
    // Failing inputs are the purpose of a fuzzer; the caller reports them.
    return error ?? new Error('failed without saying why')
  }
}
