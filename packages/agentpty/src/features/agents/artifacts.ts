/** The artifact of each agent: the answer captured from it last. Of a long one the head and the length are kept. */

import { BoundedMap } from '../../contracts/bounded-map.ts'
import { artifactBytesMax, artifactsMax } from '../../contracts/limits.ts'
import { wholeCharacters } from '../../contracts/whole-characters.ts'

export interface Artifact {
  readonly output: string
  readonly originalBytes: number
  readonly capturedAt: number
}

export class Artifacts {
  readonly #kept = new BoundedMap<string, Artifact>(artifactsMax)

  find(terminalId: string): Artifact | null {
    return this.#kept.get(terminalId) ?? null
  }

  /** Keeps the artifact; returns the whole of it. */
  keep(terminalId: string, output: string, capturedAt: number): Artifact {
    const originalBytes = Buffer.byteLength(output)
    this.#kept.set(terminalId, { output: headOf(output, originalBytes), originalBytes, capturedAt })
    return { output, originalBytes, capturedAt }
  }
}

/** The part that is kept, without a character that would be cut. */
function headOf(text: string, bytes: number): string {
  if (bytes <= artifactBytesMax) return text
  return Buffer.from(wholeCharacters(Buffer.from(text).subarray(0, artifactBytesMax))).toString('utf8')
}
