import { nameOf } from '@agentpty/protocol/overview'
import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../parts/icons.tsx'
import { Holder, State } from '../parts/state.tsx'
import { TerminalScreen } from '../rooms/terminal-screen.tsx'
import { useLease } from '../rooms/use-lease.ts'
import { rows } from '../store/store.ts'
import { dragTerminal, terminalIn, terminalType } from './dragged-terminal.ts'
import { type Area, type Divider, type DropPlace, dividersOf, dropPlaceAt, slotsOf } from './layout.ts'
import {
  focusNeighbour,
  focusSlot,
  isSplitting,
  layoutOf,
  leaveSplit,
  moveDivider,
  showInSlot,
  splitWith,
} from './split-views.ts'

export interface SplitViewProps {
  /** The terminal with the focus. */
  readonly terminalId: string
  readonly onLeave: () => void
}

/** The terminals of a split view, or one terminal alone. */
export function SplitView({ terminalId, onLeave }: SplitViewProps) {
  const area = useRef<HTMLDivElement>(null)
  const layout = layoutOf(terminalId)
  const slots = slotsOf(layout)
  useSlotKeys(terminalId, slots.length > 1)
  return (
    <div ref={area} class={slots.length > 1 ? 'slots split' : 'slots'}>
      {slots.map((slot) => (
        <SlotView
          key={slot.terminalId}
          terminalId={slot.terminalId}
          area={slot}
          isAlone={slots.length === 1}
          isFocused={slot.terminalId === terminalId}
          onLeave={onLeave}
        />
      ))}
      {dividersOf(layout).map((divider) => (
        <DividerHandle key={divider.path} terminalId={terminalId} divider={divider} view={area} />
      ))}
    </div>
  )
}

const percent = (share: number): string => `${share * 100}%`

interface SlotViewProps {
  readonly terminalId: string
  readonly area: Area
  readonly isAlone: boolean
  readonly isFocused: boolean
  readonly onLeave: () => void
}

function SlotView({ terminalId, area, isAlone, isFocused, onLeave }: SlotViewProps) {
  const dropPlace = useSignal<DropPlace | null>(null)
  const row = rows.value?.find((one) => one.terminalId === terminalId) ?? null
  const name = row === null ? terminalId : nameOf(row)
  const lease = useLease(terminalId)
  const { left, top, width, height } = area
  return (
    <section
      class={isFocused ? 'slot focused' : 'slot'}
      aria-label={name}
      style={{ left: percent(left), top: percent(top), width: percent(width), height: percent(height) }}
      onFocusCapture={({ target }) => {
        const isScreen = target instanceof Element && target.closest('.screen') !== null
        if (isScreen && !isFocused) focusSlot(terminalId)
      }}
      onDragOver={(event) => {
        if (event.dataTransfer?.types.includes(terminalType) !== true) return
        event.preventDefault()
        const box = event.currentTarget.getBoundingClientRect()
        dropPlace.value = dropPlaceAt((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height)
      }}
      onDragLeave={(event) => {
        const { relatedTarget } = event
        if (!(relatedTarget instanceof Node && event.currentTarget.contains(relatedTarget))) dropPlace.value = null
      }}
      onDrop={(event) => {
        event.preventDefault()
        const { value: place } = dropPlace
        const dropped = terminalIn(event)
        dropPlace.value = null
        if (dropped === null || place === null || dropped === terminalId) return
        if (place === 'inside') showInSlot(terminalId, dropped)
        else splitWith(terminalId, place, dropped)
      }}
    >
      {!isAlone && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the dialog of the split view does the same with the keyboard
        <header class="slot-bar" draggable onDragStart={dragTerminal(terminalId)}>
          <span class="name">{name}</span>
          {row !== null && <State row={row} />}
          {row !== null && <Holder row={row} />}
          <button
            type="button"
            class="plain"
            aria-label={`Remove ${name} from the split view`}
            title="Remove from the split view. The terminal stays open."
            onClick={() => leaveSplit(terminalId)}
          >
            <Icon name="close" />
          </button>
        </header>
      )}
      <div class="slot-screen">
        <TerminalScreen terminalId={terminalId} lease={lease} isFocused={isFocused} onLeave={onLeave} />
      </div>
      {dropPlace.value !== null && <div class={`drop-place ${dropPlace.value}`} />}
    </section>
  )
}

interface DividerHandleProps {
  readonly terminalId: string
  readonly divider: Divider
  readonly view: RefObject<HTMLDivElement | null>
}

/** The share by which an arrow key moves a divider. */
const keyShare = 0.02

function DividerHandle({ terminalId, divider, view }: DividerHandleProps) {
  const { path, direction, share, area } = divider
  const { left, top, width, height } = area
  const isRow = direction === 'row'
  const move = (to: number) => moveDivider(terminalId, path, to)
  const shareAt = (event: PointerEvent) => {
    const box = view.current?.getBoundingClientRect()
    if (box === undefined) return share
    const at = isRow ? (event.clientX - box.left) / box.width : (event.clientY - box.top) / box.height
    return isRow ? (at - left) / width : (at - top) / height
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr cannot be moved
    <div
      class={`divider ${direction}`}
      role="separator"
      tabIndex={0}
      aria-label="Border of two terminals"
      aria-orientation={isRow ? 'vertical' : 'horizontal'}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      title="Drag to resize. A double click gives both sides the same space."
      style={
        isRow
          ? { left: percent(left + width * share), top: percent(top), height: percent(height) }
          : { left: percent(left), top: percent(top + height * share), width: percent(width) }
      }
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && move(shareAt(event))}
      onDblClick={() => move(0.5)}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -keyShare, ArrowUp: -keyShare, ArrowRight: keyShare, ArrowDown: keyShare }[event.key]
        if (step === undefined) return
        event.preventDefault()
        event.stopPropagation()
        move(share + step)
      }}
    />
  )
}

/** Ctrl+Shift+5 asks for a terminal to show beside this one. In a split view, Ctrl+Shift+← and → lead from slot to slot. */
function useSlotKeys(terminalId: string, isSplitView: boolean): void {
  useEffect(() => {
    const over = new AbortController()
    const pressed = (event: KeyboardEvent) => {
      const { code, ctrlKey, shiftKey, altKey, metaKey } = event
      if (!ctrlKey || !shiftKey || altKey || metaKey || document.querySelector('dialog[open]') !== null) return
      const step = code === 'ArrowLeft' ? -1 : code === 'ArrowRight' ? 1 : null
      if (step !== null && isSplitView) focusNeighbour(terminalId, step)
      else if (code === 'Digit5') isSplitting.value = true
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('keydown', pressed, { capture: true, signal: over.signal })
    return () => over.abort()
  }, [terminalId, isSplitView])
}
