/** Where the program of an agent keeps its transcripts, by the variables that it was started with. */

import { isAbsolute, join } from 'node:path'
import type { TranscriptShape } from '@agentpty/protocol/agents'

/** Null where there is no home. */
export function transcriptFolder(
  { folder: { variable, below, otherwise } }: Pick<TranscriptShape, 'folder'>,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  const [named = '', home = ''] = [env[variable], env['HOME']]
  if (isAbsolute(named)) return join(named, below)
  return isAbsolute(home) ? join(home, otherwise) : null
}
