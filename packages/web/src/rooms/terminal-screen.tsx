import { isTermError } from '@agentpty/protocol'
import type { Lease } from '@agentpty/protocol/session'
import type { ViewSize } from '@agentpty/terminal-view'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { findTerminalId } from '../find/find-state.ts'
import { hoveredLink, readLinks } from '../links/link-state.ts'
import { lazy } from '../parts/lazy.tsx'
import type { SelectedText } from '../scroll-back/older-selection.ts'
import { route } from '../store/route.ts'
import { changeScreen, forgetScreen, screenOf } from '../store/shown-screens.ts'
import { client, mayChange, say, sayError } from '../store/store.ts'
import type { MarkedCommand } from '../terminal/command-marks.ts'
import type { LiveTerminal } from '../terminal/live-terminal.ts'
import { fenced } from '../terminal/markdown.ts'
import type { PageLease } from '../terminal/page-lease.ts'
import { CommandHeading } from './command-heading.tsx'
import { copyAsMarkdown, copyOutput, copyText } from './copy-output.ts'
import { ScrollBar } from './scroll-bar.tsx'
import { typeInto } from './type-into.ts'

const FindBar = lazy(async () => (await import('../find/find-bar.tsx')).FindBar)
const LinkBar = lazy(async () => (await import('./link-bar.tsx')).LinkBar)

export interface TerminalScreenProps {
  readonly terminalId: string
  readonly lease: PageLease
  readonly onLeave: () => void
  /** False for the other terminals of a split view. */
  readonly isFocused?: boolean
}

/** The terminal itself. It stays while the connection is lost and continues from a new snapshot afterwards. */
export function TerminalScreen({ terminalId, lease, onLeave, isFocused = true }: TerminalScreenProps) {
  const parent = useRef<HTMLDivElement>(null)
  const live = useSignal<LiveTerminal | null>(null)
  const mayType = mayChange.value
  useEffect(() => {
    const element = parent.current
    if (element === null) return
    let made: LiveTerminal | null = null
    let isOver = false
    // Keys pressed before the emulator is loaded are ignored; above all they are not shortcuts.
    if (isFocused && takesKeys(mayType)) element.focus()
    void import('../terminal/live-terminal.ts').then((module) => {
      if (isOver) return
      made = new module.LiveTerminal(optionsFor(element, terminalId, { mayType, onLeave, lease }))
      live.value = made
      changeScreen(terminalId, { live: made, element })
    })
    return () => {
      isOver = true
      live.value = null
      forgetScreen(terminalId)
      if (findTerminalId.peek() === terminalId) findTerminalId.value = null
      hoveredLink.value = null
      made?.dispose()
    }
  }, [terminalId, mayType, lease])
  const open = client.value
  const drawn = live.value
  useEffect(() => {
    if (!isFocused || drawn === null) return
    if (takesKeys(mayType)) drawn.focus()
    readLinks.value = () => drawn.links.visible()
    return () => {
      readLinks.value = null
    }
  }, [isFocused, drawn])
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
  const screenId = `screen-${terminalId}`
  return (
    <div class={open === null ? 'screen stale' : 'screen'}>
      <div ref={parent} id={screenId} class="screen-room" tabIndex={-1} />
      {drawn !== null && <CommandHeading live={drawn} terminalId={terminalId} />}
      {drawn !== null && <ScrollBar scrollBack={drawn.scrollBack} focus={() => drawn.focus()} screenId={screenId} />}
      {drawn !== null && findTerminalId.value === terminalId && <FindBar terminalId={terminalId} view={drawn} />}
      {hoveredLink.value?.terminalId === terminalId && <LinkBar terminalId={terminalId} />}
      {open === null && <p class="veil">Reconnecting. The terminal keeps running. Your input waits.</p>}
    </div>
  )
}

/** A screen that is touched shows its keyboard only after a touch. */
const takesKeys = (mayType: boolean): boolean => mayType && matchMedia('(hover: hover)').matches

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
    typed: typeInto(terminalId, () => screenOf(terminalId).live?.echo ?? null),
    sized: (size: ViewSize) => changeScreen(terminalId, { size }),
    titled: (title: string) => changeScreen(terminalId, { title }),
    leased: (now: Lease) => lease.seen(now),
    picked: (command: MarkedCommand, asMarkdown: boolean) =>
      void (asMarkdown ? copyAsMarkdown : copyOutput)(terminalId, command),
    copied: (selected: SelectedText | null, asMarkdown: boolean) =>
      void copySelection(terminalId, selected, asMarkdown),
    failed: sayError,
  }
}

/** Copies the selection, or without one the last command and its output. */
async function copySelection(terminalId: string, selected: SelectedText | null, asMarkdown: boolean): Promise<void> {
  const last = screenOf(terminalId).live?.commands.toCopy.peek() ?? null
  if (selected !== null) {
    const done = selected.isCut ? 'Copied the first lines of the selection: it is too long.' : 'Copied the selection.'
    await copyText(asMarkdown ? fenced(selected.text) : selected.text, done)
  } else if (last !== null) await copyAsMarkdown(terminalId, last)
  else say('Nothing is selected, and no command is known.')
}
