/** Composes the faces of the daemon’s socket, and decides which of their callers count as persons. */

import type { ServerClient } from '@agentpty/protocol'
import type { CallContext } from '@agentpty/protocol/call'
import { terminalVariable } from '@agentpty/protocol/session'
import type { ClientHello, SharedBounds } from '@agentpty/protocol/wire'
import { WireServer } from '@agentpty/protocol/wire-server'
import { LineConnection, type ServeFace } from '@agentpty/server/daemon'
import type { McpFaces } from './mcp.ts'

/** Returns the caller as an agent. */
export function asAgent<Caller extends CallContext>(caller: Caller): Caller {
  return { ...caller, isPerson: false }
}

/** A program in one of our terminals is no person, whatever it says. */
function personOr<Caller extends CallContext>(caller: Caller): Caller {
  return { ...caller, isPerson: caller.isPerson === true && caller.env[terminalVariable] === undefined }
}

interface WireConnection {
  readonly connection: LineConnection
  /** Bytes that have arrived already. */
  readonly rest: Buffer
  readonly client: ServerClient
}

function serveWire({ connection, rest, client }: WireConnection): void {
  const server = new WireServer({
    client,
    send: (message) => connection.send(`${message}\n`),
    room: (signal) => connection.room(signal),
  })
  const line = (text: string) => {
    try {
      return server.receive(text)
    } catch {
      // The client breaks the protocol: nothing it sends after this can be trusted.
      connection.close()
      return undefined
    }
  }
  connection.start(rest, { line, closed: () => server.close() })
}

export interface FacesParts {
  readonly mcp: McpFaces
  readonly callerOf: (hello: ClientHello) => CallContext
  readonly clientOf: (caller: CallContext) => ServerClient
  readonly shared: SharedBounds
}

export function facesOf({
  mcp,
  callerOf,
  clientOf,
  shared,
}: FacesParts): Readonly<Record<ClientHello['face'], ServeFace>> {
  return {
    rpc: (socket, hello, rest) => {
      const connection = new LineConnection(socket, shared)
      const client = clientOf({
        ...personOr(callerOf(hello)),
        room: (signal) => connection.room(signal),
        onGone: (call) => connection.onGone(call),
      })
      serveWire({ connection, rest, client })
    },
    mcp: (socket, hello, rest) => {
      // An MCP client is an agent. It sees its connection end and asks again; no other client is affected.
      mcp.serve(new LineConnection(socket, shared), hello, rest).catch(() => socket.destroy())
    },
  }
}
