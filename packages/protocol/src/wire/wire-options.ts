import * as z from 'zod'
import type { WireOptions } from '../call/call-context.ts'
import { outputBytesMax, taskWaitMsMax } from '../limits.ts'

/** The bounds of the options that cross a wire. */
export const wireOptions = z.strictObject({
  outputBytes: z.number().int().min(1).max(outputBytesMax).optional(),
  keepsBlanks: z.boolean().optional(),
  waitMsMax: z.number().min(0).max(taskWaitMsMax).optional(),
  typingMsMax: z.number().min(0).max(taskWaitMsMax).optional(),
} satisfies Record<keyof WireOptions, z.ZodType>)
