import { z } from 'zod'
import { defineOperation } from '../call/operation.ts'
import { TerminalId } from '../call/terminal-fields.ts'

/** For players, not for models, which read text. */
export const recording = defineOperation({
  name: 'recording',
  tool: null,
  title: 'Get recording',
  summary: 'All kept output with its times, as an asciicast (version 2) that asciinema and other players show again.',
  effect: 'reads',
  input: z.strictObject({ terminalId: TerminalId }),
  output: z.object({
    recording: z.string(),
    /** Bytes that came before what is in it. */
    missedBytes: z.number().int().optional(),
  }),
  example: { terminalId: 'term-1' },
})
