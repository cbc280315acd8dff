/**
 * All terminals live on one terminal: a tile for each, with its name and whose turn it is. Keys choose a tile and
 * attach to it. Watching changes nothing about what is watched.
 */

import { isTermError, type Size } from '@agentpty/protocol'
import { stateWords, type TerminalState } from '@agentpty/protocol/session'
import type { ListedTerminal } from '@agentpty/protocol/verbs'
import { readStates, type TerminalStates, terminalState } from '../terminal-states.ts'
import { type AttachOptions, attach } from './attachment.ts'
import { MouseReader, type MouseReport, ownModes } from './mouse.ts'
import { keysIn } from './prefix-keys.ts'
import { type Area, atOnce, enterScreen, goTo, leaveScreen, Window } from './window.ts'

type WallOptions = Pick<AttachOptions, 'client' | 'clock' | 'terminal' | 'print' | 'prefix' | 'onInterrupt'>

const footerRows = 1
const escapeKey = '\x1b'
const leftButton = 0
const mouseModes = ownModes([], true)

interface Tile {
  readonly listed: ListedTerminal
  readonly area: Area
  readonly window: Window
  state: TerminalState
}

/** Runs until the person leaves. */
export async function watchAll(options: WallOptions): Promise<void> {
  const wall = new Wall(options)
  for (let chosen = await wall.show(); chosen !== null; chosen = await wall.show()) {
    // It may have been closed since it was drawn: the wall then shows so.
    await attach({ ...options, terminalId: chosen, readOnly: false, fit: false, status: true, mouse: true }).catch(
      () => null,
    )
  }
}

class Wall {
  readonly #options: WallOptions
  #tiles: readonly Tile[] = []
  #total = 0
  #firstShown = 0
  #mouse = new MouseReader()
  #chosenId: string | null = null
  #build = new AbortController()
  #done: (terminalId: string | null) => void = () => {}
  #failed: (error: unknown) => void = () => {}

  constructor(options: WallOptions) {
    this.#options = options
  }

  /** Resolves to the terminal the person wants to attach to; null when they leave. */
  async show(): Promise<string | null> {
    const { terminal, print } = this.#options
    await print(`${enterScreen}${mouseModes.map((mode) => `\x1b[?${mode}h`).join('')}`)
    const done = new Promise<string | null>((resolve, reject) => {
      this.#done = resolve
      this.#failed = reject
    })
    const stopKeys = terminal.keys((bytes) => this.#typed(Buffer.from(bytes)))
    const stopSizes = terminal.onResize(() => this.#startRebuild())
    const stopInterrupts = this.#options.onInterrupt(() => this.#done(null))
    this.#startRebuild()
    try {
      return await done
    } finally {
      this.#build.abort()
      stopKeys()
      stopSizes()
      stopInterrupts()
      await print(`${mouseModes.map((mode) => `\x1b[?${mode}l`).join('')}${leaveScreen}`)
    }
  }

  #startRebuild(): void {
    this.#rebuild().catch(this.#failed)
  }

  /** Lists the terminals again and draws all of them in the room there is. */
  async #rebuild(): Promise<void> {
    this.#build.abort()
    const build = new AbortController()
    this.#build = build
    const { client, terminal, print } = this.#options
    const { terminals, states } = await readStates(client)
    if (build.signal.aborted) return
    this.#layOut(terminals, states, terminal.size())
    await print(atOnce(`${enterScreen}${this.#tiles.map((tile) => this.#header(tile)).join('')}${this.#footer()}`))
    for (const tile of this.#tiles) void this.#follow(tile, build.signal)
    void this.#watch(terminals.map(({ terminalId }) => terminalId).join(), build.signal)
    void this.#watchNeeds(build.signal)
  }

  #layOut(terminals: readonly ListedTerminal[], states: TerminalStates, { cols, rows }: Size): void {
    const areas = tiles(Math.max(1, terminals.length), { cols, rows: rows - footerRows })
    const at = Math.max(
      0,
      terminals.findIndex(({ terminalId }) => terminalId === this.#chosenId),
    )
    this.#total = terminals.length
    this.#firstShown = Math.floor(at / areas.length) * areas.length
    const shown = terminals.slice(this.#firstShown, this.#firstShown + areas.length)
    this.#chosenId = terminals[at]?.terminalId ?? null
    this.#tiles = shown.flatMap((listed, index) => {
      const area = areas[index]
      if (area === undefined) return []
      const inside = { top: area.top + 1, left: area.left, cols: area.cols - 1, rows: area.rows - 1 }
      const state = states.get(listed.terminalId) ?? terminalState(listed)
      return [{ listed, area, window: new Window(inside), state }]
    })
  }

  async #follow(tile: Tile, signal: AbortSignal): Promise<void> {
    const { client, print } = this.#options
    const { cols, rows } = tile.window.area
    try {
      for await (const event of client.follow(tile.listed.terminalId, {
        frames: { cols, rows, isPinned: true },
        turn: true,
        signal,
      })) {
        if (signal.aborted) return
        if (event.type === 'frame') await print(atOnce(`${tile.window.draw(event)}\x1b[?25l`))
        if (event.type === 'turn') {
          const { state, kind } = event.verdict
          tile.state = { ...tile.state, state, kind }
        }
        if (event.type === 'exit') {
          const { code, signal: ending } = event.exit
          tile.state = { ...tile.state, state: 'exited', kind: null, exitCode: code, signal: ending }
        }
        if (event.type !== 'frame') await print(this.#header(tile))
      }
    } catch (error) {
      // It was closed since the list was made: the next list is without it.
      if (!signal.aborted && isTermError(error) && error.code === 'daemon_gone') this.#failed(error)
    }
  }

  /** Waits until the terminals are others than those that are `shown`. */
  async #watch(shown: string, signal: AbortSignal): Promise<void> {
    try {
      for await (const { terminals } of this.#options.client.watch({ signal })) {
        if (signal.aborted) return
        if (terminals.map(({ terminalId }) => terminalId).join() !== shown) return this.#startRebuild()
      }
    } catch (error) {
      if (!signal.aborted) this.#failed(error)
    }
  }

  async #watchNeeds(signal: AbortSignal): Promise<void> {
    const { client, print } = this.#options
    try {
      for await (const { needs } of client.watch({ overview: true, signal })) {
        if (signal.aborted) return
        if (needs === null) continue
        const kinds = new Map(needs.map(({ terminalId, kind }) => [terminalId, kind]))
        const changed = this.#tiles.filter((tile) => tile.state.need !== (kinds.get(tile.listed.terminalId) ?? null))
        for (const tile of changed) tile.state = { ...tile.state, need: kinds.get(tile.listed.terminalId) ?? null }
        if (changed.length > 0) await print(atOnce(changed.map((tile) => this.#header(tile)).join('')))
      }
    } catch (error) {
      if (!signal.aborted) this.#failed(error)
    }
  }

  #typed(bytes: Buffer): void {
    for (const part of this.#mouse.take(bytes)) {
      if (!('button' in part)) for (const key of keysIn(Buffer.from(part).toString('latin1'))) this.#press(key)
      else if (part.button === leftButton && part.isRelease) this.#click(part)
    }
  }

  /** When the button is released, so that the terminal that opens gets no part of the click. */
  #click({ row, col }: Pick<MouseReport, 'row' | 'col'>): void {
    const tile = this.#tiles.find(
      ({ area: { top, left, rows, cols } }) => row >= top && row < top + rows && col >= left && col < left + cols,
    )
    if (tile === undefined) return
    this.#chosenId = tile.listed.terminalId
    this.#done(this.#chosenId)
  }

