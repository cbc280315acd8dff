import { type Signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export interface Scrolling {
  /** The newest line is seen, and goes on to be. */
  readonly isAtEnd: Signal<boolean>
  readonly scrolled: () => void
  /** After the lines have changed: what was read stays where it is. */
  readonly keep: () => void
  readonly toEnd: () => void
}

/** Less than this away from the end counts as the end; in pixels. */
const nearEnd = 24

/** Stays at the newest line until somebody scrolls up, and then at what they read, whatever comes above and below it. */
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
    // The keyboard has come or gone: the newest line is to be seen above it.
    const resized = new ResizeObserver(keep)
    resized.observe(current)
    return () => resized.disconnect()
  }, [])
  return { isAtEnd, scrolled, keep, toEnd }
}

/** The first line that is seen from its beginning. */
function firstShown(list: HTMLElement): Element | null {
  const { top } = list.getBoundingClientRect()
  let [from, to] = [0, list.children.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((list.children[middle]?.getBoundingClientRect().top ?? 0) < top) from = middle + 1
    else to = middle
  }
  return list.children[from] ?? null
}
