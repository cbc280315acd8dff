import { isAppearanceOpen } from '../store/appearance.ts'
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

export function Rail() {
  const mayManage = device.value?.access.kind === 'all'
  return (
    <nav class="rail" aria-label="Views">
      <p class="brand" aria-hidden="true">
        <span class="mark">›_</span>
        <span class="wide">agentpty</span>
      </p>
      <ul>
        {entries
          .filter(({ room }) => mayManage || (room !== 'devices' && room !== 'needs'))
          .map((entry) => (
            <RailEntry key={entry.room} {...entry} />
          ))}
      </ul>
      <AppearanceButton />
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

function AppearanceButton() {
  return (
    <button
      type="button"
      class="plain rail-button"
      aria-keyshortcuts=","
      title="Theme of the page, font of terminals (,)"
      onClick={() => (isAppearanceOpen.value = true)}
    >
      <Icon name="appearance" />
      <span class="label">Appearance</span>
      <kbd class="wide">,</kbd>
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
