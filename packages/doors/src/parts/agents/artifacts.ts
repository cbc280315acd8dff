/** An agent's artifact as termtile returns it: shortened with a warning; the answer between termtile's own fences. */

import { artifactBytesMax, defined, wholeCharacters } from '@agentpty/protocol'
import type { VerbInput, VerbOutput } from '@agentpty/protocol/verbs'
import type { AgentCall } from './queued-agents.ts'

type Captured = Pick<NonNullable<VerbOutput<'artifact'>['artifact']>, 'output' | 'originalBytes'>

const fences = { open: '[termtile-response]', close: '[/termtile-response]' }

export interface Artifact {
  readonly output: string
  readonly originalBytes: number
  readonly storedBytes: number
  /** Null when nothing was left out. */
  readonly warning: string | null
}

/** Null when there is no artifact. Errors: `session_not_found`. */
export async function artifactOf(
  { terminalId, capture, lines }: Pick<VerbInput<'artifact'>, 'terminalId' | 'capture' | 'lines'>,
  { client, signal }: AgentCall,
): Promise<VerbOutput<'artifact'>['artifact']> {
  return (await client.call('artifact', defined({ terminalId, capture, lines, fences }), { signal })).artifact
}

/** For an answer that is the last message of its transcript; undefined for any other. */
export function noteOn(artifact: VerbOutput<'artifact'>['artifact']): string | undefined {
  return artifact?.source === 'message'
    ? 'The agent has put no answer between fences: this is its last message.'
    : undefined
}

/** The beginning of a text that is too long, with a note at its end. */
export function toArtifact({ output: captured, originalBytes }: Captured): Artifact {
  if (originalBytes <= artifactBytesMax)
    return { output: captured, originalBytes, storedBytes: originalBytes, warning: null }
  const warning = `artifact truncated from ${originalBytes} bytes to ${artifactBytesMax} bytes`
  const suffix = `\n\n[termtile-warning] ${warning}\n`
  const head = wholeCharacters(Buffer.from(captured).subarray(0, artifactBytesMax - suffix.length))
  const output = `${Buffer.from(head).toString('utf8')}${suffix}`
  return { output, originalBytes, storedBytes: Buffer.byteLength(output), warning }
}
