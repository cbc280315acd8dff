/**
 * The scripted model: an HTTP server in place of a hosted model, in the dialects that agent programs speak.
 *
 * It keeps no state of a conversation; the log of requests and answers is the ground truth of a test.
 */

import http from 'node:http'
import { answer } from './answer.ts'
import { control, release } from './control.ts'
import { dumper } from './dump.ts'
import { EventLog, type LogEvent } from './event-log.ts'
import { Holds } from './holds.ts'
import { listen, readAll, sendJson } from './http.ts'
import { route } from './routes.ts'
import { compileScript, type WrittenScript } from './script.ts'

export interface FakeModelOptions {
  readonly script?: WrittenScript
  /** 0 or absent: any free port. */
  readonly port?: number
  readonly logFile?: string | undefined
  /** Saves every request there, without credentials. */
  readonly dumpFolder?: string | undefined
}

export interface FakeModel {
  readonly url: string
  readonly log: readonly LogEvent[]
  setScript(script: WrittenScript): void
  /** Without a name, releases all held answers. Returns the number of released ones. */
  release(name?: string): number
  close(): Promise<void>
}

/** Errors: throws for an invalid script, and when the port is taken. */
export async function startFakeModel(options: FakeModelOptions = {}): Promise<FakeModel> {
  let script = compileScript(options.script ?? { turns: [] })
  const setScript = (written: WrittenScript) => {
    script = compileScript(written)
  }
  const log = new EventLog(options.logFile)
  const holds = new Holds()
  const dump = dumper(options.dumpFolder)
  let requests = 0
  const handle = async (incoming: http.IncomingMessage, response: http.ServerResponse) => {
    const body = await readAll(incoming)
    const url = new URL(incoming.url ?? '/', 'http://fake')
    if (url.pathname.startsWith('/__fake/')) {
      const said = control({ url, body, log, holds, setScript })
      return sendJson(response, said.status, said.body)
    }
    const id = ++requests
    const method = incoming.method ?? 'GET'
    const { pathname } = url
    dump(id, incoming, body)
    await answer(route(method, pathname), { id, script, log, holds, response, method, pathname, body })
  }
  const server = http.createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => {
      // A client that disconnects while sending is part of many tests; a fault of ours must be visible, too.
      log.add('failed', { error: String(error) })
      response.destroy()
    })
  })
  // Codex tries a WebSocket first and interprets this as an answer.
  server.on('upgrade', (incoming, socket) => {
    log.add('upgrade-refused', { path: incoming.url })
    socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n')
  })
  const url = await listen(server, options.port ?? 0)
  log.add('listening', { url })
  return {
    url,
    log: log.events,
    setScript,
    release: (name) => release(holds, log, name ?? null),
    close: () => closeServer(server),
  }
}

function closeServer(server: http.Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
