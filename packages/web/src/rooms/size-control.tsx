import type { Size } from '@agentpty/protocol'
import type { Row } from '@agentpty/protocol/overview'
import { type Signal, signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icons.tsx'
import { attempt, client, say, sayError } from '../store/store.ts'
import { systemClock } from '../system-clock.ts'
import { KeptSize } from '../terminal/kept-size.ts'
import { view, viewed } from './terminal-screen.tsx'

/** What draws the terminal where no emulator does: how large the terminal would be if it filled the room. */
export const textRoom = signal<{ readonly element: HTMLElement; readonly fit: () => Size | null } | null>(null)

const usual: readonly Size[] = [
  { cols: 80, rows: 24 },
  { cols: 120, rows: 30 },
]

export interface SizeControlProps {
  readonly terminalId: string
  readonly row: Row
}

/** The size of the program's screen: whose it is, and what may be made of it. Watching never changes it. */
export function SizeControl({ terminalId, row }: SizeControlProps) {
  const isAsked = useSignal(false)
  const isKept = useSignal(false)
  useKeptSize(terminalId, isKept, row.size)
  const size = viewed.value.size ?? row.size
  const words = `${size.cols}×${size.rows}`
  const others = othersOf(row)
  const done = () => {
    isAsked.value = false
    view.value?.focus()
  }
  const give = (to: Size | null) => {
    isKept.value = false
    if (to !== null) void attempt((open) => open.call('resize', { terminalId, ...to }))
    done()
  }
  const label = [`Size ${words}`, others > 0 && othersWords(others), isKept.value && 'kept fitted to you']
  return (
    <>
      <button
        type="button"
        class="plain size"
        aria-label={label.filter(Boolean).join(', ')}
        title="The size of the program’s screen, for all viewers"
        onClick={() => {
          isAsked.value = true
        }}
      >
        <Icon name="fit" />
        <span>{words}</span>
        {others > 0 && <span class="others">+{others}</span>}
        {isKept.value && <span class="kept">fitted</span>}
      </button>
      {isAsked.value && (
        <Dialog title={`The program’s screen is ${words}`} onClose={done}>
          <p>
            {others === 0
              ? 'You are the only viewer.'
              : `${othersWords(others)}: another size is another size for all.`}{' '}
            Watching never changes the size.
          </p>
          <div class="choices column">
            <button type="button" onClick={() => give(fittingSize())}>
              Fit once
            </button>
            <button
              type="button"
              aria-pressed={isKept.value}
              onClick={() => {
                isKept.value = !isKept.value
                done()
              }}
            >
              {isKept.value ? 'Fitted while you watch: give its size back' : 'Keep fitted while I watch'}
            </button>
            {usual.map((one) => (
              <button key={one.cols} type="button" onClick={() => give(one)}>
                {one.cols}×{one.rows}
              </button>
            ))}
            <button type="button" onClick={done}>
              Cancel
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}

/** Besides this page. */
const othersOf = ({ viewers }: Row): number => Math.max(0, viewers - 1)

const othersWords = (count: number): string => (count === 1 ? '1 other viewer' : `${count} other viewers`)

/** How large it would be if it filled the room in letters of the usual size. */
const fittingSize = (): Size | null => textRoom.peek()?.fit() ?? view.peek()?.proposedSize() ?? null

/** While it is kept: follows the room, and ends when nobody looks here any more or somebody else gives it another size. */
function useKeptSize(terminalId: string, isKept: Signal<boolean>, before: Size): void {
  const wants = isKept.value
  useEffect(() => {
    const room = textRoom.peek()?.element ?? document.querySelector('.screen-room')
    if (!wants || room === null) return undefined
    const kept = new KeptSize({
      clock: systemClock,
      before: viewed.peek().size ?? before,
      resize: (size) => {
        const failed = (error: unknown) => {
          sayError(error)
          isKept.value = false
        }
        client
          .peek()
          ?.call('resize', { terminalId, ...size })
          .catch(failed)
      },
      taken: () => {
        isKept.value = false
        say('The terminal was given another size elsewhere: it is not kept fitted to you any more.')
      },
    })
    const follow = () => {
      const size = fittingSize()
      if (size !== null) kept.wanted(size)
    }
    const left = () => {
      isKept.value = false
    }
    const resized = new ResizeObserver(follow)
    resized.observe(room)
    const stopSizes = viewed.subscribe(({ size }) => size !== null && kept.seen(size))
    const over = new AbortController()
    const { signal } = over
    document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && left(), { signal })
    // Before the connection is closed for a page that is put away.
    addEventListener('pagehide', () => kept.end(), { signal, capture: true })
    follow()
    return () => {
      over.abort()
      resized.disconnect()
      stopSizes()
      kept.end()
    }
  }, [wants, terminalId])
}
