/** Tells a person who is elsewhere that something needs them: in the title, by a dot in the icon, and by notifications where they want them. */

import type { Need } from '@agentpty/protocol/needs'
import { dueNeeds } from '@agentpty/protocol/overview'
import { effect, signal } from '@preact/signals'
import { systemClock } from '../system-clock.ts'
import { go } from './route.ts'
import { mayChange, needs, wall } from './store.ts'

type Permission = NotificationPermission | 'unsupported'

const now = (): Permission => (typeof Notification === 'undefined' ? 'unsupported' : Notification.permission)

export const permission = signal<Permission>(now())

/** The browser asks the person; to be called for a button that they have pressed. */
export async function askForNotifications(): Promise<void> {
  permission.value = await Notification.requestPermission()
}

const toldMax = 1_000

export function tellElsewhere(): void {
  const told = new Set<string>()
  const shown = new Map<string, Notification>()
  const tell = () => {
    const open = needs.peek()
    for (const [needId, notification] of shown) {
      if (open.some((one) => one.needId === needId)) continue
      notification.close()
      shown.delete(needId)
    }
    if (permission.peek() !== 'granted' || document.visibilityState === 'visible' || !mayChange.peek()) return
    for (const need of dueNeeds(open, told, systemClock.wall())) {
      told.add(need.needId)
      const [oldest] = told
      if (told.size > toldMax && oldest !== undefined) told.delete(oldest)
      shown.set(need.needId, notificationOf(need))
    }
  }
  effect(() => {
    void [needs.value, wall.value]
    tell()
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
