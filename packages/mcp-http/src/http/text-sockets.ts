/**
 * WebSockets for programs that have brought the token: messages of text come in and go out, and whoever opens one is told when it ends.
 * What breaks the protocol closes its own connection, and harms nobody else.
 */

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { messageBytesMax } from '@agentpty/protocol'
import type { Carrier } from '@agentpty/protocol/wire'
import { type WebSocket, WebSocketServer } from 'ws'

export interface TextHandlers {
  readonly message: (text: string) => void
  readonly closed: () => void
}

/** One that can be ended with a reason. */
export interface TextCarrier extends Carrier {
  start(handlers: TextHandlers & { readonly drained: () => void }): void
  end(code: number, reason: string): void
}

export interface TextSocketsOptions {
  readonly carry: (web: WebSocket, socket: Socket) => TextCarrier
  readonly open: (carrier: TextCarrier) => TextHandlers
}

const goingAway = 1001

export class TextSockets {
  readonly #options: TextSocketsOptions
  readonly #open = new Set<TextCarrier>()
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: messageBytesMax,
    perMessageDeflate: false,
  })

  constructor(options: TextSocketsOptions) {
    this.#options = options
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { carry, open } = this.#options
    this.#server.handleUpgrade(request, socket, head, (opened) => {
      const carrier = carry(opened, request.socket)
      this.#open.add(carrier)
      const handlers = open(carrier)
      // It may have been refused already.
      if (carrier.isClosed) this.#open.delete(carrier)
      else
        carrier.start({
          message: (text) => handlers.message(text),
          drained: () => {},
          closed: () => {
            this.#open.delete(carrier)
            handlers.closed()
          },
        })
    })
  }

  close(): void {
    for (const carrier of this.#open) carrier.end(goingAway, 'The server ends.')
  }
}
