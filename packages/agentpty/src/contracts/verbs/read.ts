import { z } from 'zod'
import { WaitFor } from '../call/conditions.ts'
import { observationFields } from '../call/observation.ts'
import { defineOperation } from '../call/operation.ts'
import { TerminalId, waitTimeoutMs } from '../call/terminal-fields.ts'
import { outputBytesMax, searchPatternCharactersMax } from '../limits.ts'

export const read = defineOperation({
  name: 'read',
  tool: 'terminal_read',
  title: 'Read output',
  summary:
    'Read output from offset `since` (a cursor; default: all that is kept), after an optional wait. `find`: only lines matching this regex, with contextLines around. raw: bytes with escapes.',
  effect: 'reads',
  input: z.strictObject({
    terminalId: TerminalId,
    since: z.number().int().min(0).optional(),
    waitFor: WaitFor.optional(),
    waitForOutput: z.boolean().optional(),
    waitForString: z.string().min(1).optional(),
    waitTimeoutMs,
    find: z.string().min(1).max(searchPatternCharactersMax).optional(),
    contextLines: z.number().int().min(0).max(50).optional(),
    raw: z.boolean().optional(),
    maxLines: z.number().int().min(1).optional(),
    maxBytes: z.number().int().min(256).max(outputBytesMax).optional(),
  }),
  output: z.object({
    ...observationFields,
    isActive: z.boolean(),
    /** How many lines `find` matched; the output may hold fewer. */
    matches: z.number().int().optional(),
  }),
  example: { terminalId: 'term-1', since: 0 },
})
