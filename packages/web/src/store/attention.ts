/** Notifies a person who is elsewhere that a decision needs them: in the title, by a dot in the icon and by notifications if enabled. */

import type { Need } from '@agentpty/protocol/needs'
import { dueNeeds } from '@agentpty/protocol/overview'
import { effect, signal } from '@preact/signals'
import { systemClock } from '../system-clock.ts'
import { go } from './route.ts'
import { mayChange, needs, wall } from './store.ts'

type Permission = NotificationPermission | 'unsupported'

const now = (): Permission => (typeof Notification === 'undefined' ? 'unsupported' : Notification.permission)

export const permission = signal<Permission>(now())

/** Lets the browser ask the person. Must be called from the click on a button. */
export async function askForNotifications(): Promise<void> {
  permission.value = await Notification.requestPermission()
}

const notifiedMax = 1_000

export function startNotifying(): void {
  const notified = new Set<string>()
  const shown = new Map<string, Notification>()
  const update = () => {
    const open = needs.peek()
    for (const [needId, notification] of shown) {
      if (open.some((one) => one.needId === needId)) continue
      notification.close()
      shown.delete(needId)
    }
    if (permission.peek() !== 'granted' || document.visibilityState === 'visible' || !mayChange.peek()) return
    for (const need of dueNeeds(open, notified, systemClock.wall())) {
      notified.add(need.needId)
      const [oldest] = notified
      if (notified.size > notifiedMax && oldest !== undefined) notified.delete(oldest)
      shown.set(need.needId, notificationOf(need))
    }
  }
  effect(() => {
    void [needs.value, wall.value]
    update()
  })
  effect(() => showDot(needs.value.length > 0))
}

function notificationOf({ needId, title, text }: Need): Notification {
  const notification = new Notification(`${title} needs you`, { body: text.slice(0, 200), tag: needId })
  notification.onclick = () => {
    window.focus()
    go({ room: 'needs', needId })
    notification.close()
  }
  return notification
}

const dot = "%3Ccircle cx='25' cy='7' r='7' fill='%23e0a030'/%3E"
const end = '%3C/svg%3E'

function showDot(isShown: boolean): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (icon === null) return
  const plain = icon.href.replace(dot, '')
  icon.href = isShown ? plain.replace(end, dot + end) : plain
}
