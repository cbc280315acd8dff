/**
 * The emulator parses in time slices on the runtime's timers. The simulation controls these turns: each runs
 * when a step says so, and handles one piece of output, however fast the machine is.
 */

/** The length of the emulator's time slice, in its milliseconds. */
const sliceMs = 12

export class EmulatorTimers {
  readonly #setTimeout = globalThis.setTimeout
  readonly #clearTimeout = globalThis.clearTimeout
  readonly #now = performance.now
  #turns: { readonly call: () => void }[] = []
  #elapsed = 0

  /** Redirects all timers to the simulation, until {@link giveBack}. */
  takeOver(): void {
    const begin = (call: () => void) => {
      const turn = { call }
      this.#turns.push(turn)
      return turn
    }
    const end = (turn: unknown) => {
      this.#turns = this.#turns.filter((each) => each !== turn)
    }
    Object.assign(globalThis, { setTimeout: begin, clearTimeout: end })
    performance.now = () => {
      this.#elapsed += sliceMs
      return this.#elapsed
    }
  }

  giveBack(): void {
    Object.assign(globalThis, { setTimeout: this.#setTimeout, clearTimeout: this.#clearTimeout })
    performance.now = this.#now
  }

  get pending(): number {
    return this.#turns.length
  }

  /** Drops the timers of a daemon that has ended. */
  clear(): void {
    this.#turns = []
  }

  /** The next turn, if there is one. */
  run(): void {
    this.#turns.shift()?.call()
  }
}
