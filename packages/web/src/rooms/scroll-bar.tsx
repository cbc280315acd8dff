import { useRef } from 'preact/hooks'
import type { ScrollBack } from '../scroll-back/scroll-back.ts'

export interface ScrollBarProps {
  readonly scrollBack: ScrollBack
  readonly focus: () => void
  /** The id of the element that it scrolls. */
  readonly screenId: string
}

/** The place of the visible rows in all kept output, to drag, and the way back to the newest. */
export function ScrollBar({ scrollBack, focus, screenId }: ScrollBarProps) {
  const track = useRef<HTMLDivElement>(null)
  const dragged = useRef<number | null>(null)
  const place = scrollBack.place.value
  if (place === null) return null
  const { top, size, isAway, newLines } = place
  const height = Math.max(size, thumbShareMin)
  // A thumb that is larger than its share must still reach both ends.
  const at = size >= 1 ? 0 : (top / (1 - size)) * (1 - height)
  const shareAt = (clientY: number) => {
    const box = track.current?.getBoundingClientRect()
    return box === undefined ? 0 : (clientY - box.top) / box.height
  }
  const moveTo = (share: number) =>
    void scrollBack.goToShare(Math.max(0, (share - (dragged.current ?? 0)) / (1 - height)) * (1 - size))
  return (
    <>
      <div
        ref={track}
        class="scroll-track"
        role="scrollbar"
        // The terminal's own keys scroll it.
        tabIndex={-1}
        aria-label="Place in the kept output"
        aria-controls={screenId}
        aria-orientation="vertical"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(size >= 1 ? 100 : (top / (1 - size)) * 100)}
        onPointerDown={(event) => {
          event.preventDefault()
          event.currentTarget.setPointerCapture(event.pointerId)
          const share = shareAt(event.clientY)
          const isThumb = share >= at && share <= at + height
          dragged.current = isThumb ? share - at : height / 2
          if (!isThumb) moveTo(share)
        }}
        onPointerMove={(event) => dragged.current !== null && moveTo(shareAt(event.clientY))}
        onLostPointerCapture={() => {
          dragged.current = null
          focus()
        }}
      >
        <div class="scroll-thumb" style={{ top: `${at * 100}%`, height: `${height * 100}%` }} />
      </div>
      {isAway && (
        <button
          type="button"
          class="newest-output"
          onClick={() => {
            scrollBack.toNewest()
            focus()
          }}
        >
          ↓ newest{newLines > 0 && ` (${newLines === 1 ? '1 new line' : `${newLines.toLocaleString('en')} new lines`})`}
        </button>
      )}
    </>
  )
}

/** A smaller thumb is hard to hit. */
const thumbShareMin = 0.04
