import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { Steady } from '../store/cards.ts'
import { say } from '../store/store.ts'
import { systemClock } from '../system-clock.ts'

export interface Steadiness {
  /** Does it, unless what it is about has just come or moved. */
  readonly ifSteady: (id: string, act: () => void) => void
}

/** Watches where the elements with `data-steady` are in a room. */
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
    // What moves others without a word from us: a detail that has come, a window that has got another size.
    const resized = new ResizeObserver(note)
    for (const child of list.children) resized.observe(child)
    // What one of them asks may change without the room being drawn again.
    const changed = new MutationObserver(note)
    changed.observe(list, { attributeFilter: ['data-about'], subtree: true })
    return () => {
      resized.disconnect()
      changed.disconnect()
    }
  })
  // The same for as long as the room is there: what is given it need not be drawn again.
  return useMemo(
    () => ({
      ifSteady: (id, act) => {
        note()
        if (steady.isSteady(id, systemClock.now())) act()
        else say('That has only just come or moved. Look again, then answer.')
      },
    }),
    [],
  )
}

/** With what it says: a question that has become another one is a new one. */
const placeOf = (element: HTMLElement): string =>
  `${element.offsetTop} ${element.offsetLeft} ${element.offsetHeight} ${element.dataset['about'] ?? ''}`