  #press(key: string): void {
    if (key === 'q' || key === '\x03' || key === escapeKey) this.#done(null)
    else if (key === '\r' && this.#chosenId !== null) this.#done(this.#chosenId)
    else if (key === '\t' || key === `${escapeKey}[C` || key === `${escapeKey}OC` || key === 'l')
      this.#choose(1).catch(this.#failed)
    else if (key === `${escapeKey}[Z` || key === `${escapeKey}[D` || key === `${escapeKey}OD` || key === 'h')
      this.#choose(-1).catch(this.#failed)
  }

  async #choose(step: number): Promise<void> {
    const at = this.#tiles.findIndex(({ listed }) => listed.terminalId === this.#chosenId)
    const next = this.#tiles[at + step]
    if (next !== undefined) {
      this.#chosenId = next.listed.terminalId
      await this.#options.print(atOnce(this.#tiles.map((tile) => this.#header(tile)).join('')))
      return
    }
    // The neighbour is on another page, or the row begins again.
    const { terminals } = await this.#options.client.call('list', {})
    const whole = terminals.findIndex(({ terminalId }) => terminalId === this.#chosenId)
    this.#chosenId = terminals[(whole + step + terminals.length) % Math.max(1, terminals.length)]?.terminalId ?? null
    await this.#rebuild()
  }

  #header({ listed, area, state }: Tile): string {
    const { terminalId, name, command } = listed
    const words = ` ${name ?? terminalId}  ${stateWords(state)}  ${command.replaceAll(/\s+/g, ' ')}`
    const style = terminalId === this.#chosenId ? '0;7;1' : '0;7;2'
    const width = area.cols - 1
    return `${goTo(area.top, area.left)}\x1b[${style}m${words.slice(0, width).padEnd(width)}\x1b[0m\x1b[?25l`
  }

  #footer(): string {
    const { cols, rows } = this.#options.terminal.size()
    const shown = this.#tiles.length
    const which =
      shown === this.#total ? `${this.#total}` : `${this.#firstShown + 1}–${this.#firstShown + shown} of ${this.#total}`
    const words =
      this.#total === 0
        ? ' no terminals; open one with: agentpty new   q: leave'
        : ` ${which} terminals   ←→ choose   enter, click: type into it   q: leave`
    return `${goTo(rows - 1, 0)}\x1b[0;2m${words.slice(0, cols)}\x1b[0m`
  }
}

// How many terminals fit on one terminal, and where.

/** Smaller areas show nothing that a person can follow. */
const tileMin: Size = { cols: 30, rows: 6 }
const ideal: Size = { cols: 80, rows: 24 }

/** At most `count` areas, side by side and below each other; fewer where there is no room for all. */
export function tiles(count: number, { cols, rows }: Size): readonly Area[] {
  const across = bestAcross(count, { cols, rows })
  const down = Math.max(1, Math.min(Math.ceil(count / across), Math.floor(rows / tileMin.rows)))
  const width = Math.floor(cols / across)
  const height = Math.floor(rows / down)
  return Array.from({ length: Math.min(count, across * down) }, (_, at) => {
    const row = Math.floor(at / across)
    const col = at % across
    return { top: row * height, left: col * width, cols: width, rows: height }
  })
}

/** The grid whose areas come closest to an ordinary terminal. */
function bestAcross(count: number, { cols, rows }: Size): number {
  const most = Math.max(1, Math.min(count, Math.floor(cols / tileMin.cols)))
  const choices = Array.from({ length: most }, (_, at) => at + 1)
  const likeness = (across: number) =>
    Math.min(cols / across / ideal.cols, rows / Math.ceil(count / across) / ideal.rows)
  return choices.reduce((best, one) => (likeness(one) > likeness(best) ? one : best), 1)
}
