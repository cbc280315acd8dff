/** The page's side of the wall: hands canvases to the worker that draws them, and says which of them can be seen. */

import { systemClock } from '../system-clock.ts'
import type { TilePlace, ToWorker } from './messages.ts'
import { themeOf } from './run-colors.ts'
import { startWorker } from './start-worker.ts'

/** From one frame of a terminal to the next; and while somebody types beside it, who is not to wait for it. */
const [paceMs, typingPaceMs, typingMs] = [200, 1_000, 1_500]

/** Below and above what can be seen: a canvas takes half a megabyte, and its first frame a moment. */
const nearMargin = '400px 0px'

export class Wall {
  readonly #worker = startWorker()
  readonly #visible = new Set<string>()
  readonly #ids = new WeakMap<Element, string>()
  readonly #over = new AbortController()
  readonly #seen: IntersectionObserver
  readonly #near: IntersectionObserver
  readonly #nearing = new WeakMap<Element, (isNear: boolean) => void>()
  readonly #sized: ResizeObserver
  #stopTyping = () => {}

  constructor() {
    this.#seen = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) this.#see(target, isIntersecting)
      this.#tellVisible()
    })
    const closer = { rootMargin: nearMargin }
    this.#near = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) this.#nearing.get(target)?.(isIntersecting)
    }, closer)
    this.#sized = new ResizeObserver((entries) => {
      for (const { target } of entries) this.#tellSize(target)
    })
    const { signal } = this.#over
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const tellTheme = () => this.#tell({ kind: 'theme', theme: themeOf(dark.matches) })
    tellTheme()
    dark.addEventListener('change', tellTheme, { signal })
    addEventListener('online', () => this.#tell({ kind: 'again' }), { signal })
    addEventListener('keydown', () => this.#typed(), { signal, capture: true })
    document.addEventListener('visibilitychange', () => this.#tellVisible(), { signal })
  }

  /** Tells whether one can be seen, or nearly: only then it is worth a canvas. */
  whenNear(place: Element, tell: (isNear: boolean) => void): () => void {
    this.#nearing.set(place, tell)
    this.#near.observe(place)
    return () => this.#near.unobserve(place)
  }

  /** The canvas is the wall's from now on. */
  add(place: TilePlace, canvas: HTMLCanvasElement): void {
    const offscreen = canvas.transferControlToOffscreen()
    this.#worker.postMessage({ kind: 'add', place, canvas: offscreen } satisfies ToWorker, [offscreen])
    this.#ids.set(canvas, place.terminalId)
    this.#sized.observe(canvas)
    this.#seen.observe(canvas)
  }

  remove(canvas: HTMLCanvasElement): void {
    const terminalId = this.#ids.get(canvas)
    this.#sized.unobserve(canvas)
    this.#seen.unobserve(canvas)
    if (terminalId === undefined) return
    this.#visible.delete(terminalId)
    this.#tell({ kind: 'remove', terminalId })
  }

  close(): void {
    this.#over.abort()
    this.#stopTyping()
    this.#seen.disconnect()
    this.#near.disconnect()
    this.#sized.disconnect()
    this.#worker.terminate()
  }

  #see(target: Element, isSeen: boolean): void {
    const terminalId = this.#ids.get(target)
    if (terminalId === undefined) return
    if (isSeen) this.#visible.add(terminalId)
    else this.#visible.delete(terminalId)
  }

  #tellVisible(): void {
    const terminalIds = document.visibilityState === 'visible' ? [...this.#visible] : []
    this.#tell({ kind: 'visible', terminalIds })
  }

  #tellSize(target: Element): void {
    const terminalId = this.#ids.get(target)
    if (terminalId === undefined) return
    const { width, height } = target.getBoundingClientRect()
    const pixels = (length: number) => Math.max(1, Math.round(length * devicePixelRatio))
    this.#tell({ kind: 'size', terminalId, width: pixels(width), height: pixels(height) })
  }

  #typed(): void {
    this.#stopTyping()
    this.#tell({ kind: 'pace', ms: typingPaceMs })
    this.#stopTyping = systemClock.callAfter(typingMs, () => this.#tell({ kind: 'pace', ms: paceMs }))
  }

  #tell(message: ToWorker): void {
    this.#worker.postMessage(message)
  }
}
