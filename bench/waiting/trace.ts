/** The record of one run of a scenario. All times are CLOCK_MONOTONIC in milliseconds. */

/** A caller's result, or a baseline's decision. */
export interface Decision {
  readonly at: number
  /** The state in the result of a wait that was met. Anything but `ready` contradicts itself. */
  readonly state: string
  readonly kind: string | null
  readonly confidence: string
  readonly probability: number
  readonly needs: string | null
  readonly evidence: readonly string[]
}

export interface PhaseTrace {
  readonly sentAt: number
  /** When the marker was first seen in the output; null when the phase has none. */
  readonly markerAt: number | null
  /** When the helper wrote that its wait begins; null when the phase has no such label. */
  readonly sideAt: number | null
  readonly endAt: number
  /** The result that reported the met wait; null if none did. */
  readonly decision: Decision | null
  /** The evidence at the end of a wait that was never noticed. */
  readonly undecided: readonly string[]
}

export interface Trace {
  readonly id: string
  /** Number of the terminal: N of /dev/pts/N. */
  readonly pts: number
  /** Just before the program was started. */
  readonly openedAt: number
  readonly phases: readonly PhaseTrace[]
  /** Time and bytes in base64 of each piece of output. */
  readonly outputs: readonly (readonly [number, string])[]
  /** Time and whether the terminal was in canonical mode, at each change. */
  readonly modes: readonly (readonly [number, boolean])[]
  /** Time, and +1 when a hooked program entered a read of the terminal, -1 when it left one. */
  readonly hooks: readonly (readonly [number, number])[]
  /** Time, and whether a foreground thread on the terminal slept in the kernel's `wait_woken`, sampled every 0.5 s. */
  readonly woken: readonly (readonly [number, boolean])[]
  /** The time for sampling and judging, over all phases. */
  readonly cost: { readonly samples: number; readonly cpuUs: number; readonly judgingUs: number }
  /** The reason why the scenario could not be played; null if it could. */
  readonly failure: string | null
}
