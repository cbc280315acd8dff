import { isTermError } from '@agentpty/protocol'
import { nameOf, type Row } from '@agentpty/protocol/overview'
import { type Signal, signal, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { findTerminalId } from '../../find/find-state.ts'
import { type Modifiers, noModifiers } from '../../phone/key-bytes.ts'
import { followRows, type ShownRows } from '../../phone/row-feed.ts'
import { changeScreen, forgetScreen } from '../../store/shown-screens.ts'
import { client, mayChange, sayError } from '../../store/store.ts'
import { nextFrame } from '../../system-clock.ts'
import type { PageLease } from '../../terminal/page-lease.ts'
import { TerminalScreen } from '../terminal-screen.tsx'
import { typeInto } from '../type-into.ts'
import { KeyBar } from './key-bar.tsx'
import { LineEditor } from './line-editor.tsx'
import { TextScreen } from './text-screen.tsx'

/** True if the person chose the full emulator. */
const isFull = signal(false)
/** Wraps lines that are wider than the phone. Off for the alternate screen, whose columns wrapping would break. */
const wrapsLines = { usual: signal(true), alternate: signal(false) }
/** True while the shown program uses the alternate screen. */
const isAlternate = signal(false)
const isWrapped = (): Signal<boolean> => wrapsLines[isAlternate.value ? 'alternate' : 'usual']

export interface PhoneTerminalProps {
  readonly terminalId: string
  readonly row: Row | null
  readonly lease: PageLease
  readonly onLeave: () => void
}

/** A terminal on a phone: its screen as text, a bar of keys, and a field for lines. */
export function PhoneTerminal({ terminalId, row, lease, onLeave }: PhoneTerminalProps) {
  const shown = useSignal<ShownRows | null>(null)
  const asksSecret = useSignal(false)
  const held = useSignal<Modifiers>(noModifiers)
  const type = useMemo(() => typeInto(terminalId), [terminalId])
  useRows(terminalId, { row, lease, shown, asksSecret })
  const finds = findTerminalId.value === terminalId
  // Only the full terminal shows all kept output. It stays when the find bar closes, with the place that was found.
  useEffect(() => {
    if (finds) isFull.value = true
  }, [finds])
  const mayType = mayChange.value && row?.state !== 'exited'
  return (
    <>
      {isFull.value ? (
        <TerminalScreen terminalId={terminalId} lease={lease} onLeave={onLeave} />
      ) : (
        <TextScreen
          key={terminalId}
          terminalId={terminalId}
          name={row === null ? terminalId : nameOf(row)}
          shown={shown.value}
          isWrapped={isWrapped().value}
          isDrawn={isAlternate.value && !isWrapped().value}
        />
      )}
      {mayType && <KeyBar held={held} modes={shown.value?.modes ?? []} type={type} />}
      {mayType && <LineEditor terminalId={terminalId} held={held} type={type} isSecret={asksSecret.value} />}
    </>
  )
}

/** The buttons that choose how a phone shows the terminal. */
export function PhoneViews() {
  return (
    <div class="phone-views">
      {!isFull.value && (
        <button
          type="button"
          class="chip"
          aria-pressed={isWrapped().value}
          onClick={() => {
            const wraps = isWrapped()
            wraps.value = !wraps.value
          }}
        >
          Wrap
        </button>
      )}
      <button
        type="button"
        class="chip"
        aria-pressed={isFull.value}
        onClick={() => {
          isFull.value = !isFull.value
        }}
      >
        Full terminal
      </button>
    </div>
  )
}

interface RowsParts {
  readonly row: Row | null
  readonly lease: PageLease
  readonly shown: Signal<ShownRows | null>
  readonly asksSecret: Signal<boolean>
}

const usualSize = { cols: 120, rows: 30 }

function useRows(terminalId: string, { row, lease, shown, asksSecret }: RowsParts): void {
  const open = client.value
  const isKnown = row !== null
  useMemo(() => {
    shown.value = null
    asksSecret.value = false
    isAlternate.value = false
  }, [terminalId])
  useEffect(() => {
    if (open === null || !isKnown) return
    const over = new AbortController()
    const parts = {
      terminalId,
      size: row?.size ?? usualSize,
      drawn: nextFrame,
      leased: (now: Parameters<PageLease['seen']>[0]) => lease.seen(now),
      turned: ({ state, kind }: { readonly state: string; readonly kind: string | null }) => {
        asksSecret.value = state === 'ready' && kind === 'password'
      },
      shown: (rows: ShownRows) => {
        shown.value = rows
        isAlternate.value = rows.isAlternate
        if (!isFull.peek()) changeScreen(terminalId, { size: rows.size, title: rows.title })
      },
    }
    followRows(open, parts, over.signal).catch((error: unknown) => {
      // A lost connection is reported and retried elsewhere.
      const isLost = isTermError(error) && error.code === 'daemon_gone'
      if (!over.signal.aborted && !isLost) sayError(error)
    })
    return () => over.abort()
  }, [open, terminalId, isKnown, lease])
  useEffect(() => () => forgetScreen(terminalId), [terminalId])
}
