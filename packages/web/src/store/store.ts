/** The state of the page. Views read it and call the daemon through {@link client}. All shared state is here. */

import { build, isTermError } from '@agentpty/protocol'
import type { Need } from '@agentpty/protocol/needs'
import { followOverview, nameOf, type Overview, type Row, treeOf } from '@agentpty/protocol/overview'
import type { OverviewNode } from '@agentpty/protocol/session'
import type { WireClient } from '@agentpty/protocol/wire'
import { batch, computed, effect, signal } from '@preact/signals'
import { Connection, type ConnectionState } from '../session/connection.ts'
import { systemClock } from '../system-clock.ts'
import { approvals, showNeeds } from './cards.ts'
import { followApprovals } from './follow-approvals.ts'
import { route } from './route.ts'

export const connection = signal<ConnectionState>({ kind: 'connecting' })
/** Null until the first list arrives. The last list stays while the connection is lost. */
export const rows = signal<readonly Row[] | null>(null)
/** Groups, agents without a terminal, and annotations that callers set on terminals. */
const nodes = signal<readonly OverviewNode[]>([])
/** Open requests to a person, newest last. */
export const needs = signal<readonly Need[]>([])
export const tree = computed(() => treeOf(rows.value ?? [], nodes.value))
/** Milliseconds since 1970, updated at intervals, for texts such as `3 min ago`. */
export const wall = signal(systemClock.wall())
/** Why this browser was refused; null if it was not. */
export const refusal = signal<string | null>(null)

export const client = computed(() => (connection.value.kind === 'open' ? connection.value.client : null))
export const device = computed(() => (connection.value.kind === 'open' ? connection.value.device : lastDevice))
export const mayChange = computed(() => device.value?.access.kind === 'all')
/** True if the daemon runs another build than this page. */
export const isOutdated = computed(() => connection.value.kind === 'open' && connection.value.build !== build)
/** The terminal in focus; null in other views and once it is closed. */
export const focused = computed(() => {
  const at = route.value
  const isOne = at.room === 'terminal' || at.room === 'replay'
  return isOne ? (rows.value?.find(({ terminalId }) => terminalId === at.terminalId) ?? null) : null
})

let lastDevice: Extract<ConnectionState, { readonly kind: 'open' }>['device'] | null = null

export interface Toast {
  readonly id: number
  readonly text: string
  readonly isError: boolean
}

const toastsMax = 4
const toastMs = 8_000
export const toasts = signal<readonly Toast[]>([])
let lastToast = 0

export function say(text: string, isError = false): void {
  // A message that repeats at every key is shown once.
  if (toasts.peek().some((one) => one.text === text)) return
  const id = ++lastToast
  toasts.value = [...toasts.value, { id, text, isError }].slice(-toastsMax)
  systemClock.callAfter(toastMs, () => dismiss(id))
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id)
}

export function sayError(error: unknown): void {
  say(isTermError(error) ? `${error.message} ${error.hint}` : String(error), true)
}

/** Calls the daemon. On failure, shows the error and returns null. */
export async function attempt<Result>(act: (client: WireClient) => Promise<Result>): Promise<Result | null> {
  const open = client.value
  if (open === null) {
    say('Not connected just now. Nothing was done.', true)
    return null
  }
  try {
    return await act(open)
  } catch (error) {
    sayError(error)
    return null
  }
}

const wallMs = 10_000

/** `replaced`: the previous device of this browser, before it signed in again. */
export function start(replaced: string | null): void {
  const connect = new Connection({
    changed: (state) => {
      if (state.kind === 'open') lastDevice = state.device
      connection.value = state
    },
    noticed: ({ device: { name } }) => say(`A new device has signed in: ${name}. Not yours? Revoke it under Devices.`),
  })
  void connect.run()
  effect(() => {
    const open = client.value
    if (open === null) return
    // The key of that device is gone. If it was revoked already, nothing is left to do.
    if (replaced !== null && mayChange.peek()) open.call('revokeDevice', { deviceId: replaced }).catch(() => {})
    const over = new AbortController()
    const show = (overview: Overview) => {
      batch(() => {
        rows.value = overview.rows
        nodes.value = overview.nodes
        needs.value = overview.needs
        showNeeds(overview.needs)
      })
    }
    if (mayChange.peek()) followApprovals(open, (list) => (approvals.value = list), over.signal).catch(() => {})
    // It ends with the connection, whose loss is reported elsewhere.
    followOverview(open, show, over.signal).catch(() => {})
    return () => over.abort()
  })
  effect(() => {
    const asking = needs.value.length
    const { room } = route.value
    const shown = room === 'terminal' || room === 'replay' ? focused.value && nameOf(focused.value) : null
    document.title = `${asking > 0 ? `(${asking}) ` : ''}${shown == null ? '' : `${shown} – `}agentpty`
  })
  const tick = () => {
    wall.value = systemClock.wall()
    systemClock.callAfter(wallMs, tick)
  }
  tick()
}
