/** A fuzz target: takes bytes and checks properties of the result. */

import { Random } from '../harness/random.ts'

export interface Target {
  readonly name: string
  /** Paths, or beginnings of paths, of the sources whose coverage guides the fuzzer; below the package's `src/`. */
  readonly covers: readonly string[]
  /** Words of well-formed input. */
  readonly words: readonly string[]
  readonly bytesMax: number
  /** Throws, or rejects, when a check fails. */
  check(input: Uint8Array): void | Promise<void>
}

/** The input's first byte decides where the rest of it is cut. */
export function cutsOf(input: Uint8Array): { readonly bytes: Uint8Array; readonly pieces: readonly Uint8Array[] } {
  const [seed = 0, ...rest] = input
  const bytes = Uint8Array.from(rest)
  const random = new Random(seed)
  const pieces: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + random.below(seed % 2 === 0 ? 3 : 40)
    pieces.push(bytes.slice(at, end))
    at = end
  }
  return { bytes, pieces }
}
