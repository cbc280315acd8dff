/**
 * A tab that behaves like the editor's: it shows a requested size cut to its own, ignores a removed override, and reports the shown size after a
 * change.
 */

import { Observable } from '../link/observable.ts'
import { type Fits, SessionTerminal } from '../terminals/session-terminal.ts'
import { FakeDaemon, settled } from './fake-daemon.ts'

type Size = readonly [cols: number, rows: number]

export class FakeTab {
  readonly daemon = new FakeDaemon()
  readonly client = new Observable<FakeDaemon['client'] | null>(this.daemon.client)
  readonly said: string[] = []
  readonly pty: SessionTerminal
  /** The text written to the emulator. */
  drawn = ''
  #own: Size
  #override: Size | null = null
  #shown: Size

  constructor(own: Size, fits: Fits = 'never') {
    this.#own = own
    this.#shown = own
    this.pty = new SessionTerminal({
      terminalId: 'term-1',
      client: this.client,
      fits: () => fits,
      say: (words) => this.said.push(words),
      closed: () => {},
    })
    this.pty.onDidWrite((text) => {
      this.drawn += text
    })
    this.pty.onDidOverrideDimensions((size) => {
      if (size === undefined) return
      this.#override = [size.columns, size.rows]
      this.#layOut()
    })
    this.pty.open(dimensions(own))
    this.pty.setDimensions(dimensions(own))
  }

  /** The size of the emulator. */
  get shown(): Size {
    return this.#shown
  }

  /** The current source of the drawing: bytes, or frames of a size. */
  get drawnFrom(): 'bytes' | Size {
    const { frames } = this.daemon.follow.options
    return frames === undefined ? 'bytes' : [frames.cols, frames.rows]
  }

  /** Resizes the panel, as a person does. */
  async resize(own: Size): Promise<void> {
    this.#own = own
    this.#layOut()
    await settled()
  }

  /** Reports this size of the program. */
  async program([cols, rows]: Size): Promise<void> {
    const size = { cols, rows }
    const { follow } = this.daemon
    if (follow.options.frames === undefined)
      await follow.send({
        type: 'snapshot',
        at: 0,
        size,
        commands: [],
        promptUp: null,
        text: `<whole ${cols}x${rows}>`,
        isLate: false,
      })
    else await follow.send(frameOf(size))
    // It may now be drawn from another stream, which starts with the size, too.
    if (this.daemon.follow !== follow) await this.program([cols, rows])
  }

  #layOut(): void {
    const [cols, rows] = this.#override ?? this.#own
    const now: Size = [Math.min(cols, this.#own[0]), Math.min(rows, this.#own[1])]
    if (now[0] === this.#shown[0] && now[1] === this.#shown[1]) return
    this.#shown = now
    // Another process reports it in reality.
    queueMicrotask(() => this.pty.setDimensions(dimensions(now)))
  }
}

const dimensions = ([columns, rows]: Size) => ({ columns, rows })

const frameOf = (size: { readonly cols: number; readonly rows: number }) =>
  ({
    type: 'frame',
    at: 0,
    size,
    top: 0,
    left: 0,
    isWhole: true,
    rows: [[0, 'a part']],
    cursor: null,
    modes: [],
    title: '',
  }) as const
