/** The page's side of the wall: transfers canvases to the worker that draws them, and reports which are visible. */

import { workerAddress } from '../session/worker-address.ts'
import { terminalTheme } from '../store/terminal-look.ts'
import { systemClock } from '../system-clock.ts'
import type { TilePlace, ToWorker } from './messages.ts'

/** The time between two frames of a terminal. It is longer while a person types next to the wall, to keep typing fast. */
const paceMs = 200
const typingPaceMs = 1_000
const typingMs = 1_500

/** The distance at which a tile gets a canvas: half a megabyte, with a delay for its first frame. */
const nearMargin = '400px 0px'

export class Wall {
  readonly #worker = new Worker(workerAddress('wall'), { type: 'module', name: 'wall' })
  readonly #visible = new Set<string>()
  readonly #ids = new WeakMap<Element, string>()
  readonly #over = new AbortController()
  readonly #visibility: IntersectionObserver
  readonly #near: IntersectionObserver
  readonly #nearing = new WeakMap<Element, (isNear: boolean) => void>()
  readonly #sized: ResizeObserver
  #stopTyping = () => {}

  constructor() {
    this.#visibility = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) this.#setVisible(target, isIntersecting)
      this.#postVisible()
    })
    const closer = { rootMargin: nearMargin }
    this.#near = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) this.#nearing.get(target)?.(isIntersecting)
    }, closer)
    this.#sized = new ResizeObserver((entries) => {
      for (const { target } of entries) this.#postSize(target)
    })
    this.#post({ kind: 'connect', page: location.href })
    const { signal } = this.#over
    const stopThemes = terminalTheme.subscribe((theme) => this.#post({ kind: 'theme', theme }))
    signal.addEventListener('abort', stopThemes)
    addEventListener('online', () => this.#post({ kind: 'again' }), { signal })
    addEventListener('keydown', () => this.#typed(), { signal, capture: true })
    document.addEventListener('visibilitychange', () => this.#postVisible(), { signal })
  }

  /** Reports whether an element is visible or nearly so. Only then it gets a canvas. */
  whenNear(place: Element, changed: (isNear: boolean) => void): () => void {
    this.#nearing.set(place, changed)
    this.#near.observe(place)
    return () => this.#near.unobserve(place)
  }

  /** Transfers the canvas to the wall. */
  add(place: TilePlace, canvas: HTMLCanvasElement): void {
    const offscreen = canvas.transferControlToOffscreen()
    this.#worker.postMessage({ kind: 'add', place, canvas: offscreen } satisfies ToWorker, [offscreen])
    this.#ids.set(canvas, place.terminalId)
    this.#sized.observe(canvas)
    this.#visibility.observe(canvas)
  }

  remove(canvas: HTMLCanvasElement): void {
    const terminalId = this.#ids.get(canvas)
    this.#sized.unobserve(canvas)
    this.#visibility.unobserve(canvas)
    if (terminalId === undefined) return
    this.#visible.delete(terminalId)
    this.#post({ kind: 'remove', terminalId })
  }

  /** Shows whole screens, or the last rows in letters that can be read. */
  showWhole(isWhole: boolean): void {
    this.#post({ kind: 'whole', isWhole })
  }

  close(): void {
    this.#over.abort()
    this.#stopTyping()
    this.#visibility.disconnect()
    this.#near.disconnect()
    this.#sized.disconnect()
    this.#worker.terminate()
  }

  #setVisible(target: Element, isVisible: boolean): void {
    const terminalId = this.#ids.get(target)
    if (terminalId === undefined) return
    if (isVisible) this.#visible.add(terminalId)
    else this.#visible.delete(terminalId)
  }

  #postVisible(): void {
    const terminalIds = document.visibilityState === 'visible' ? [...this.#visible] : []
    this.#post({ kind: 'visible', terminalIds })
  }

  #postSize(target: Element): void {
    const terminalId = this.#ids.get(target)
    if (terminalId === undefined) return
    const { width, height } = target.getBoundingClientRect()
    const pixels = (length: number) => Math.max(1, Math.round(length * devicePixelRatio))
    const size = { width: pixels(width), height: pixels(height), scale: devicePixelRatio }
    this.#post({ kind: 'size', terminalId, size })
  }

  #typed(): void {
    this.#stopTyping()
    this.#post({ kind: 'pace', ms: typingPaceMs })
    this.#stopTyping = systemClock.callAfter(typingMs, () => this.#post({ kind: 'pace', ms: paceMs }))
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message)
  }
}
