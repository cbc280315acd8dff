/** The artifact of each agent: the answer captured from it last. It is kept whole by the store; of a long one the head is at hand. */

import { artifactBytesMax, artifactsMax, BoundedMap, wholeCharacters } from '@agentpty/protocol'
import type { AgentStore, ArtifactSource } from '@agentpty/protocol/agents'
import type { KeptByTerminal } from './kept-by-terminal.ts'

export interface Captured {
  readonly output: string
  readonly source: ArtifactSource
}

export interface Artifact extends Captured {
  readonly originalBytes: number
  readonly capturedAt: number
  /** Null where nobody has instructed the agent. */
  readonly taskId: string | null
}

export class Artifacts {
  readonly #kept: KeptByTerminal
  readonly #store: Pick<AgentStore, 'loadArtifact' | 'saveArtifact'>
  readonly #heads = new BoundedMap<string, string>(artifactsMax)

  constructor(kept: KeptByTerminal, store: Pick<AgentStore, 'loadArtifact' | 'saveArtifact'>) {
    this.#kept = kept
    this.#store = store
  }

  /** Null without one, and when it is the answer to an earlier task than its last. */
  find(terminalId: string): Artifact | null {
    const known = this.#kept.artifactOf(terminalId)
    const task = this.#kept.taskOf(terminalId)
    if (known === null || known.taskId !== (task?.taskId ?? null)) return null
    const output = this.#heads.get(terminalId) ?? this.#loadHead(terminalId)
    return output === null ? null : { output, ...known }
  }

  /** Keeps the artifact; returns the whole of it. Errors: `environment`, when it cannot be kept. */
  keep(terminalId: string, { output, source }: Captured, capturedAt: number): Artifact {
    const originalBytes = Buffer.byteLength(output)
    const taskId = this.#kept.taskOf(terminalId)?.taskId ?? null
    this.#store.saveArtifact(terminalId, output)
    this.#kept.answered(terminalId, { taskId, originalBytes, capturedAt, source })
    this.#heads.set(terminalId, headOf(output, originalBytes))
    return { output, originalBytes, capturedAt, taskId, source }
  }

  #loadHead(terminalId: string): string | null {
    const text = this.#store.loadArtifact(terminalId)
    if (text === null) return null
    const head = headOf(text, Buffer.byteLength(text))
    this.#heads.set(terminalId, head)
    return head
  }
}

/** The part that is at hand, without a character that would be cut. */
function headOf(text: string, bytes: number): string {
  if (bytes <= artifactBytesMax) return text
  return Buffer.from(wholeCharacters(Buffer.from(text).subarray(0, artifactBytesMax))).toString('utf8')
}
