import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { matchingEntries, type PaletteEntry } from '../store/palette.ts'

export interface EntryListProps {
  readonly entries: readonly PaletteEntry[]
  /** The name of the field that filters the list. */
  readonly label: string
  readonly chosen: (entry: PaletteEntry) => void
}

/** A field and the entries that match it. The arrow keys choose, and Enter or a click runs. */
export function EntryList({ entries, label, chosen }: EntryListProps) {
  const typed = useSignal('')
  const index = useSignal(0)
  const shown = matchingEntries(entries, typed.value)
  const at = Math.min(index.value, shown.length - 1)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }), [at])
  const pressed = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const entry = shown[at]
    if (event.key === 'Enter' && entry !== undefined) chosen(entry)
    else if (step !== 0) index.value = (at + step + shown.length) % Math.max(1, shown.length)
    else if (event.key !== 'Enter') return
    event.preventDefault()
  }
  return (
    <>
      <input
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls="palette-entries"
        aria-activedescendant={at < 0 ? undefined : `palette-${at}`}
        placeholder={label}
        autocomplete="off"
        spellcheck={false}
        value={typed.value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value
          index.value = 0
        }}
        onKeyDown={pressed}
      />
      <div ref={list} id="palette-entries" class="palette" role="listbox" aria-label="Entries" tabIndex={-1}>
        {shown.map((entry, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the field, which keeps the focus
          <div
            key={entry.id}
            id={`palette-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === at}
            onClick={() => chosen(entry)}
          >
            <span class="name">{entry.label}</span>
            <span class="quiet">{entry.detail}</span>
            {entry.shortcut !== '' && <kbd>{entry.shortcut}</kbd>}
          </div>
        ))}
      </div>
      {shown.length === 0 && <p class="quiet">Nothing matches.</p>}
    </>
  )
}
