/** The tool of `--toolset tty-use`: one terminal in one tool, used a step at a time. */

import { sendBytesMax } from '@agentpty/protocol'
import { waitTimeoutMs } from '@agentpty/protocol/call'
import * as z from 'zod'

export const TtyUseInput = z.strictObject({
  /** Text to type, with Enter after it; beside keys it is typed without Enter, and the keys follow. */
  input: z.string().max(sendBytesMax).optional(),
  /** Keys to press, one after the other. */
  keys: z.array(z.string()).min(1).max(100).optional(),
  /** As in `env.step(action)`: a text is `input`, a list is `keys`. */
  action: z.union([z.string().max(sendBytesMax), z.array(z.string()).min(1).max(100)]).optional(),
  /** Begin with a fresh shell. */
  reset: z.boolean().optional(),
  waitTimeoutMs,
})

export const ttyUseExample = { input: 'python3 -m pdb program.py' }
