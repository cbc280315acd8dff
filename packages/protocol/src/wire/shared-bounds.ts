/** What all connections of a daemon have in common, those over its socket and those over HTTP: one process holds and does it all. */

import type { Socket } from 'node:net'

export interface SharedBounds {
  /** What all of them hold for clients that do not read. */
  readonly unsent: {
    add(socket: Socket): void
    /** Called when one holds much. */
    bound(): void
  }
  /** How many calls are begun at once. */
  readonly gate: {
    readonly isFull: boolean
    /** A call begins; returns a function to call when it is over. */
    enter(): () => void
    /** Calls when another one may begin. */
    wait(call: () => void): void
  }
}
