import type { Size } from '@agentpty/protocol'
import type { Row } from '@agentpty/protocol/overview'
import { signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icons.tsx'
import { isInSameView, isSplit } from '../split/split-views.ts'
import { shownTerminalId } from '../store/route.ts'
import { screenOf, view, viewed, watchScreen } from '../store/shown-screens.ts'
import { attempt, client, say, sayError } from '../store/store.ts'
import { systemClock } from '../system-clock.ts'
import { FittedSize } from '../terminal/fitted-size.ts'

/** The text view that is shown instead of an emulator. `fit` returns the size of a terminal that fills it. */
export const textRoom = signal<{ readonly element: HTMLElement; readonly fit: () => Size | null } | null>(null)

/** The terminal whose size follows the view; null without one. In a split view, it is the one with the focus. */
const fittedId = signal<string | null>(null)

const usual: readonly Size[] = [
  { cols: 80, rows: 24 },
  { cols: 120, rows: 30 },
]

export interface SizeControlProps {
  readonly terminalId: string
  readonly row: Row
}

/** The size of the program's screen, its viewers and the ways to change it. Watching never changes it. */
export function SizeControl({ terminalId, row }: SizeControlProps) {
  const isAsked = useSignal(false)
  const isFitted = fittedId.value === terminalId
  const keepFitted = (isOn: boolean) => {
    fittedId.value = isOn ? terminalId : null
  }
  useFittedSize(terminalId, isFitted, row.size)
  const size = viewed.value.size ?? row.size
  const words = `${size.cols}×${size.rows}`
  const others = othersOf(row)
  const done = () => {
    isAsked.value = false
    view.value?.focus()
  }
  const give = (to: Size | null) => {
    keepFitted(false)
    if (to !== null) void attempt((open) => open.call('resize', { terminalId, ...to }))
    done()
  }
  const label = [`Size ${words}`, others > 0 && othersWords(others), isFitted && 'fitted to this page']
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
        {isFitted && <span class="kept">fitted</span>}
      </button>
      {isAsked.value && (
        <Dialog title={`The program’s screen is ${words}`} onClose={done}>
          <p>
            {others === 0 ? 'You are the only viewer.' : `${othersWords(others)}: a new size applies to all viewers.`}{' '}
            Watching never changes the size.
          </p>
          <div class="choices column">
            <button type="button" onClick={() => give(fittingSize(terminalId))}>
              Fit once
            </button>
            <button
              type="button"
              aria-pressed={isFitted}
              onClick={() => {
                keepFitted(!isFitted)
                done()
              }}
            >
              {fitWords(isFitted, isSplit(terminalId))}
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

/** The viewers other than this page. */
const othersOf = ({ viewers }: Row): number => Math.max(0, viewers - 1)

const othersWords = (count: number): string => (count === 1 ? '1 other viewer' : `${count} other viewers`)

/** Returns the size that fills the view with letters of the usual size. */
const fittingSize = (terminalId: string): Size | null =>
  textRoom.peek()?.fit() ?? screenOf(terminalId).live?.proposedSize() ?? null

function fitWords(isFitted: boolean, isInSplit: boolean): string {
  if (isFitted) return 'Fitted while you watch: restore the size'
  return isInSplit ? 'Keep the terminal with the focus fitted' : 'Keep fitted while I watch'
}

/** Follows the size of the view. Ends when this page is hidden or another viewer sets another size. */
function useFittedSize(terminalId: string, wants: boolean, before: Size): void {
  useEffect(() => {
    const room = textRoom.peek()?.element ?? screenOf(terminalId).element
    if (!wants || room === null) return undefined
    const end = () => {
      fittedId.value = null
    }
    const fitted = new FittedSize({
      clock: systemClock,
      before: screenOf(terminalId).size ?? before,
      resize: (size) => {
        const failed = (error: unknown) => {
          sayError(error)
          end()
        }
        client
          .peek()
          ?.call('resize', { terminalId, ...size })
          .catch(failed)
      },
      taken: () => {
        end()
        say('The terminal was resized elsewhere. It no longer fits this page automatically.')
      },
    })
    const follow = () => {
      const size = fittingSize(terminalId)
      if (size !== null) fitted.wanted(size)
    }
    const resized = new ResizeObserver(follow)
    resized.observe(room)
    const stopSizes = watchScreen(terminalId, ({ size }) => size !== null && fitted.seen(size))
    const over = new AbortController()
    const { signal: isOver } = over
    document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && end(), {
      signal: isOver,
    })
    // Runs before the browser closes the connection of a page put into its cache.
    addEventListener('pagehide', () => fitted.end(), { signal: isOver, capture: true })
    follow()
    return () => {
      over.abort()
      resized.disconnect()
      stopSizes()
      fitted.end()
    }
  }, [wants, terminalId])
  // The fit goes along with the focus, but not out of the split view.
  useEffect(
    () => () => {
      const next = shownTerminalId.peek()
      if (fittedId.peek() === terminalId) fittedId.value = next !== null && isInSameView(terminalId, next) ? next : null
    },
    [terminalId],
  )
}
