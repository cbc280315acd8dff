import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { Steady } from '../store/cards.ts'
import { say } from '../store/store.ts'
import { systemClock } from '../system-clock.ts'

export interface Steadiness {
  /** Runs the action, unless the element it belongs to has just appeared or moved. */
  readonly ifSteady: (id: string, act: () => void) => void
}

/** Tracks the positions of a view's elements that have `data-steady`. */
export function useSteady(room: RefObject<HTMLElement | null>): Steadiness {
  const steady = useRef(new Steady()).current
  const note = () => {
    const found = room.current?.querySelectorAll<HTMLElement>('[data-steady]') ?? []
    const places = [...found].map((one) => [one.dataset['steady'] ?? '', placeOf(one)] as const)
    steady.note(places, systemClock.now())
  }
  useLayoutEffect(note)
  useEffect(() => {
    const list = room.current
    if (list === null) return
    // Detects moves that no rendering announces: a loaded detail or a resized window.
    const resized = new ResizeObserver(note)
    for (const child of list.children) resized.observe(child)
    // A question may change without a new rendering.
    const changed = new MutationObserver(note)
    changed.observe(list, { attributeFilter: ['data-about'], subtree: true })
    return () => {
      resized.disconnect()
      changed.disconnect()
    }
  })
  // Returns the same object for the lifetime of the view, so its consumers need not render again.
  return useMemo(
    () => ({
      ifSteady: (id, act) => {
        note()
        if (steady.isSteady(id, systemClock.now())) act()
        else say('This item just appeared or moved. Check it, then answer.')
      },
    }),
    [],
  )
}

/** Includes the text: a question that has changed counts as a new one. */
const placeOf = (element: HTMLElement): string =>
  `${element.offsetTop} ${element.offsetLeft} ${element.offsetHeight} ${element.dataset['about'] ?? ''}`
