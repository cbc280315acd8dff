/** Does the cursor stand on an empty line? Judged from the last output, which is enough where nothing was drawn. */

import type { OutputLog } from '../log/output-log.ts'
import { searchableText } from '../waits/strip-escapes.ts'

const tailBytes = 512

export function isCursorLineEmpty(log: OutputLog): boolean {
  const { bytes } = log.read({ since: Math.max(log.start, log.end - tailBytes), until: log.end })
  const text = searchableText(bytes)
  return text === '' || text.slice(text.lastIndexOf('\n') + 1).trim() === ''
}
