/**
 * The daemon: one per user and home. It listens on a socket, says hello, and hands each connection to its face.
 * Being killed costs nothing but the calls in flight: the sessions live at ptyhost and are taken over by the next one.
 */

import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import type { DaemonControl, DaemonStatus } from '../../contracts/daemon.ts'
import { type ClientHello, type DaemonHello, parseClientHello, writeHello } from '../../contracts/handshake.ts'
import { LineSplitter } from '../../contracts/json-lines.ts'
import { clientsMax, messageBytesMax } from '../../contracts/limits.ts'
import type { Clock } from '../../contracts/ports.ts'

/** Serves one connection after its hello. It comes paused, so that nothing is lost until its face listens and resumes. */
export type ServeFace = (socket: Socket, hello: ClientHello, rest: Buffer) => void

export interface DaemonOptions {
  readonly clock: Clock
  readonly socketPath: string
  readonly hello: DaemonHello
  readonly startedAt: string
  readonly faces: Readonly<Record<ClientHello['face'], ServeFace>>
  readonly counts: () => Pick<DaemonStatus, 'host' | 'sessions' | 'http'>
  /** Ends the engine; with `all` every session too. */
  readonly shutdown: (options: { readonly all: boolean }) => Promise<void>
  /** The last connection of a stopped daemon has closed. */
  readonly ended: () => void
}

/** A client that does not take its last answer is not waited for any longer. */
const farewellMs = 1_000

/** A client's environment is part of its hello. */
const helloBytesMax = 4 * 1024 * 1024

export class Daemon implements DaemonControl {
  readonly #options: DaemonOptions
  readonly #sockets = new Set<Socket>()
  readonly #server: Server
  #isStopping = false

  constructor(options: DaemonOptions) {
    this.#options = options
    this.#server = createServer((socket) => this.#accept(socket))
  }

  listen(): Promise<void> {
    const { socketPath } = this.#options
    return new Promise((resolve, reject) => {
      // Only the daemon that ptyhost chose gets here, so what lies at the path is left over.
      rmSync(socketPath, { force: true })
      this.#server.once('error', reject)
      this.#server.listen(socketPath, () => {
        chmodSync(socketPath, 0o600)
        resolve()
      })
    })
  }

  status(): DaemonStatus {
    const { hello, startedAt, socketPath, counts } = this.#options
    return { daemon: { ...hello, startedAt, clients: this.#sockets.size }, ...counts(), socket: socketPath }
  }

  async stop({ all }: { readonly all: boolean }): Promise<void> {
    if (this.#isStopping) return
    this.#isStopping = true
    this.#server.close()
    rmSync(this.#options.socketPath, { force: true })
    await this.#options.shutdown({ all })
    const { clock } = this.#options
    // The answer to whoever asked goes out first.
    setImmediate(() => {
      if (this.#sockets.size === 0) this.#options.ended()
      for (const socket of this.#sockets) {
        socket.destroySoon()
      }
      clock.callAt(clock.now() + farewellMs, () => {
        for (const socket of this.#sockets) socket.destroy()
      })
    })
  }

  #accept(socket: Socket): void {
    if (this.#sockets.size >= clientsMax) {
      socket.end(
        `${JSON.stringify({ error: { code: 'limit_reached', message: `${clientsMax} clients are connected.` } })}\n`,
      )
      return
    }
    this.#sockets.add(socket)
    socket.on('close', () => {
      this.#sockets.delete(socket)
      if (this.#isStopping && this.#sockets.size === 0) this.#options.ended()
    })
    socket.on('error', () => socket.destroy())
    const lines = new LineSplitter()
    let received = 0
    const onData = (bytes: Buffer) => {
      received += bytes.length
      if (received > Math.min(helloBytesMax, messageBytesMax)) socket.destroy()
      const end = bytes.indexOf(10)
      if (end < 0) {
        lines.push(bytes)
        return
      }
      socket.off('data', onData)
      socket.pause()
      const [line] = lines.push(bytes.subarray(0, end + 1))
      this.#greet(socket, line ?? '', bytes.subarray(end + 1))
    }
    socket.on('data', onData)
  }

  #greet(socket: Socket, line: string, rest: Buffer): void {
    const hello = parseClientHello(line)
    if (hello === null) {
      socket.end('{"error":{"code":"invalid_input","message":"agentpty expects a hello line first."}}\n')
      return
    }
    socket.write(writeHello(this.#options.hello))
    this.#awaitRetirement(socket, hello, rest)
  }

  /** A client of another build asks the daemon to make room instead of speaking to its face. */
  #awaitRetirement(socket: Socket, hello: ClientHello, rest: Buffer): void {
    const serve = (bytes: Buffer) => {
      if (bytes.toString('utf8', 0, 30) === '{"agentpty":1,"retire":true}\n') void this.stop({ all: false })
      else this.#options.faces[hello.face](socket, hello, bytes)
    }
    if (rest.length > 0) {
      serve(rest)
      return
    }
    socket.once('data', (bytes: Buffer) => {
      socket.pause()
      serve(bytes)
    })
    socket.resume()
  }
}
