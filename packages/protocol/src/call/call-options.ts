import { defined } from '../defined.ts'
import type { Millis } from '../units.ts'

/** The options of a call that cross a wire beside its input. */
export interface WireOptions {
  /** How much output of a command one result may hold, when that is more than a model should get. */
  readonly outputBytes?: number
  /** A screen's rows keep the blanks that a program wrote at their ends: `$ ` and not `$`. */
  readonly keepsBlanks?: boolean
  /** How long a wait may last, when nothing cuts the call off; otherwise the `waitMsMax` of the limits. */
  readonly waitMsMax?: Millis
  /**
   * How long typing and the wait for its effect may last together: Enter is pressed by then, also where the program has not shown the text.
   * Without it Enter waits until it counts.
   */
  readonly typingMsMax?: Millis
}

/** The options of one call. All of them cross the wire: the signal as a cancellation, progress as messages. */
export interface CallOptions extends WireOptions {
  readonly signal?: AbortSignal
  /** Called while a wait goes on, about every two seconds, with how long it has lasted and may last, in ms. */
  readonly progress?: (waitedMs: Millis, totalMs: Millis) => void
}

/** Returns undefined when there are none. Other fields stay here: a caller may pass a wider object. */
export function wireOptionsOf(options: WireOptions): WireOptions | undefined {
  const { outputBytes, keepsBlanks, waitMsMax, typingMsMax } = options
  const given = defined({ outputBytes, keepsBlanks, waitMsMax, typingMsMax } satisfies Record<
    keyof WireOptions,
    unknown
  >)
  return Object.keys(given).length === 0 ? undefined : given
}
