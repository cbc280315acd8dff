import { type Signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export interface Scrolling {
  /** True while the view follows the newest line. */
  readonly isAtEnd: Signal<boolean>
  readonly scrolled: () => void
  /** To be called after a change of the lines; keeps the lines being read in place. */
  readonly keep: () => void
  readonly toEnd: () => void
}

/** A distance from the end below this counts as the end, in pixels. */
const nearEnd = 24

/** Follows the newest line until a person scrolls up. Then it keeps the lines they read in place. */
export function useScrolling(element: RefObject<HTMLElement | null>): Scrolling {
  const isAtEnd = useSignal(true)
  const read = useRef<{ readonly line: Element; readonly top: number } | null>(null)
  const toEnd = () => {
    const { current } = element
    if (current === null) return
    isAtEnd.value = true
    current.scrollTop = current.scrollHeight
  }
  const note = () => {
    const { current } = element
    const line = current === null ? null : firstShown(current)
    read.current = line === null ? null : { line, top: line.getBoundingClientRect().top }
  }
  const keep = () => {
    const { current } = element
    if (current === null) return
    if (isAtEnd.peek()) {
      current.scrollTop = current.scrollHeight
      return
    }
    if (read.current?.line.isConnected)
      current.scrollTop += read.current.line.getBoundingClientRect().top - read.current.top
    note()
  }
  const scrolled = () => {
    const { current } = element
    if (current === null) return
    isAtEnd.value = current.scrollHeight - current.scrollTop - current.clientHeight < nearEnd
    note()
  }
  useEffect(() => {
    const { current } = element
    if (current === null) return undefined
    // The on-screen keyboard opened or closed: the newest line must stay visible above it.
    const resized = new ResizeObserver(keep)
    resized.observe(current)
    return () => resized.disconnect()
  }, [])
  return { isAtEnd, scrolled, keep, toEnd }
}

/** Returns the first line whose top is visible. */
function firstShown(list: HTMLElement): Element | null {
  const { top } = list.getBoundingClientRect()
  let from = 0
  let to = list.children.length
  while (from < to) {
    const middle = (from + to) >> 1
    if ((list.children[middle]?.getBoundingClientRect().top ?? 0) < top) from = middle + 1
    else to = middle
  }
  return list.children[from] ?? null
}
