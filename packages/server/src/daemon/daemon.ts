/** The daemon, one per user and home. If it is killed only open calls are lost: ptyhost keeps the sessions for the next daemon. */

import { chmodSync, existsSync, lstatSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import {
  type Clock,
  clientHelloMs,
  clientsMax,
  daemonSocketCheckMs,
  isTermError,
  makeFolder,
  messageBytesMax,
  type Stop,
  TermError,
} from '@agentpty/protocol'
import {
  type ClientHello,
  type DaemonHello,
  type DaemonStatus,
  LineSplitter,
  parseClientHello,
  writeHello,
} from '@agentpty/protocol/wire'

/** Serves one connection after its hello. The connection is paused, so that nothing is lost until its face listens. */
export type ServeFace = (socket: Socket, hello: ClientHello, rest: Buffer) => void

export interface DaemonOptions {
  readonly clock: Clock
  readonly socketPath: string
  readonly hello: DaemonHello
  readonly startedAt: string
  readonly stateFolder: string
  /** Called first, with the reason. */
  readonly ending: (reason: string) => void
  /** Checked every {@link daemonSocketCheckMs}; it ends the process when another daemon owns the state. */
  readonly checkOwnership: () => void
  readonly report: (text: string) => void
  /** The last connection of a stopped daemon has closed. */
  readonly ended: () => void
}

/** The parts that need a client of the daemon, and therefore the daemon itself. */
export interface ListenOptions {
  /** Returns the hello with only the claims that the connection proves, or the error with which the client is refused. */
  readonly admit: (socket: Socket, hello: ClientHello) => Promise<ClientHello | TermError>
  readonly faces: Readonly<Record<ClientHello['face'], ServeFace>>
  readonly counts: () => Pick<
    DaemonStatus,
    'host' | 'profile' | 'sessions' | 'dropped' | 'audit' | 'log' | 'http' | 'previous'
  >
  /** Ends the engine; with `all` every session too. */
  readonly shutdown: (options: StopOptions) => Promise<void>
}

export interface StopOptions {
  /** Ends every session, too. */
  readonly all: boolean
  /** For the record that the next daemon reads. */
  readonly reason: string
}

/** How long we wait for a client that does not take its last answer. */
const farewellMs = 1_000

/** A client's environment is part of its hello. */
const helloBytesMax = 4 * 1024 * 1024

const tooMany = {
  code: 'limit_reached',
  message: `${clientsMax} clients are connected.`,
  hint: 'End some of them: agents, attached terminals, programs that use the library.',
}

export class Daemon {
  readonly #options: DaemonOptions
  readonly #sockets = new Set<Socket>()
  /** Connections that have not said hello, the oldest first, each with what ends the wait for its hello. */
  readonly #silent = new Map<Socket, Stop>()
  #server: Server
  #listening: ListenOptions | null = null
  #isStopping = false

  constructor(options: DaemonOptions) {
    this.#options = options
    this.#server = this.#makeServer()
  }

  #makeServer(): Server {
    return createServer((socket) => this.#accept(socket))
  }

  /** Serves clients from now on. Errors: `daemon_gone` with the name of what is there instead of the socket. */
  async listen(options: ListenOptions): Promise<void> {
    this.#listening = options
    await this.#bind()
    this.#guardSocket()
  }

  #bind(): Promise<void> {
    const { socketPath } = this.#options
    return new Promise((resolve, reject) => {
      // Only the daemon that ptyhost chose gets here, so a socket at the path is left over.
      removeSocket(socketPath)
      this.#server.once('error', reject)
      this.#server.listen(socketPath, () => {
        this.#server.off('error', reject)
        chmodSync(socketPath, 0o600)
        resolve()
      })
    })
  }

  /** Without the socket the terminals would be unreachable: one that was removed is made again. What another has put there stays. */
  #guardSocket(): void {
    const { clock, socketPath, report } = this.#options
    clock.callAt(clock.now() + daemonSocketCheckMs, async () => {
      if (this.#isStopping) return
      try {
        this.#options.checkOwnership()
        if (!existsSync(socketPath)) await this.#bindAgain()
      } catch (error) {
        report(`${socketPath} cannot be made again: ${error instanceof Error ? error.message : String(error)}`)
      }
      this.#guardSocket()
    })
  }

  async #bindAgain(): Promise<void> {
    const { socketPath, report } = this.#options
    // The connections stay; only the name is gone.
    this.#server.close()
    this.#server = this.#makeServer()
    makeFolder(dirname(socketPath))
    await this.#bind()
    report(`${socketPath} was removed. It is there again.`)
  }

  /** Errors: `daemon_gone` before it listens. */
  status(): DaemonStatus {
    const { hello, startedAt, stateFolder, socketPath } = this.#options
    const { counts } = this.#started()
    const { version, build, pid } = hello
    const daemon = { version, build, pid, startedAt, clients: this.#sockets.size }
    return { daemon, stateFolder, ...counts(), socket: socketPath }
  }

  /** Errors: `daemon_gone` before it listens. */
  async stop(options: StopOptions): Promise<void> {
    if (this.#isStopping) return
    const { shutdown } = this.#started()
    this.#isStopping = true
    this.#options.ending(options.reason)
    // Removes the socket too, if there is one.
    this.#server.close()
    await shutdown(options)
    const { clock } = this.#options
    // The answer to the client that asked goes out first.
    setImmediate(() => {
      if (this.#sockets.size === 0) this.#options.ended()
      for (const socket of this.#sockets) socket.destroySoon()
      clock.callAt(clock.now() + farewellMs, () => {
        for (const socket of this.#sockets) socket.destroy()
      })
    })
  }

  #started(): ListenOptions {
    if (this.#listening !== null) return this.#listening
    throw new TermError('daemon_gone', 'The daemon is starting and serves no client yet.', 'Call again in a second.')
  }

  #accept(socket: Socket): void {
    socket.on('error', () => socket.destroy())
    this.#makeRoom()
    if (this.#sockets.size >= clientsMax) {
      socket.end(`${JSON.stringify({ error: tooMany })}\n`, () => socket.destroy())
      return
    }
    this.#sockets.add(socket)
    this.#awaitHello(socket)
    socket.on('close', () => {
      this.#sockets.delete(socket)
      this.#stopWaiting(socket)
      if (this.#isStopping && this.#sockets.size === 0) this.#options.ended()
    })
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
      this.#stopWaiting(socket)
      const rest = bytes.subarray(end + 1)
      this.#greet(socket, line ?? '', rest).catch((error: unknown) => {
        this.#options.report(`A client was not served: ${String(error)}`)
        socket.destroy()
      })
    }
    socket.on('data', onData)
  }

  /** The oldest connection without a hello makes room for a new one. */
  #makeRoom(): void {
    const [oldest] = this.#silent.keys()
    if (this.#sockets.size < clientsMax || oldest === undefined) return
    this.#stopWaiting(oldest)
    this.#sockets.delete(oldest)
    oldest.destroy()
  }

  #awaitHello(socket: Socket): void {
    const { clock } = this.#options
    const closeSilent = () => {
      if (this.#silent.has(socket)) socket.destroy()
    }
    // Input that arrived while this process was stopped is read first.
    const cancelTimer = clock.callAt(clock.now() + clientHelloMs, () => void setImmediate(closeSilent))
    this.#silent.set(socket, cancelTimer)
  }

  #stopWaiting(socket: Socket): void {
    this.#silent.get(socket)?.()
    this.#silent.delete(socket)
  }

  async #greet(socket: Socket, line: string, rest: Buffer): Promise<void> {
    const said = parseClientHello(line)
    if (said === null) {
      socket.end('{"error":{"code":"invalid_input","message":"agentpty expects a hello line first."}}\n')
      return
    }
    const hello = await this.#started().admit(socket, said)
    if (isTermError(hello)) {
      const { code, message, hint } = hello
      socket.end(`${JSON.stringify({ error: { code, message, hint } })}\n`, () => socket.destroy())
      return
    }
    socket.write(writeHello(this.#options.hello))
    this.#awaitRetirement(socket, hello, rest)
  }

  /** A client of another build asks the daemon to make room instead of speaking to its face. */
  #awaitRetirement(socket: Socket, hello: ClientHello, rest: Buffer): void {
    const serve = (bytes: Buffer) => {
      if (bytes.toString('utf8', 0, 30) === '{"agentpty":1,"retire":true}\n')
        void this.stop({ all: false, reason: 'a client of another build replaced it' })
      else this.#started().faces[hello.face](socket, hello, bytes)
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

/** Errors: `daemon_gone` when something else is at the path; it may be in use. */
function removeSocket(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat?.isSocket()) rmSync(path)
  if (stat === undefined || stat.isSocket()) return
  const what = stat.isDirectory() ? 'a folder' : stat.isSymbolicLink() ? 'a link' : 'a file'
  throw new TermError(
    'daemon_gone',
    `The daemon cannot listen: ${path} is ${what}, and its socket belongs there.`,
    `Move it away, or remove it (rm -r ${path}); then call again.`,
  )
}
