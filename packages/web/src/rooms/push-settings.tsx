import type { PushWording } from '@agentpty/protocol/page'
import { useSignal } from '@preact/signals'
import { type Obstacle, obstacle, turnOff, turnOn } from '../push/push.ts'
import { pushes } from '../store/attention.ts'
import { attempt, say } from '../store/store.ts'

const obstacleWords: Readonly<Record<Exclude<Obstacle, null>, string>> = {
  insecure:
    'This address has no HTTPS, so the browser allows no notifications. docs/notifications.md says how to get HTTPS.',
  unsupported:
    'This browser has no push notifications here. On an iPhone or iPad, add this page to the home screen first, and open it from there.',
  blocked: 'Notifications of this page are blocked in your browser’s settings.',
}

const wordings: readonly (readonly [PushWording, string])[] = [
  ['brief', 'Only that something waits for you'],
  ['sentence', 'Also which terminal, and its question'],
]

/** Push notifications of this browser: the switch, the words that are sent, and a test. */
export function PushSettings() {
  const chosen = useSignal<PushWording>(pushes.value ?? 'brief')
  const isTesting = useSignal(false)
  /** The state that a change leads to; null: no change is on its way. */
  const wanted = useSignal<{ readonly isOn: boolean; readonly wording: PushWording } | null>(null)
  const isOn = pushes.value !== null
  const shown = wanted.value ?? { isOn, wording: pushes.value ?? chosen.value }
  const isBusy = wanted.value !== null
  const hinders = obstacle()
  const set = async (on: boolean, wording: PushWording) => {
    wanted.value = { isOn: on, wording }
    await attempt((client) => (on ? turnOn(client, wording) : turnOff(client)))
    wanted.value = null
  }
  const choose = (wording: PushWording) => {
    chosen.value = wording
    if (isOn) void set(true, wording)
  }
  const test = async () => {
    isTesting.value = true
    const done = await attempt((client) => client.call('testPush', {}))
    isTesting.value = false
    if (done !== null) say('The test was sent. The notification can take some seconds.')
  }
  return (
    <section class="push" aria-labelledby="push-title">
      <h2 id="push-title">Notifications on this device</h2>
      {hinders !== null && !isOn ? (
        <p class="quiet">{obstacleWords[hinders]}</p>
      ) : (
        <>
          <label class="check">
            <input
              type="checkbox"
              role="switch"
              aria-checked={shown.isOn}
              checked={shown.isOn}
              disabled={isBusy}
              onChange={({ currentTarget }) => void set(currentTarget.checked, shown.wording)}
            />
            Notify this device, also while the page is closed
          </label>
          <p class="quiet">
            When something has waited for you for some seconds, the daemon sends a message. The push service of the
            browser’s vendor forwards it encrypted, and cannot read it. Nothing is answered from a notification.
          </p>
          <fieldset disabled={isBusy}>
            <legend>The message says</legend>
            {wordings.map(([value, label]) => (
              <label key={value} class="check">
                <input
                  type="radio"
                  name="wording"
                  value={value}
                  checked={shown.wording === value}
                  onChange={() => choose(value)}
                />
                {label}
              </label>
            ))}
          </fieldset>
          {isOn && (
            <p>
              <button type="button" disabled={isBusy || isTesting.value} onClick={() => void test()}>
                Send a test notification
              </button>
            </p>
          )}
        </>
      )}
    </section>
  )
}
