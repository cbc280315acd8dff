/**
 * Plays a recording in the terminal of a person. The player draws it from a screen of its own, not from its bytes: a
 * file from elsewhere can send only text and colours to the terminal.
 */

import type { Clock, Millis, Size, Stop } from '@agentpty/protocol'
import {
  type Cast,
  type CastScreen,
  fasterThan,
  lasted,
  markAfter,
  markBefore,
  PlayClock,
  seekMs,
  slowerThan,
} from '@agentpty/protocol/recording'
import { atOnce, enterScreen, goTo, leaveScreen } from '../attach/window.ts'
import type { Terminal } from '../command.ts'
import { cell } from '../format-tables.ts'

interface PlayerOptions {
  readonly cast: Cast
  readonly screen: CastScreen
  readonly clock: Clock
  readonly terminal: Terminal
  readonly print: (text: string) => void | Promise<void>
  readonly speed: number
  /** Longer rests are passed over after this. */
  readonly idleMs: Millis
  readonly from: Millis
}

const frameMs = 33

/** Until the person leaves. */
export async function play(options: PlayerOptions): Promise<void> {
  await new Player(options).run()
}

class Player {
  readonly #options: PlayerOptions
  readonly #time: PlayClock
  readonly #commands: Cast['markers']
  #shown: readonly string[] = []
  #stopTimer: Stop = () => {}
  #leave: () => void = () => {}
  /** Drawing takes a moment of its own: one at a time. */
  #isDrawing = false
  #isDue = false

  readonly #actions: Readonly<Record<PlayKey, () => void>> = {
    leave: () => this.#leave(),
    pause: () => (this.#time.isPaused ? this.#time.resume() : this.#time.pause()),
    back: () => this.#time.seek(this.#time.at - seekMs),
    forward: () => this.#time.seek(this.#time.at + seekMs),
    begin: () => this.#time.seek(0),
    end: () => this.#time.seek(this.#options.cast.durationMs),
    next: () => this.#time.seek(markAfter(this.#commands, this.#time.at)?.at ?? this.#options.cast.durationMs),
    previous: () => this.#time.seek(markBefore(this.#commands, this.#time.at)?.at ?? 0),
    faster: () => this.#setSpeed(fasterThan(this.#time.speed)),
    slower: () => this.#setSpeed(slowerThan(this.#time.speed)),
  }

  constructor(options: PlayerOptions) {
    this.#options = options
    const { cast, clock, speed, idleMs, from } = options
    this.#commands = cast.markers.filter(({ isCommand }) => isCommand)
    this.#time = new PlayClock(cast, clock, { speed, idleMs, from })
  }

  async run(): Promise<void> {
    const { terminal, print } = this.#options
    await print(`${enterScreen}\x1b[?25l`)
    const left = new Promise<void>((resolve) => (this.#leave = resolve))
    const stopKeys = terminal.keys((bytes) => {
      for (const key of playKeys(Buffer.from(bytes).toString('utf8'))) this.#press(key)
    })
    const stopSizes = terminal.onResize(() => this.#redraw())
    try {
      this.#tick()
      await left
    } finally {
      this.#stopTimer()
      stopSizes()
      stopKeys()
      await print(leaveScreen)
    }
  }

  #tick(): void {
    const { clock } = this.#options
    this.#draw()
    this.#stopTimer = clock.callAt(clock.now() + frameMs, () => this.#tick())
  }

  #redraw(): void {
    this.#shown = []
    this.#draw()
  }

  #press(key: PlayKey): void {
    this.#actions[key]()
    this.#draw()
  }

  #setSpeed(speed: number): void {
    this.#time.speed = speed
  }

  #draw(): void {
    this.#isDue = true
    if (!this.#isDrawing) void this.#drawAll().catch(() => this.#leave())
  }

  async #drawAll(): Promise<void> {
    this.#isDrawing = true
    while (this.#isDue) {
      this.#isDue = false
      await this.#drawOnce()
    }
    this.#isDrawing = false
  }

  async #drawOnce(): Promise<void> {
    const { screen, terminal, cast, print } = this.#options
    const size = terminal.size()
    const { at } = this.#time
    await screen.showAt(at)
    const { rows, cursor } = screen.rows({ cols: size.cols, rows: Math.max(1, size.rows - 1) })
    const status = statusRow({ cast, at, speed: this.#time.speed, isPaused: this.#time.isPaused, cols: size.cols })
    const all = [...rowsFor(size, rows), status]
    const changed = all.flatMap((row, y) => (row === this.#shown[y] ? [] : `${goTo(y, 0)}\x1b[0m\x1b[2K${row}`))
    this.#shown = all
    const cursorNow = cursor === null ? '\x1b[?25l' : `${goTo(cursor.row, cursor.col)}\x1b[?25h`
    await print(atOnce(changed.length === 0 ? '' : `\x1b[?25l${changed.join('')}\x1b[0m${cursorNow}`))
  }
}

function rowsFor({ rows }: Size, drawn: readonly string[]): readonly string[] {
  return Array.from({ length: Math.max(1, rows - 1) }, (_, y) => drawn[y] ?? '')
}

interface PlayStatus {
  readonly cast: Cast
  readonly at: Millis
  readonly speed: number
  readonly isPaused: boolean
  readonly cols: number
}

const barCells = 20

/** The row below a recording that is played: where it is, how fast, and what runs. */
function statusRow({ cast, at, speed, isPaused, cols }: PlayStatus): string {
  const { durationMs, markers } = cast
  const share = durationMs === 0 ? 1 : at / durationMs
  const done = Math.round(share * barCells)
  const bar = `${'━'.repeat(done)}${'─'.repeat(barCells - done)}`
  const label = markers.findLast((marker) => marker.at <= at)?.label ?? ''
  const state = at >= durationMs ? 'end' : isPaused ? 'paused' : `${speed}×`
  const text = ` ${bar} ${lasted(at / 1_000)}/${lasted(durationMs / 1_000)} ${state}  ${label}`
  const help = 'space ←→ n p + - q '
  const room = cols - help.length
  const shown = cell(text, Math.max(1, room > text.length ? room : cols))
  const rest = cols - shown.length
  return `\x1b[7m${shown}${rest > help.length ? ' '.repeat(rest - help.length) + help : ' '.repeat(Math.max(0, rest))}\x1b[0m`
}

// The keys for watching a recording.

type PlayKey = 'leave' | 'pause' | 'back' | 'forward' | 'begin' | 'end' | 'next' | 'previous' | 'faster' | 'slower'

const keys: Readonly<Record<string, PlayKey>> = {
  q: 'leave',
  '\x03': 'leave',
  '\x1b': 'leave',
  ' ': 'pause',
  '\x1b[D': 'back',
  '\x1bOD': 'back',
  h: 'back',
  '\x1b[C': 'forward',
  '\x1bOC': 'forward',
  l: 'forward',
  // Terminals differ in what these two send.
  '\x1b[H': 'begin',
  '\x1bOH': 'begin',
  '\x1b[1~': 'begin',
  '\x1b[7~': 'begin',
  '\x1b[F': 'end',
  '\x1bOF': 'end',
  '\x1b[4~': 'end',
  '\x1b[8~': 'end',
  n: 'next',
  p: 'previous',
  '+': 'faster',
  '=': 'faster',
  '-': 'slower',
}

/** Splits one piece of input into its keys; keys without a function here are left out. */
export function playKeys(typed: string): readonly PlayKey[] {
  return (typed.match(/\x1b\[[\d;]*[A-Za-z~]|\x1bO[A-Z]|./gs) ?? []).flatMap((key) => keys[key] ?? [])
}
