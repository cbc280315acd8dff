/** Handles one request of a client, from its text to the last byte of the answer. Every event is logged. */

import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { dialects } from './dialects/index.ts'
import type { EventLog } from './event-log.ts'
import type { Holds } from './holds.ts'
import { sendJson } from './http.ts'
import { type Due, dueFor, replyTo } from './reply.ts'
import type { Route } from './routes.ts'
import type { Script } from './script.ts'
import type { Dialect, ModelRequest, Reply } from './types.ts'

export interface Handling {
  readonly id: number
  readonly script: Script
  readonly log: EventLog
  readonly holds: Holds
  readonly response: ServerResponse
  readonly method: string
  readonly pathname: string
  readonly body: string
}

type DialectRoute = Extract<Route, { to: 'dialect' }>

export async function answer(to: Route, handling: Handling): Promise<void> {
  const { id, log, response, method, pathname: path } = handling
  if (to.to === 'dialect') return answerModel(to, handling)
  if (to.to === 'fixed') {
    log.add('aux', { id, method, path })
    return sendJson(response, 200, to.answer)
  }
  log.add('unknown', { id, method, path })
  const message = `fake-model: no route ${method} ${path}`
  sendJson(response, 404, { error: { type: 'not_found_error', message } })
}

async function answerModel(to: DialectRoute, handling: Handling): Promise<void> {
  const { id, log, response, holds, script } = handling
  const dialect = dialects[to.dialect]
  const request = readRequest(dialect, to, handling)
  if (request === null) return
  const due = dueFor(script, request)
  const { step } = due
  log.add('request', describe(id, to.dialect, request, due))
  const gone = watchClient(handling)
  if (step.hold !== undefined) await holds.wait(step.hold, gone)
  if (step.delayMs) await sleep(step.delayMs)
  if (gone.aborted) return
  if (step.error !== undefined) {
    const status = step.error.status ?? 500
    log.add('respond', { id, what: 'error', status })
    return sendJson(response, status, dialect.error(step.error), step.error.headers)
  }
  const reply = replyTo(request, due)
  log.add('respond', describeReply(id, reply))
  if (!request.stream) sendJson(response, 200, dialect.whole(reply, request))
  else if (!(await stream(dialect, request, reply, { handling, due, gone }))) return
  log.add('done', { id, final: due.position !== null && reply.calls.length === 0 })
}

function readRequest(dialect: Dialect, to: DialectRoute, handling: Handling): ModelRequest | null {
  try {
    return dialect.read(JSON.parse(handling.body), to.inPath)
  } catch (error) {
    handling.log.add('bad', { id: handling.id, error: String(error) })
    sendJson(handling.response, 400, dialect.error({ message: String(error) }))
    return null
  }
}

interface Streaming {
  readonly handling: Handling
  readonly due: Due
  readonly gone: AbortSignal
}

/** False when the client or the script ended it before its last event. */
async function stream(
  dialect: Dialect,
  request: ModelRequest,
  reply: Reply,
  { handling, due, gone }: Streaming,
): Promise<boolean> {
  const { response, log, id } = handling
  const { chunkDelayMs, dropAfter } = due.step
  const pace = async () => {
    if (chunkDelayMs) await sleep(chunkDelayMs)
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  let sent = 0
  for await (const { event, data } of dialect.stream(reply, request, pace)) {
    if (gone.aborted) return false
    if (dropAfter !== undefined && sent >= dropAfter) {
      log.add('dropped', { id, after: sent })
      response.destroy()
      return false
    }
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    response.write(`${event === null ? '' : `event: ${event}\n`}data: ${text}\n\n`)
    sent++
  }
  response.end()
  return true
}

/** Aborted when the client disconnects before it has the whole answer: that is how a turn is interrupted. */
function watchClient({ id, response, log }: Handling): AbortSignal {
  const gone = new AbortController()
  response.on('close', () => {
    if (response.writableFinished) return
    gone.abort()
    log.add('client-closed', { id })
  })
  return gone.signal
}

const promptCharacters = 500
const resultCharacters = 400

function describe(id: number, dialect: string, request: ModelRequest, { position }: Due) {
  const { model, stream: streamed, tools } = request
  const about = { id, dialect, kind: position === null ? 'side' : 'main', model, stream: streamed, tools: tools.length }
  if (position === null) return { ...about, kind: 'side' as const }
  const { turn, index, prompt, results } = position
  return {
    ...about,
    kind: 'main' as const,
    turn,
    step: index,
    prompt: prompt.slice(0, promptCharacters),
    results: results.length,
    last: results.at(-1)?.slice(0, resultCharacters),
  }
}

function describeReply(id: number, { text, calls }: Reply) {
  return {
    id,
    what: calls.length > 0 ? 'tool' : 'text',
    ...(calls.length > 0 ? { calls: calls.map(({ wire, args }) => ({ name: wire.name, args })) } : {}),
    ...(text === '' ? {} : { text: text.slice(0, resultCharacters) }),
  }
}
