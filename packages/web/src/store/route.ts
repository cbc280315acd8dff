/** Which room is shown, in the address behind its `#`: back and forward work, and no server is told. */

import { signal } from '@preact/signals'

export type Route =
  | { readonly room: 'needs'; readonly needId?: string }
  | { readonly room: 'agents' }
  | { readonly room: 'terminal'; readonly terminalId: string }
  /** With a terminal beside it; null: alone. */
  | { readonly room: 'wall'; readonly terminalId: string | null }
  | { readonly room: 'devices' }

export const route = signal<Route>(read())

function read(): Route {
  const [, room, id] = /^#\/(\w+)(?:\/([\w.@-]+))?$/.exec(location.hash) ?? []
  if (room === 'terminal' && id !== undefined) return { room, terminalId: id }
  if (room === 'wall') return { room, terminalId: id ?? null }
  if (room === 'needs') return id === undefined ? { room } : { room, needId: id }
  return room === 'devices' ? { room } : { room: 'agents' }
}

export function pathOf(to: Route): string {
  if (to.room === 'needs' && to.needId !== undefined) return `#/needs/${to.needId}`
  return 'terminalId' in to && to.terminalId !== null ? `#/${to.room}/${to.terminalId}` : `#/${to.room}`
}

export function go(to: Route): void {
  if (pathOf(to) !== location.hash) history.pushState(null, '', pathOf(to))
  route.value = to
}

export function followAddress(): void {
  const changed = () => {
    route.value = read()
  }
  addEventListener('popstate', changed)
  addEventListener('hashchange', changed)
}
