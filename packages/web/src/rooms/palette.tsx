import { nameOf, rowWords } from '@agentpty/protocol/overview'
import { useMemo } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { EntryList } from '../parts/entry-list.tsx'
import { shownEntries, targetOf } from '../parts/rail.tsx'
import { arrangements } from '../split/choose-terminal.tsx'
import { arrangeView, isSplit } from '../split/split-views.ts'
import { changeAppearance, isAppearanceOpen, themeChoices, themeWords } from '../store/appearance.ts'
import { isKeyHelpOpen, isPaletteOpen, type PaletteEntry } from '../store/palette.ts'
import { go, route, shownTerminalId } from '../store/route.ts'
import { mayChange, rows } from '../store/store.ts'
import { openTerminal } from './agents.tsx'

/** A list of all views, terminals and actions, filtered by what a person types. */
export function Palette() {
  const actions = useMemo(actionsOfView, [])
  const close = () => {
    isPaletteOpen.value = false
  }
  return (
    <Dialog title="Go to" onClose={close}>
      <EntryList
        label="View, terminal or action"
        entries={[...views(), ...actions, ...generalActions(), ...terminals()]}
        chosen={(entry) => {
          close()
          // The focus has returned to the page when the entry runs.
          queueMicrotask(entry.run)
        }}
      />
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
    ...arrangementsOfView(),
    { id: 'appearance', label: 'Appearance', detail: '', shortcut: ',', run: () => (isAppearanceOpen.value = true) },
    { id: 'keys', label: 'Keys', detail: '', shortcut: '?', run: () => (isKeyHelpOpen.value = true) },
    ...themes,
  ]
}

/** The arrangements of the split view that is shown. */
function arrangementsOfView(): readonly PaletteEntry[] {
  const { value: terminalId } = shownTerminalId
  if (route.value.room !== 'terminal' || terminalId === null || !isSplit(terminalId)) return []
  return arrangements.map(([arrangement, label]) => ({
    id: `arrange ${arrangement}`,
    label: `Split view: ${label.toLowerCase()}`,
    detail: 'same space for all terminals',
    shortcut: '',
    run: () => arrangeView(terminalId, arrangement),
  }))
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
