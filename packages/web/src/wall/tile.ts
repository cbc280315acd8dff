/** One terminal on the wall: followed while it is visible, and drawn from the newest frame. */

import type { Frame } from '@agentpty/protocol/session'
import type { WireClient } from '@agentpty/protocol/wire'
import { RowPainter } from './draw-rows.ts'
import type { TilePlace, TileSize } from './messages.ts'
import type { Theme } from './run-colors.ts'

export interface TileParts {
  readonly canvas: OffscreenCanvas
  readonly theme: Theme
  /** Resolves when the next frame is due. */
  readonly due: () => Promise<void>
}

export class Tile {
  readonly #parts: TileParts
  readonly #painter: RowPainter
  #place: TilePlace
  #rows: string[] = []
  #isWhole = false
  /** The program draws on the alternate screen, whose picture is shown as a whole. */
  #isAlternate = false
  #scale = 1
  #cursor: Frame['cursor'] = null
  #following: { readonly client: WireClient; readonly over: AbortController } | null = null

  constructor(place: TilePlace, parts: TileParts) {
    this.#place = place
    this.#parts = parts
    const context = parts.canvas.getContext('2d', { alpha: false, desynchronized: true })
    if (context === null) throw new Error('this browser draws on no canvas in a worker')
    this.#painter = new RowPainter(context, place, parts.theme)
  }

  size({ width, height, scale }: TileSize): void {
    const { canvas } = this.#parts
    const isFitted = this.#scale !== scale
    this.#scale = scale
    if (canvas.width === width && canvas.height === height && !isFitted) return
    canvas.width = width
    canvas.height = height
    this.#painter.resized()
    this.#fit()
    this.#drawAll()
  }

  /** True: the whole screen is shown, however small. */
  set isWhole(isWhole: boolean) {
    this.#isWhole = isWhole
    this.#fit()
    this.#drawAll()
  }

  set theme(theme: Theme) {
    this.#painter.theme = theme
    this.#drawAll()
  }

  /** Null: the tile is hidden or there is no connection. The drawn content stays. */
  follow(client: WireClient | null): void {
    if (this.#following?.client === client || (client === null && this.#following === null)) return
    this.#following?.over.abort()
    this.#following = client === null ? null : { client, over: new AbortController() }
    if (this.#following !== null) void this.#run(this.#following)
  }

  async #run({
    client,
    over: { signal },
  }: {
    readonly client: WireClient
    readonly over: AbortController
  }): Promise<void> {
    try {
      while (!signal.aborted && (await this.#followWindow(client, signal)));
    } catch {
      // The terminal or the connection is closed: the page removes the tile, or follows it again.
    }
  }

  /** Returns true if the terminal was resized and needs a new window. */
  async #followWindow(client: WireClient, signal: AbortSignal): Promise<boolean> {
    const { terminalId, cols, rows } = this.#place
    const frames = { cols, rows, isPinned: true }
    for await (const event of client.follow(terminalId, { frames, ahead: 1, signal })) {
      if (signal.aborted) return false
      if (event.type === 'frame' && (event.size.cols !== cols || event.size.rows !== rows)) {
        this.#place = { ...this.#place, ...event.size }
        this.#painter.grid = event.size
        return true
      }
      if (event.type === 'frame') this.#show(event)
      // The daemon makes the next frame after this one is read, so the picture is never older than this.
      await this.#parts.due()
    }
    return false
  }

  #show({ isWhole, rows, cursor, isAlternate }: Frame): void {
    this.#isAlternate = isAlternate === true
    if (isWhole) {
      this.#rows = []
      this.#painter.clear()
    }
    const before = this.#cursor
    this.#cursor = cursor
    for (const [row, text] of rows) this.#rows[row] = text
    if (this.#fit()) {
      this.#drawAll()
      return
    }
    const drawn = new Set(rows.map(([row]) => row))
    for (const row of drawn) this.#painter.row(row, this.#rows[row] ?? '')
    if (before !== null && !drawn.has(before.row)) this.#painter.row(before.row, this.#rows[before.row] ?? '')
    if (cursor !== null) this.#painter.cursor(cursor)
  }

  /** Chooses the rows that are shown. Returns true if all must be drawn again. */
  #fit(): boolean {
    const isFitted = this.#painter.fit({ isWhole: this.#isWhole || this.#isAlternate, scale: this.#scale })
    const last = this.#rows.findLastIndex((row) => row !== undefined && row !== '')
    const isMoved = this.#painter.showUpTo(Math.max(last, this.#cursor?.row ?? 0) + 1)
    return isFitted || isMoved
  }

  #drawAll(): void {
    this.#painter.clear()
    for (const [row, text] of this.#rows.entries()) this.#painter.row(row, text ?? '')
    if (this.#cursor !== null) this.#painter.cursor(this.#cursor)
  }
}
