/** The current view, stored in the address after `#`. Back and forward work, and no server receives it. */

import { computed, signal } from '@preact/signals'
import { isPhone } from '../phone/is-phone.ts'

export type Route =
  | { readonly room: 'needs'; readonly needId?: string }
  | { readonly room: 'agents' }
  /** `at`: the offset of a line of its output that is shown first. */
  | { readonly room: 'terminal'; readonly terminalId: string; readonly at?: number }
  | { readonly room: 'replay'; readonly terminalId: string }
  /** The wall with one terminal next to it; null: the wall alone. */
  | { readonly room: 'wall'; readonly terminalId: string | null }
  /** The recording being played; null: the list. */
  | { readonly room: 'recordings'; readonly recordingId: string | null }
  | { readonly room: 'devices' }

export const route = signal<Route>(read())
/** The terminal that the view is about; null without one. */
export const shownTerminalId = computed(() => ('terminalId' in route.value ? route.value.terminalId : null))

function read(): Route {
  const [, room, id, part] = /^#\/(\w+)(?:\/([\w.@-]+))?(?:\/(\w+))?$/.exec(location.hash) ?? []
  if (room === 'terminal' && id !== undefined && part === 'replay') return { room: 'replay', terminalId: id }
  if (room === 'terminal' && id !== undefined)
    return { room, terminalId: id, ...(/^\d{1,15}$/.test(part ?? '') ? { at: Number(part) } : {}) }
  if (room === 'wall') return { room, terminalId: id ?? null }
  if (room === 'recordings') return { room, recordingId: id ?? null }
  if (room === 'needs') return id === undefined ? { room } : { room, needId: id }
  if (room === 'devices' || room === 'agents') return { room }
  // On a phone, a person most likely wants to see open decisions.
  return { room: isPhone.peek() ? 'needs' : 'agents' }
}

export function pathOf(to: Route): string {
  if (to.room === 'needs' && to.needId !== undefined) return `#/needs/${to.needId}`
  if (to.room === 'recordings' && to.recordingId !== null) return `#/recordings/${to.recordingId}`
  if (to.room === 'replay') return `#/terminal/${to.terminalId}/replay`
  if (to.room === 'terminal' && to.at !== undefined) return `#/terminal/${to.terminalId}/${to.at}`
  return 'terminalId' in to && to.terminalId !== null ? `#/${to.room}/${to.terminalId}` : `#/${to.room}`
}

/** `replaces`: the browser's back button leads past the present view. */
export function go(to: Route, { replaces = false }: { readonly replaces?: boolean } = {}): void {
  if (pathOf(to) !== location.hash) history[replaces ? 'replaceState' : 'pushState'](null, '', pathOf(to))
  route.value = to
}

export function followAddress(): void {
  const changed = () => {
    route.value = read()
  }
  addEventListener('popstate', changed)
  addEventListener('hashchange', changed)
}
