/** Notifies a person who is elsewhere that a decision needs them: in the title, by a dot in the icon and by notifications if enabled. */

import type { Need } from '@agentpty/protocol/needs'
import { dueNeeds } from '@agentpty/protocol/overview'
import type { PushWording } from '@agentpty/protocol/page'
import { effect, signal } from '@preact/signals'
import { systemClock } from '../system-clock.ts'
import { go } from './route.ts'
import { mayChange, needs, wall } from './store.ts'

type Permission = NotificationPermission | 'unsupported'

const now = (): Permission => (typeof Notification === 'undefined' ? 'unsupported' : Notification.permission)

export const permission = signal<Permission>(now())
/** The push notifications that this browser gets; null: none. They replace those of the open page. */
export const pushes = signal<PushWording | null>(null)

/** An installed page runs in a window of its own, without an address bar. */
export const isInstalled = (): boolean => matchMedia('(display-mode: standalone)').matches

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
    const isElsewhere = document.visibilityState !== 'visible' && pushes.peek() === null
    if (permission.peek() !== 'granted' || !isElsewhere || !mayChange.peek()) return
    for (const need of dueNeeds(open, notified, systemClock.wall())) {
      notified.add(need.needId)
      const [oldest] = notified
      if (notified.size > notifiedMax && oldest !== undefined) notified.delete(oldest)
      const notification = notificationOf(need)
      if (notification !== null) shown.set(need.needId, notification)
    }
  }
  effect(() => {
    void [needs.value, wall.value]
    update()
  })
  effect(() => showDot(needs.value.length > 0))
}

/** Null where the browser lets only a service worker notify, as on Android. */
function notificationOf({ needId, title, text }: Need): Notification | null {
  const notification = madeNotification(`${title} needs you`, { body: text.slice(0, 200), tag: needId })
  if (notification === null) return null
  notification.onclick = () => {
    window.focus()
    go({ room: 'needs', needId })
    notification.close()
  }
  return notification
}

function madeNotification(title: string, options: NotificationOptions): Notification | null {
  try {
    return new Notification(title, options)
  } catch {
    // Chromium on Android throws here; push notifications work there.
    return null
  }
}

const dot = "%3Ccircle cx='25' cy='7' r='7' fill='%23e0a030'/%3E"
const end = '%3C/svg%3E'

function showDot(isShown: boolean): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (icon === null) return
  const plain = icon.href.replace(dot, '')
  icon.href = isShown ? plain.replace(end, dot + end) : plain
}
