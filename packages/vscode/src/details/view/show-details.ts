/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Runs in the detail view: inserts the received HTML, preserves the focus and reports clicks. */

import { systemClock } from '@agentpty/engine/system-clock'

interface Editor {
  postMessage(message: unknown): void
  setState(state: unknown): void
}

declare function acquireVsCodeApi(): Editor

interface Shown {
  readonly id?: string
  readonly machine?: string | null
  readonly html?: string
  readonly said?: string
}

const tickMs = 1_000
const timeOfDay = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium', hour12: false })
const editor = acquireVsCodeApi()

window.addEventListener('message', ({ data }: MessageEvent<Shown>) => {
  if (data.id !== undefined) editor.setState({ id: data.id, machine: data.machine })
  if (data.html !== undefined) show(data.html)
  const said = document.getElementById('said')
  if (data.said !== undefined && said !== null) said.textContent = data.said
})

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLElement>('button') : null
  if (button !== null) editor.postMessage({ ...button.dataset })
})

tick()
editor.postMessage({ ready: '1' })

function show(html: string): void {
  const details = document.getElementById('details')
  if (details === null) return
  const focused = document.activeElement?.id ?? ''
  const scrolled = document.documentElement.scrollTop
  // The sender has escaped all text in it.
  details.innerHTML = html
  updateTimes()
  document.documentElement.scrollTop = scrolled
  if (focused !== '') document.getElementById(focused)?.focus({ preventScroll: true })
}

function tick(): void {
  updateTimes()
  systemClock.callAt(systemClock.now() + tickMs, tick)
}

function updateTimes(): void {
  for (const time of document.querySelectorAll<HTMLElement>('time[data-since]'))
    time.textContent = duration(systemClock.wall() - Number(time.dataset['since']))
  for (const time of document.querySelectorAll<HTMLElement>('time[data-at]'))
    time.textContent ||= timeOfDay.format(Number(time.dataset['at']))
}

/** @example '3 min' */
function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`
}
