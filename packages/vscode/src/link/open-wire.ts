/** How a window reaches a daemon: on its own machine by the socket, on another one by its address. */

import type { WireClient } from '../../../agentpty/src/faces/wire/wire-client.ts'

export type OpenWire = WireClient & {
  /** Resolves when there is no connection any more. */
  readonly ended: Promise<void>
}
