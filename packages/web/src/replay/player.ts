/** Plays one recording: its clock and its view. All visible state is in signals. */

import {
  fasterThan,
  idleMsDefault,
  markAfter,
  markBefore,
  PlayClock,
  seekMs,
  slowerThan,
} from '@agentpty/protocol/recording'
import { type ReadonlySignal, signal } from '@preact/signals'
import { systemClock } from '../system-clock.ts'
import type { LoadedRecording } from './load-recording.ts'

interface RecordingView {
  readonly isBehind: ReadonlySignal<boolean>
  showAt(at: number): void
}

export class Player {
  readonly recording: LoadedRecording
  /** In milliseconds from the start of the program. */
  readonly at = signal(0)
  readonly isPlaying = signal(false)
  readonly speed = signal(1)
  /** True if idle times are shortened. */
  readonly skipsRests = signal(true)
  /** True while the view has not caught up with the clock. */
  readonly isBehind: ReadonlySignal<boolean>
  readonly #time: PlayClock
  readonly #view: RecordingView
  #frame = 0

  constructor(recording: LoadedRecording, view: RecordingView, from: number) {
    this.recording = recording
    this.#view = view
    this.isBehind = view.isBehind
    this.#time = new PlayClock(recording, systemClock, { speed: 1, idleMs: idleMsDefault, from })
    this.#time.pause()
    this.#show()
  }

  /** Pauses or plays. At the end, plays from the beginning. */
  toggle(): void {
    if (!this.#time.isPaused) this.#time.pause()
    else if (this.#time.at >= this.recording.durationMs) this.#playFrom(this.recording.beginMs)
    else this.#time.resume()
    this.#tick()
  }

  seek(at: number): void {
    this.#time.seek(Math.max(this.recording.beginMs, at))
    this.#show()
  }

  setSpeed(speed: number): void {
    this.#time.speed = speed
    this.speed.value = speed
  }

  setRests(areShortened: boolean): void {
    this.#time.idleMs = areShortened ? idleMsDefault : Number.POSITIVE_INFINITY
    this.skipsRests.value = areShortened
  }

  nextCommand(): void {
    this.seek(markAfter(this.recording.commands, this.#time.at)?.at ?? this.recording.durationMs)
  }

  previousCommand(): void {
    this.seek(markBefore(this.recording.commands, this.#time.at)?.at ?? this.recording.beginMs)
  }

  /** Returns true if the player has a binding for the key. */
  press(key: string): boolean {
    const act = this.#keys[key]
    act?.()
    return act !== undefined
  }

  close(): void {
    this.#time.pause()
    cancelAnimationFrame(this.#frame)
  }

  readonly #keys: Readonly<Record<string, () => void>> = {
    ' ': () => this.toggle(),
    ArrowLeft: () => this.seek(this.#time.at - seekMs),
    ArrowRight: () => this.seek(this.#time.at + seekMs),
    Home: () => this.seek(this.recording.beginMs),
    End: () => this.seek(this.recording.durationMs),
    n: () => this.nextCommand(),
    p: () => this.previousCommand(),
    '+': () => this.setSpeed(fasterThan(this.#time.speed)),
    '-': () => this.setSpeed(slowerThan(this.#time.speed)),
  }

  #playFrom(at: number): void {
    this.#time.seek(at)
    this.#time.resume()
  }

  #tick(): void {
    this.#show()
    cancelAnimationFrame(this.#frame)
    if (!this.#time.isPaused) this.#frame = requestAnimationFrame(() => this.#tick())
  }

  #show(): void {
    const { at } = this.#time
    this.at.value = at
    this.isPlaying.value = !this.#time.isPaused
    this.#view.showAt(at)
  }
}
