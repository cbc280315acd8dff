/** The tool of `--toolset tty-use`: a terminal as the one tool that a model needs, used a step at a time. */

import { z } from 'zod'
import { waitTimeoutMs } from '../../contracts/call/terminal-fields.ts'
import { sendBytesMax } from '../../contracts/limits.ts'

export const TtyUseInput = z.strictObject({
  /** Typed, and Enter. */
  input: z.string().max(sendBytesMax).optional(),
  /** Pressed instead, one after the other. */
  keys: z.array(z.string()).min(1).max(100).optional(),
  /** A fresh shell first. */
  reset: z.boolean().optional(),
  waitTimeoutMs,
})

export const ttyUseExample = { input: 'python3 -m pdb program.py' }
