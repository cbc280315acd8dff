import { isTermError, type Size } from '@agentpty/protocol'
import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { readLinks } from '../../links/link-state.ts'
import { linksInRows } from '../../links/row-links.ts'
import { letterSize } from '../../phone/letter-size.ts'
import { type ShownRows, withoutEmptyEnd } from '../../phone/row-feed.ts'
import { type ScrolledRow, scrolledAfter } from '../../phone/scrollback.ts'
import { appearance } from '../../store/appearance.ts'
import { client } from '../../store/store.ts'
import { systemClock } from '../../system-clock.ts'
import { textRoom } from '../size-control.tsx'
import { ScreenLine, ScrolledLine } from './screen-line.tsx'
import { useScrolling } from './use-scrolling.ts'

/** The minimum time between two requests for the scrollback. */
const reloadMinMs = 1_000
const scrollbackLines = 1_000

export interface TextScreenProps {
  readonly terminalId: string
  readonly name: string
  readonly shown: ShownRows | null
  readonly isWrapped: boolean
  /** A program draws on the whole screen, and its picture is shown as it is. */
  readonly isDrawn: boolean
}

/** A terminal's screen as lines of text with normal scrolling. The scrollback is above it. */
export function TextScreen({ terminalId, name, shown, isWrapped, isDrawn }: TextScreenProps) {
  const element = useRef<HTMLPreElement>(null)
  const scrolling = useScrolling(element)
  const scrolled = useScrollback(terminalId, { shown, isAway: !scrolling.isAtEnd.value })
  useLayoutEffect(scrolling.keep)
  useTextRoom(element)
  useLetterSize(element, isDrawn ? (shown?.size.cols ?? null) : null)
  const rows = shown === null ? [] : withoutEmptyEnd(shown)
  useEffect(() => {
    readLinks.value = () => linksInRows(shown?.rows ?? [])
    return () => {
      readLinks.value = null
    }
  }, [shown])
  const cursor = shown?.cursor ?? null
  return (
    <section class={client.value === null ? 'text-screen stale' : 'text-screen'} aria-label={`Screen of ${name}`}>
      <pre
        ref={element}
        class={isWrapped ? 'lines wrapped' : isDrawn ? 'lines drawn' : 'lines'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling elements must be reachable by keyboard
        tabIndex={0}
        onScroll={scrolling.scrolled}
      >
        {scrolled.map((row) => (
          <ScrolledLine key={`s${row.id}`} text={row.text} />
        ))}
        {rows.map((row, at) => (
          <ScreenLine key={`r${at}`} row={row} cursorCol={cursor?.row === at ? cursor.col : null} />
        ))}
      </pre>
      {client.value === null && <p class="veil">Reconnecting. Your input waits.</p>}
      {!scrolling.isAtEnd.value && (
        <button type="button" class="newest" onClick={scrolling.toEnd}>
          ↓ Newest
        </button>
      )}
    </section>
  )
}

/** Publishes the size of a terminal that would fill the view. */
function useTextRoom(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = element
    if (current === null) return undefined
    textRoom.value = { element: current, fit: () => cellsIn(current) }
    return () => {
      textRoom.value = null
    }
  }, [])
}

/** Makes letters smaller where that shows all columns. Null: letters have their usual size. */
function useLetterSize(element: RefObject<HTMLElement | null>, cols: number | null): void {
  const { font, fontSize } = appearance.value
  useLayoutEffect(() => {
    const { current } = element
    if (current === null || cols === null) return undefined
    const fit = () => {
      current.style.fontSize = ''
      const { across: room, letterWidth, usualSize } = measured(current)
      if (letterWidth > 0 && room > 0)
        current.style.fontSize = `${letterSize(cols, { usualSize, room, letterWidth })}px`
    }
    const resized = new ResizeObserver(fit)
    resized.observe(current)
    return () => {
      resized.disconnect()
      current.style.fontSize = ''
    }
  }, [cols, font, fontSize])
}

interface Measured {
  readonly across: number
  readonly down: number
  readonly letterWidth: number
  readonly rowHeight: number
  /** The present size of letters. */
  readonly usualSize: number
}

function measured(room: HTMLElement): Measured {
  const letters = document.createElement('span')
  letters.textContent = '0'.repeat(measuredLetters)
  room.append(letters)
  const { width, height } = letters.getBoundingClientRect()
  letters.remove()
  const { paddingLeft, paddingRight, paddingTop, paddingBottom, lineHeight, fontSize } = getComputedStyle(room)
  return {
    across: room.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight),
    down: room.clientHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom),
    letterWidth: width / measuredLetters,
    rowHeight: Number.parseFloat(lineHeight) || height,
    usualSize: Number.parseFloat(fontSize),
  }
}

function cellsIn(room: HTMLElement): Size | null {
  const { across, down, letterWidth, rowHeight } = measured(room)
  if (letterWidth === 0 || across <= 0 || down <= 0) return null
  return {
    cols: Math.max(2, Math.floor(across / letterWidth)),
    rows: Math.max(2, Math.floor(down / rowHeight)),
  }
}

/** One letter alone would be measured too imprecisely. */
const measuredLetters = 20

interface ScrollbackOptions {
  readonly shown: ShownRows | null
  /** True while the person reads older lines. */
  readonly isAway: boolean
}

/** Loads the scrollback once, and again while a person reads it and it may have grown. */
function useScrollback(terminalId: string, { shown, isAway }: ScrollbackOptions): readonly ScrolledRow[] {
  const scrolled = useSignal<readonly ScrolledRow[]>([])
  const asked = useRef({ at: Number.NEGATIVE_INFINITY, isOpen: false, rows: null as ShownRows['rows'] | null })
  const open = client.value
  useMemo(() => {
    scrolled.value = []
    asked.current = { at: Number.NEGATIVE_INFINITY, isOpen: false, rows: null }
  }, [terminalId])
  useEffect(() => {
    const state = asked.current
    if (open === null || shown === null || state.isOpen || state.rows === shown.rows) return
    if (state.rows !== null && !isAway) return
    const ask = () => {
      Object.assign(state, { at: systemClock.now(), isOpen: true, rows: shown.rows })
      rowsAbove(open, terminalId)
        .then((rows) => {
          if (asked.current === state) scrolled.value = scrolledAfter(scrolled.peek(), rows)
        })
        .catch((error: unknown) => {
          // A lost connection or a closed terminal is reported elsewhere.
          if (!isTermError(error)) throw error
        })
        .finally(() => {
          state.isOpen = false
        })
    }
    return systemClock.callAfter(Math.max(0, state.at + reloadMinMs - systemClock.now()), ask)
  }, [open, shown, isAway, terminalId])
  return scrolled.value
}

async function rowsAbove(open: NonNullable<typeof client.value>, terminalId: string): Promise<readonly string[]> {
  const { screen, scrollbackRows = 0 } = await open.call('screenshot', {
    terminalId,
    format: 'plain',
    lines: scrollbackLines,
  })
  return screen.split('\n').slice(0, scrollbackRows)
}
