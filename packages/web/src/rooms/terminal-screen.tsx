import { isTermError } from '@agentpty/protocol'
import type { Lease } from '@agentpty/protocol/session'
import type { ViewSize } from '@agentpty/terminal-view'
import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { findTerminalId } from '../find/find-state.ts'
import { hoveredLink, readLinks } from '../links/link-state.ts'
import { lazy } from '../parts/lazy.tsx'
import { route } from '../store/route.ts'
import { client, mayChange, say, sayError } from '../store/store.ts'
import type { MarkedCommand } from '../terminal/command-marks.ts'
import type { LiveTerminal } from '../terminal/live-terminal.ts'
import type { PageLease } from '../terminal/page-lease.ts'
import { copyOutput } from './copy-output.ts'
import { ScrollBar } from './scroll-bar.tsx'
import { typeInto } from './type-into.ts'

const FindBar = lazy(async () => (await import('../find/find-bar.tsx')).FindBar)
const LinkBar = lazy(async () => (await import('./link-bar.tsx')).LinkBar)

/** The size and title of the terminal that is drawn. */
export const viewed = signal<{ readonly size: ViewSize | null; readonly title: string }>({ size: null, title: '' })
/** The emulator that draws the terminal; null while there is none. */
export const view = signal<LiveTerminal | null>(null)

export interface TerminalScreenProps {
  readonly terminalId: string
  readonly lease: PageLease
  readonly onLeave: () => void
}

/** The terminal itself. It stays while the connection is lost and continues from a new snapshot afterwards. */
export function TerminalScreen({ terminalId, lease, onLeave }: TerminalScreenProps) {
  const parent = useRef<HTMLDivElement>(null)
  const mayType = mayChange.value
  useEffect(() => {
    const element = parent.current
    if (element === null) return
    let made: LiveTerminal | null = null
    let isOver = false
    viewed.value = { size: null, title: '' }
    const takesKeys = mayType && matchMedia('(hover: hover)').matches
    // Keys pressed before the emulator is loaded are ignored; above all they are not shortcuts.
    if (takesKeys) element.focus()
    void import('../terminal/live-terminal.ts').then((module) => {
      if (isOver) return
      made = new module.LiveTerminal(optionsFor(element, terminalId, { mayType, onLeave, lease }))
      view.value = made
      const { links } = made
      readLinks.value = () => links.visible()
      if (takesKeys) made.focus()
    })
    return () => {
      isOver = true
      view.value = null
      findTerminalId.value = null
      hoveredLink.value = null
      readLinks.value = null
      made?.dispose()
    }
  }, [terminalId, mayType, lease])
  const open = client.value
  const drawn = view.value
  useEffect(() => {
    if (open === null || drawn === null) return
    const over = new AbortController()
    drawn.show(open, terminalId, over.signal).catch((error: unknown) => {
      // A lost connection is reported and retried elsewhere.
      const isLost = isTermError(error) && error.code === 'daemon_gone'
      if (!over.signal.aborted && !isLost)
        say(isTermError(error) ? `${error.message} ${error.hint}` : String(error), true)
    })
    return () => over.abort()
  }, [open, drawn, terminalId])
  const { value: to } = route
  const at = to.room === 'terminal' && to.terminalId === terminalId ? (to.at ?? null) : null
  useEffect(() => {
    if (open !== null && drawn !== null && at !== null) void drawn.scrollBack.goToLine(at)
  }, [open, drawn, at])
  return (
    <div class={open === null ? 'screen stale' : 'screen'}>
      <div ref={parent} id="screen-room" class="screen-room" tabIndex={-1} />
      {drawn !== null && <ScrollBar scrollBack={drawn.scrollBack} focus={() => drawn.focus()} />}
      {drawn !== null && findTerminalId.value === terminalId && <FindBar terminalId={terminalId} view={drawn} />}
      {hoveredLink.value !== null && <LinkBar terminalId={terminalId} />}
      {open === null && <p class="veil">Reconnecting. The terminal keeps running. Your input waits.</p>}
    </div>
  )
}

interface ViewParts {
  readonly mayType: boolean
  readonly onLeave: () => void
  readonly lease: PageLease
}

function optionsFor(parent: HTMLElement, terminalId: string, { mayType, onLeave, lease }: ViewParts) {
  return {
    parent,
    terminalId,
    mayType,
    leave: onLeave,
    typed: typeInto(terminalId, () => view.peek()?.echo ?? null),
    sized: (size: ViewSize) => {
      viewed.value = { ...viewed.value, size }
    },
    titled: (title: string) => {
      viewed.value = { ...viewed.value, title }
    },
    leased: (now: Lease) => lease.seen(now),
    picked: (command: MarkedCommand) => void copyOutput(terminalId, command),
    failed: sayError,
  }
}
