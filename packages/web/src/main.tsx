/** The page: signs this browser in if the address has a code, then shows the views. */

import './style.css'
import '@xterm/xterm/css/xterm.css'
import { render } from 'preact'
import { lazy } from './parts/lazy.tsx'
import { Live } from './parts/live.tsx'
import { Rail } from './parts/rail.tsx'
import { Toasts } from './parts/toasts.tsx'
import { followVisibleArea } from './phone/visible-area.ts'
import { startPush } from './push/start-push.ts'
import { AgentsRoom } from './rooms/agents.tsx'
import { NeedsRoom } from './rooms/needs.tsx'
import { TerminalRoom } from './rooms/terminal.tsx'
import { signIn, takeCode } from './session/sign-in.ts'
import { listenToShortcuts } from './shortcuts.ts'
import { isAppearanceOpen, startAppearance } from './store/appearance.ts'
import { startNotifying } from './store/attention.ts'
import { isKeyHelpOpen, isPaletteOpen } from './store/palette.ts'
import { followAddress, route } from './store/route.ts'
import { connection, device, isOutdated, refusal, start } from './store/store.ts'

const AppearanceDialog = lazy(async () => (await import('./rooms/appearance-dialog.tsx')).AppearanceDialog)
const DevicesRoom = lazy(async () => (await import('./rooms/devices.tsx')).DevicesRoom)
const ReplayRoom = lazy(async () => (await import('./rooms/replay.tsx')).ReplayRoom)
const KeyHelp = lazy(async () => (await import('./parts/key-help.tsx')).KeyHelp)
const Palette = lazy(async () => (await import('./rooms/palette.tsx')).Palette)
const RecordingsRoom = lazy(async () => (await import('./rooms/recordings.tsx')).RecordingsRoom)
const RecordingRoom = lazy(async () => (await import('./rooms/recording.tsx')).RecordingRoom)
const SignedOut = lazy(async () => (await import('./rooms/signed-out.tsx')).SignedOut)
const WallRoom = lazy(async () => (await import('./rooms/wall.tsx')).WallRoom)

function Page() {
  const { kind } = connection.value
  if (kind === 'signedOut') return <SignedOut />
  return (
    <div class="page">
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <Rail />
      <div class="content" id="main" tabIndex={-1}>
        <Notices />
        <Room />
      </div>
      {isKeyHelpOpen.value && <KeyHelp />}
      {isPaletteOpen.value && <Palette />}
      {isAppearanceOpen.value && <AppearanceDialog />}
      <Toasts />
      <Live />
    </div>
  )
}

function Notices() {
  const access = device.value?.access
  return (
    <>
      {isOutdated.value && (
        <p class="notice">
          agentpty was updated.{' '}
          <button type="button" onClick={() => location.reload()}>
            Load the new page
          </button>
        </p>
      )}
      {access?.kind === 'view' && (
        <p class="notice">Read-only: you can watch {access.terminalId ?? 'all terminals'}, but not change anything.</p>
      )}
    </>
  )
}

function Room() {
  const at = route.value
  if (at.room === 'wall') return <WallRoom terminalId={at.terminalId} />
  if (at.room === 'replay') return <ReplayRoom terminalId={at.terminalId} />
  if (at.room === 'terminal') return <TerminalRoom terminalId={at.terminalId} />
  if (at.room === 'recordings')
    return at.recordingId === null ? <RecordingsRoom /> : <RecordingRoom recordingId={at.recordingId} />
  if (at.room === 'needs' && device.value?.access.kind !== 'view') return <NeedsRoom needId={at.needId ?? null} />
  return at.room === 'devices' ? <DevicesRoom /> : <AgentsRoom />
}

const notAsked = { refusal: null, replaced: null }
const code = takeCode()
const { refusal: refused, replaced } = code === null ? notAsked : await signIn(code)
refusal.value = refused
startAppearance()
followAddress()
followVisibleArea()
listenToShortcuts()
start(replaced)
startNotifying()
startPush()
render(<Page />, document.body)
