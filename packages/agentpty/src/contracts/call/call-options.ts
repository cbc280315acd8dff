import * as z from 'zod'
import { defined } from '../defined.ts'
import { outputBytesMax, taskWaitMsMax } from '../limits.ts'
import type { Millis } from '../units.ts'

/** The options of a call that cross a wire beside its input. */
export const WireOptions = z.strictObject({
  outputBytes: z
    .number()
    .int()
    .min(1)
    .max(outputBytesMax)
    .optional()
    .describe('How much output of a command one result may hold, when that is more than a model should get.'),
  keepsBlanks: z
    .boolean()
    .optional()
    .describe('A screen’s rows keep the blanks that a program wrote at their ends: `$ ` and not `$`.'),
  waitMsMax: z
    .number()
    .min(0)
    .max(taskWaitMsMax)
    .optional()
    .describe('How long a wait may last, when nothing cuts the call off; otherwise the `waitMsMax` of the limits.'),
  typingMsMax: z
    .number()
    .min(0)
    .max(taskWaitMsMax)
    .optional()
    .describe(
      'How long typing and the wait for its effect may last together: Enter is pressed by then, also where the program has not shown the text. Without it Enter waits until it counts.',
    ),
})

export type WireOptions = Readonly<z.output<typeof WireOptions>>

/** The options of one call. All of them cross the wire: the signal as a cancellation, progress as messages. */
export interface CallOptions extends Partial<WireOptions> {
  readonly signal?: AbortSignal
  /** Called while a wait goes on, about every two seconds, with how long it has lasted and may last, in ms. */
  readonly progress?: (waitedMs: Millis, totalMs: Millis) => void
}

/** Returns undefined when there are none. Other fields stay here: a caller may pass a wider object. */
export function wireOptionsOf(options: Partial<WireOptions>): WireOptions | undefined {
  const { outputBytes, keepsBlanks, waitMsMax, typingMsMax } = options
  const given = defined({ outputBytes, keepsBlanks, waitMsMax, typingMsMax } satisfies Record<
    keyof WireOptions,
    unknown
  >)
  return Object.keys(given).length === 0 ? undefined : given
}
