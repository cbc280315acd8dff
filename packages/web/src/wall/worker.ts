/** Draws all terminals of the wall over its own connection, separately from the page. */

import type { WireClient } from '@agentpty/protocol/wire'
import { openSocket } from '../session/open-socket.ts'
import { systemClock } from '../system-clock.ts'
import type { ToWorker } from './messages.ts'
import { themeOf } from './run-colors.ts'
import { Tile } from './tile.ts'

const firstWaitMs = 250
const longestWaitMs = 5_000
const growth = 1.7

const tiles = new Map<string, Tile>()
let visible: ReadonlySet<string> = new Set()
let client: WireClient | null = null
let paceMs = 200
let theme = themeOf()
let isWhole = false
let wake = () => {}

/** Aligns frames that are due at nearly the same time, so that the browser composes them in one step. */
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
    case 'connect':
      void connect(message.page)
      break
    case 'add': {
      const { place, canvas } = message
      const tile = new Tile(place, { canvas, theme, due })
      tile.isWhole = isWhole
      tiles.set(place.terminalId, tile)
      follow()
      break
    }
    case 'size':
      tiles.get(message.terminalId)?.size(message.size)
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
    case 'whole':
      isWhole = message.isWhole
      for (const tile of tiles.values()) tile.isWhole = isWhole
      break
    case 'again':
      wake()
      break
  }
}

function follow(): void {
  for (const [terminalId, tile] of tiles) tile.follow(visible.has(terminalId) ? client : null)
}

async function connect(page: string): Promise<never> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(longestWaitMs, waitMs * growth)) {
    // The daemon is not running, or this browser is not signed in; the page reports both.
    const socket = await openSocket({ page, noticed: () => {} }).catch(() => null)
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
