/**
 * The socket of terminalcp, for clients that speak its protocol. It is a client of the daemon like any other: when it ends,
 * the sessions go on.
 */

import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { type Client, makeFolder, type Stop, TermError } from '@agentpty/protocol'
import { SocketConnection } from './socket-connection.ts'

export interface WireServerOptions {
  readonly path: string
  readonly connect: () => Promise<Client>
}

/** Only its user may connect. */
const socketMode = 0o600

/** Serves the socket at `path`; returns a function that ends this. Errors: `limit_reached` when another server has it. */
export async function serveWire({ path, connect: reach }: WireServerOptions): Promise<Stop> {
  makeFolder(dirname(path))
  if (await isServed(path)) {
    throw new TermError('limit_reached', `A terminalcp server has ${path} already.`, 'Use it, or end it first.')
  }
  rmSync(path, { force: true })
  const connections = new Set<SocketConnection>()
  const server = createServer((socket) => {
    const connection = new SocketConnection(socket, reach, (id, size) => {
      for (const one of connections) one.sendSize(id, size)
    })
    connections.add(connection)
    socket.once('close', () => connections.delete(connection))
  })
  await listen(server, path)
  return () => {
    server.close()
    for (const connection of connections) connection.close()
  }
}

/** Nobody else may connect between the creation of the socket and the change of its mode. */
async function listen(server: Server, path: string): Promise<void> {
  const mask = process.umask(0o777 & ~socketMode)
  try {
    server.listen(path)
    await once(server, 'listening')
  } finally {
    process.umask(mask)
  }
  chmodSync(path, socketMode)
}

function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket: Socket = connect(path)
    const settle = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => settle(true))
    socket.once('error', () => settle(false))
  })
}
