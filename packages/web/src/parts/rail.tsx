import { isAppearanceOpen } from '../store/appearance.ts'
import { isPaletteOpen } from '../store/palette.ts'
import { go, pathOf, type Route, route } from '../store/route.ts'
import { connection, device, needs, rows } from '../store/store.ts'
import { Icon, type IconName } from './icons.tsx'

interface Entry {
  readonly room: Exclude<Route['room'], 'replay'>
  readonly icon: IconName
  readonly label: string
  readonly shortcut: string
}

const entries: readonly Entry[] = [
  { room: 'needs', icon: 'needs', label: 'Needs you', shortcut: 'n' },
  { room: 'agents', icon: 'agents', label: 'Agents', shortcut: 't' },
  { room: 'wall', icon: 'wall', label: 'Wall', shortcut: 'w' },
  { room: 'recordings', icon: 'recordings', label: 'Recordings', shortcut: 'v' },
  { room: 'terminal', icon: 'terminal', label: 'Terminal', shortcut: 'Enter' },
  { room: 'devices', icon: 'devices', label: 'Devices', shortcut: 'd' },
]

/** Returns the route of an entry; null if there is nothing to show. */
export function targetOf(room: Entry['room']): Route | null {
  if (room === 'wall') return { room, terminalId: null }
  if (room === 'recordings') return { room, recordingId: null }
  if (room !== 'terminal') return { room }
  const first = (rows.value ?? []).find(({ state }) => state !== 'exited') ?? rows.value?.[0]
  return first === undefined ? null : { room, terminalId: first.terminalId }
}

/** The entries of the views that this browser may open. */
export function shownEntries(): readonly Entry[] {
  const mayManage = device.value?.access.kind === 'all'
  return entries.filter(({ room }) => mayManage || (room !== 'devices' && room !== 'needs'))
}

export function Rail() {
  return (
    <nav class="rail" aria-label="Views">
      <p class="brand" aria-hidden="true">
        <span class="mark">›_</span>
        <span class="wide">agentpty</span>
      </p>
      <ul>
        {shownEntries().map((entry) => (
          <RailEntry key={entry.room} {...entry} />
        ))}
      </ul>
      <RailButton icon="find" label="Go to" shortcut="Ctrl+K" onClick={() => (isPaletteOpen.value = true)} />
      <RailButton icon="appearance" label="Appearance" shortcut="," onClick={() => (isAppearanceOpen.value = true)} />
      <Status />
    </nav>
  )
}

function RailEntry({ room, icon, label, shortcut }: Entry) {
  const at = route.value
  const isReplay = room === 'terminal' && at.room === 'replay'
  const isHere = at.room === room || isReplay
  // From an open recording, the entry leads back to the list.
  const isSame = isHere && room !== 'recordings'
  const to = isReplay ? { room, terminalId: at.terminalId } : isSame ? at : targetOf(room)
  if (to === null) return null
  const open = room === 'needs' ? needs.value.length : 0
  return (
    <li>
      <a
        href={pathOf(to)}
        aria-current={isHere ? 'page' : undefined}
        aria-keyshortcuts={shortcut}
        onClick={(event) => {
          event.preventDefault()
          go(to)
        }}
      >
        <Icon name={icon} />
        <span class="label">{label}</span>
        {open > 0 && <span class="badge">{open}</span>}
        <kbd class="wide">{shortcut === 'Enter' ? '↵' : shortcut}</kbd>
      </a>
    </li>
  )
}

interface RailButtonProps {
  readonly icon: IconName
  readonly label: string
  readonly shortcut: string
  readonly onClick: () => void
}

function RailButton({ icon, label, shortcut, onClick }: RailButtonProps) {
  return (
    <button
      type="button"
      class={`plain rail-button ${icon}`}
      aria-keyshortcuts={shortcut.replace('Ctrl', 'Control')}
      title={`${label} (${shortcut})`}
      onClick={onClick}
    >
      <Icon name={icon} />
      <span class="label">{label}</span>
      <kbd class="wide">{shortcut}</kbd>
    </button>
  )
}

const words = { connecting: 'Connecting', open: 'Connected', lost: 'Reconnecting', signedOut: 'Signed out' } as const

function Status() {
  const { kind } = connection.value
  return (
    <p class={`status ${kind}`} title={words[kind]}>
      <span class="dot" aria-hidden="true" />
      <span class="wide">{words[kind]}</span>
    </p>
  )
}
