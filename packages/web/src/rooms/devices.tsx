import type { ListedDevice } from '@agentpty/protocol/page'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { pushes } from '../store/attention.ts'
import { attempt, client, device as own, say, toasts, wall } from '../store/store.ts'
import { agoWords, untilWords } from '../system-clock.ts'
import { PushSettings } from './push-settings.tsx'

/** The browsers that may open this page. */
export function DevicesRoom() {
  const devices = useSignal<readonly ListedDevice[] | null>(null)
  const load = async () => {
    const found = await attempt((open) => open.call('devices', {}))
    if (found !== null) devices.value = found.devices
  }
  // A toast announces a new device, so the list is loaded again.
  useEffect(() => {
    if (client.value !== null) void load()
  }, [client.value, toasts.value, pushes.value])
  const revoke = async ({ deviceId, name }: ListedDevice) => {
    const done = await attempt((open) => open.call('revokeDevice', { deviceId }))
    if (done !== null) say(`${name} is signed out.`)
    if (done !== null && deviceId !== own.value?.deviceId) await load()
  }
  return (
    <main class="room" aria-labelledby="devices-title">
      <header class="bar">
        <h1 id="devices-title">Devices</h1>
        <span class="count">{devices.value === null ? '' : `${devices.value.length} signed in`}</span>
      </header>
      <p class="lead">
        Browsers that may open this page. Each has its own key, which never leaves it. Sign a new one in with{' '}
        <code>agentpty open</code>, or <code>agentpty open --read-only</code> for one that can only watch.
      </p>
      <PushSettings />
      <ul class="rows">
        {(devices.value ?? []).toReversed().map((one) => (
          <DeviceRow key={one.deviceId} device={one} onRevoke={() => void revoke(one)} />
        ))}
      </ul>
    </main>
  )
}

function DeviceRow({ device, onRevoke }: { readonly device: ListedDevice; readonly onRevoke: () => void }) {
  const { deviceId, name, access, createdAt, seenAt, expiresAt, push } = device
  const isOwn = deviceId === own.value?.deviceId
  const may = access.kind === 'all' ? 'everything' : `watches ${access.terminalId ?? 'all terminals'}`
  return (
    <li class="row device">
      <div>
        <div class="about">
          <span class="name">{name}</span>
          {isOwn && <span class="tag">this browser</span>}
          {push !== undefined && <span class="tag">gets notifications</span>}
          <span class="command">
            {may}
            {expiresAt !== null && ` ${untilWords(expiresAt, wall.value)}`}
          </span>
          <span class="where">
            signed in {agoWords(createdAt, wall.value)}, seen {isOwn ? 'now' : agoWords(seenAt, wall.value)}
          </span>
        </div>
        <button type="button" class="danger" aria-label={`${isOwn ? 'Sign out' : 'Revoke'} ${name}`} onClick={onRevoke}>
          {isOwn ? 'Sign out' : 'Revoke'}
        </button>
      </div>
    </li>
  )
}
