import { nameOf, rowWords } from '@agentpty/protocol/overview'
import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { shownEntries, targetOf } from '../parts/rail.tsx'
import { changeAppearance, isAppearanceOpen, themeChoices, themeWords } from '../store/appearance.ts'
import { isKeyHelpOpen, isPaletteOpen, matchingEntries, type PaletteEntry } from '../store/palette.ts'
import { go } from '../store/route.ts'
import { mayChange, rows } from '../store/store.ts'
import { openTerminal } from './agents.tsx'

/** A list of all views, terminals and actions, filtered by what a person types. */
export function Palette() {
  const typed = useSignal('')
  const index = useSignal(0)
  const actions = useMemo(actionsOfView, [])
  const shown = matchingEntries([...views(), ...actions, ...generalActions(), ...terminals()], typed.value)
  const at = Math.min(index.value, shown.length - 1)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }), [at])
  const close = () => {
    isPaletteOpen.value = false
  }
  const run = (entry: PaletteEntry | undefined) => {
    close()
    // The focus has returned to the page when the entry runs.
    if (entry !== undefined) queueMicrotask(entry.run)
  }
  const pressed = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Enter') run(shown[at])
    else if (step !== 0) index.value = (at + step + shown.length) % Math.max(1, shown.length)
    else return
    event.preventDefault()
  }
  return (
    <Dialog title="Go to" onClose={close}>
      <input
        role="combobox"
        aria-label="View, terminal or action"
        aria-expanded="true"
        aria-controls="palette-entries"
        aria-activedescendant={at < 0 ? undefined : `palette-${at}`}
        placeholder="View, terminal or action"
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
            onClick={() => run(entry)}
          >
            <span class="name">{entry.label}</span>
            <span class="quiet">{entry.detail}</span>
            {entry.shortcut !== '' && <kbd>{entry.shortcut}</kbd>}
          </div>
        ))}
      </div>
      {shown.length === 0 && <p class="quiet">Nothing matches.</p>}
    </Dialog>
  )
}

function views(): readonly PaletteEntry[] {
  return shownEntries().flatMap(({ room, label, shortcut }) => {
    const to = targetOf(room)
    return to === null || room === 'terminal' ? [] : [{ id: room, label, detail: 'view', shortcut, run: () => go(to) }]
  })
}

/** The buttons of the view that is shown: they act on its terminal. */
function actionsOfView(): readonly PaletteEntry[] {
  return [...document.querySelectorAll<HTMLButtonElement>('[role=toolbar] button')].map((button) => {
    const label = button.ariaLabel ?? button.textContent ?? ''
    return { id: `button ${label}`, label, detail: 'this terminal', shortcut: '', run: () => button.click() }
  })
}

function generalActions(): readonly PaletteEntry[] {
  const create = { id: 'new', label: 'New terminal', detail: '', shortcut: 'c', run: () => void openTerminal() }
  const themes = themeChoices.map((theme) => ({
    id: `theme ${theme}`,
    label: `Theme: ${themeWords[theme]}`,
    detail: '',
    shortcut: '',
    run: () => changeAppearance({ theme }),
  }))
  return [
    ...(mayChange.value ? [create] : []),
    { id: 'appearance', label: 'Appearance', detail: '', shortcut: ',', run: () => (isAppearanceOpen.value = true) },
    { id: 'keys', label: 'Keys', detail: '', shortcut: '?', run: () => (isKeyHelpOpen.value = true) },
    ...themes,
  ]
}

function terminals(): readonly PaletteEntry[] {
  return (rows.value ?? []).map((row) => ({
    id: row.terminalId,
    label: nameOf(row),
    detail: `${row.terminalId} · ${rowWords(row)} · ${row.cwd}`,
    shortcut: '',
    run: () => go({ room: 'terminal', terminalId: row.terminalId }),
  }))
}
