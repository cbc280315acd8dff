import { nameOf, type Row } from '@agentpty/protocol/overview'
import { signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { attempt } from '../store/store.ts'
import { copyText } from './copy-output.ts'

/** The terminal whose screen is shown as text; null for none. */
export const readTerminalId = signal<string | null>(null)

export function readScreen(terminalId: string): void {
  readTerminalId.value = terminalId
}

const scrollbackLines = 1_000

interface ReadText {
  readonly text: string
  /** Describes the position of the cursor and its line. */
  readonly cursor: string
}

export async function textOf(terminalId: string, lines: number): Promise<ReadText | null> {
  const read = await attempt((client) => client.call('screenshot', { terminalId, format: 'plain', lines }))
  if (read === null) return null
  const { screen, scrollbackRows = 0, cursorRow, cursorCol } = read
  const rows = screen.split('\n')
  const line = rows[scrollbackRows + cursorRow]?.trim() ?? ''
  const at = scrollbackRows + cursorRow + 1
  return {
    text: `${screen.trimEnd()}\n`,
    cursor: `The cursor is in line ${at}, column ${cursorCol + 1}: ${line === '' ? 'an empty line' : line}`,
  }
}

export interface ReadScreenProps {
  readonly terminalId: string
  readonly row: Row | null
  readonly onDone: () => void
}

/** A terminal's screen as plain text for screen readers. It updates on request and at the start of the person's turn. */
export function ReadScreen({ terminalId, row, onDone }: ReadScreenProps) {
  const read = useSignal<ReadText | null>(null)
  const isWhole = useSignal(false)
  const element = useRef<HTMLPreElement>(null)
  const refresh = async () => {
    const now = await textOf(terminalId, isWhole.peek() ? scrollbackLines : 0)
    if (now !== null) read.value = now
  }
  const isBusy = row?.state === 'busy'
  useEffect(() => {
    // A busy program changes its screen; updating would move the text under the reader.
    if (!isBusy || read.peek() === null) void refresh()
  }, [terminalId, isBusy, row?.state])
  const isThere = read.value !== null
  useEffect(() => {
    if (isThere) element.current?.focus()
  }, [isThere])
  return (
    <Dialog title={`Screen of ${row === null ? terminalId : nameOf(row)}`} onClose={onDone} isWide>
      <p class="read-cursor" role="status">
        {read.value?.cursor ?? 'Reading.'}
      </p>
      <pre
        ref={element}
        class="text"
        role="document"
        aria-label="Screen text"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it
        tabIndex={0}
      >
        {read.value?.text ?? ''}
      </pre>
      <div class="choices">
        <label class="check">
          <input
            type="checkbox"
            checked={isWhole.value}
            onChange={(event) => {
              isWhole.value = event.currentTarget.checked
              void refresh()
            }}
          />
          Include the scrollback
        </label>
        <button type="button" onClick={() => void refresh()}>
          Refresh
        </button>
        <button type="button" onClick={() => void copyText(read.value?.text ?? '')}>
          Copy
        </button>
        <button type="button" class="main" onClick={onDone}>
          Done
        </button>
      </div>
    </Dialog>
  )
}

/** Registers the key in a terminal, where single keys go to the program. */
export function useReadKey(terminalId: string): void {
  useEffect(() => {
    const over = new AbortController()
    const pressed = (event: KeyboardEvent) => {
      const { code, ctrlKey, shiftKey, altKey, metaKey } = event
      if (!ctrlKey || !shiftKey || altKey || metaKey || code !== 'KeyL') return
      event.preventDefault()
      event.stopPropagation()
      readScreen(terminalId)
    }
    document.addEventListener('keydown', pressed, { capture: true, signal: over.signal })
    return () => over.abort()
  }, [terminalId])
}
