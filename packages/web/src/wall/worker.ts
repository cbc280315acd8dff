/** Draws all terminals of the wall, over a connection of its own, so that the page has nothing to do with it. */

import type { WireClient } from '@agentpty/protocol/wire'
import { openSocket } from '../session/open-socket.ts'
import { systemClock } from '../system-clock.ts'
import type { ToWorker } from './messages.ts'
import type { Theme } from './run-colors.ts'
import { Tile } from './tile.ts'

const [firstWaitMs, longestWaitMs, growth] = [250, 5_000, 1.7]

const tiles = new Map<string, Tile>()
let visible: ReadonlySet<string> = new Set()
let client: WireClient | null = null
let paceMs = 200
let theme: Theme = { background: '#000', foreground: '#fff', cursor: '#fff', palette: [] }
let wake = () => {}

/** Tiles whose frames are due at nearly the same time get them together: the browser puts the picture together once for all of them. */
const stepMs = 50

const due = () =>
  new Promise<void>((resolve) => {
    const at = Math.ceil((systemClock.now() + paceMs) / stepMs) * stepMs
    systemClock.callAt(at, resolve)
  })

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  take(data)
})

function take(message: ToWorker): void {
  switch (message.kind) {
    case 'add': {
      const { place, canvas } = message
      tiles.set(place.terminalId, new Tile(place, { canvas, theme, due }))
      follow()
      break
    }
    case 'size':
      tiles.get(message.terminalId)?.size(message.width, message.height)
      break
    case 'remove':
      tiles.get(message.terminalId)?.follow(null)
      tiles.delete(message.terminalId)
      break
    case 'visible':
      visible = new Set(message.terminalIds)
      follow()
      break
    case 'pace':
      paceMs = message.ms
      break
    case 'theme':
      theme = message.theme
      for (const tile of tiles.values()) tile.theme = theme
      break
    case 'again':
      wake()
      break
  }
}

function follow(): void {
  for (const [terminalId, tile] of tiles) tile.follow(visible.has(terminalId) ? client : null)
}

async function connect(): Promise<never> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(longestWaitMs, waitMs * growth)) {
    // Nobody listens there just now, or this browser is not signed in: the page says so.
    const socket = await openSocket(() => {}).catch(() => null)
    if (socket !== null) {
      waitMs = firstWaitMs
      client = socket.client
      follow()
      await socket.closed
      client = null
      follow()
    }
    await new Promise<void>((resolve) => {
      const stop = systemClock.callAfter(waitMs, resolve)
      wake = () => {
        stop()
        waitMs = firstWaitMs
        resolve()
      }
    })
  }
}

void connect()
