/** Asks a server at an address, with the headers that the client would send. */

import type { ChildProcess } from 'node:child_process'
import { type Clock, defined, doctorFarewellMs, messageBytesMax } from '@agentpty/protocol'
import { type EntryWay, parseReachedDaemon } from '@agentpty/protocol/setup'
import { type JsonObject, parseObject } from '@agentpty/protocol/wire'
import { askProof, readToken } from '../state/index.ts'
import type { Subject } from './check.ts'
import {
  answerTo,
  failed,
  type Handshake,
  initialize,
  initialized,
  initializeId,
  listId,
  listTools,
  toolsIn,
  versionIn,
} from './daemon-checks.ts'

type Address = Extract<EntryWay, { kind: 'http' }>
type AskContext = Pick<Subject, 'clock' | 'answerMs' | 'version' | 'paths'>

export async function askAddress(address: Address, context: AskContext): Promise<Handshake> {
  const stranger = await refuseStranger(address, context)
  if (stranger !== null) return stranger
  return converse({ ...address, url: address.url.replace(/^http:\/\/localhost(?=[:/])/, 'http://127.0.0.1') }, context)
}

async function converse(address: Address, { clock, answerMs, version }: AskContext): Promise<Handshake> {
  const startedAt = clock.now()
  const stop = new AbortController()
  const cancelTimer = clock.callAt(startedAt + answerMs, () => stop.abort())
  const ask = new Caller(address, stop.signal)
  try {
    const greeting = await ask.ask(initializeId, initialize(version))
    if ('outcome' in greeting) return greeting
    await ask.notify(initialized)
    const list = await ask.ask(listId, listTools)
    if ('outcome' in list) return list
    const tools = toolsIn(list.result)
    if (tools === null) return failed('wrong answer', 'answers with no list of tools')
    await ask.leave()
    const ms = Math.round(clock.now() - startedAt)
    const daemon = parseReachedDaemon(list.result)
    return { outcome: 'connected', tools, version: versionIn(greeting.result), ms, daemon }
  } catch (error) {
    if (stop.signal.aborted) return failed('silent', `${address.url} does not answer within ${answerMs} ms`)
    return notReached(address.url, error)
  } finally {
    cancelTimer()
    stop.abort()
  }
}

/** The token is sent only to a server that has proved to know it. Null when it may be sent, or is not in the headers. */
async function refuseStranger({ url, headers }: Address, { clock, paths }: AskContext): Promise<Handshake | null> {
  const token = readToken(paths.token)
  if (token === null || !Object.values(headers).some((value) => value.includes(token))) return null
  const { hostname, port, protocol } = new URL(url)
  // When localhost is not our address, the server there may be another user's: ours is asked.
  const isOurs = protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname)
  if (!isOurs) return failed('token', `agentpty does not listen at ${url}; the token was not sent there`)
  const answer = await askProof(Number(port || 80), token, clock)
  if (answer === 'proven') return null
  if (answer === 'absent') return failed('absent', `no process listens at ${url}`)
  return failed('token', `who listens at ${url} has not proven to be your agentpty; the token was not sent there`)
}

type Answer = Extract<Handshake, { outcome: 'failed' }> | { readonly result: JsonObject }

class Caller {
  readonly #address: Address
  readonly #signal: AbortSignal
  #session: Readonly<Record<string, string>> = {}

  constructor(address: Address, signal: AbortSignal) {
    this.#address = address
    this.#signal = signal
  }

  async ask(id: number, message: JsonObject): Promise<Answer> {
    const response = await this.#send('POST', message)
    const refusal = refusalIn(response.status, this.#address)
    if (refusal !== null) return refusal
    const session = response.headers.get('mcp-session-id')
    if (session !== null) this.#session = { 'mcp-session-id': session }
    const answer = await answerIn(response, id)
    if (answer === null)
      return { outcome: 'failed', why: 'wrong answer', found: `${this.#address.url} is no MCP server` }
    if (answer === 'refused') return { outcome: 'failed', why: 'wrong answer', found: 'refuses to speak MCP' }
    return { result: answer }
  }

  async notify(message: JsonObject): Promise<void> {
    await (await this.#send('POST', message)).body?.cancel()
  }

  async leave(): Promise<void> {
    if (Object.keys(this.#session).length > 0) await (await this.#send('DELETE')).body?.cancel()
  }

  #send(method: string, message?: JsonObject): Promise<Response> {
    const own = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    return fetch(
      this.#address.url,
      defined({
        method,
        signal: this.#signal,
        headers: { ...own, ...this.#session, ...this.#address.headers },
        body: message === undefined ? undefined : JSON.stringify(message),
        // The token is for this address alone.
        redirect: 'manual',
      }),
    )
  }
}

function refusalIn(status: number, { url, headers }: Address): Extract<Handshake, { outcome: 'failed' }> | null {
  if (status >= 200 && status < 300) return null
  if (status !== 401) return { outcome: 'failed', why: 'wrong answer', found: `${url} answers with HTTP ${status}` }
  const hasToken = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
  const found = hasToken ? 'the token is refused (HTTP 401)' : 'it sends no token (HTTP 401)'
  return { outcome: 'failed', why: 'token', found }
}

/** The answer as plain JSON or as an event of a stream. Null when the body has none. */
async function answerIn({ body, headers }: Response, id: number): Promise<JsonObject | 'refused' | null> {
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    const answer = isStream ? answerAmong(text.split('\n').slice(0, -1), id) : null
    if (answer !== null) return answer
    if (text.length > messageBytesMax) return null
  }
  return isStream ? answerAmong(text.split('\n'), id) : answerTo(id, parseObject(text))
}

function answerAmong(lines: readonly string[], id: number): JsonObject | 'refused' | null {
  const answers = lines.map((line) => (line.startsWith('data:') ? answerTo(id, parseObject(line.slice(5))) : null))
  return answers.find((answer) => answer !== null) ?? null
}

function notReached(url: string, error: unknown): Handshake {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (code === 'ECONNREFUSED') return failed('absent', `no process listens at ${url}`)
  const reason = cause instanceof Error ? cause.message : error instanceof Error ? error.message : String(error)
  return failed('absent', `${url} cannot be reached: ${code || reason}`)
}

/** Resolves once the program has ended, or could not be started. */
export function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => void child.once('exit', () => resolve()).once('error', () => resolve()))
}

/** First by its input and SIGTERM, then by SIGKILL. `ended` is its {@link endOf}. */
export async function endProgram(child: ChildProcess, ended: Promise<void>, clock: Clock): Promise<void> {
  if (child.pid === undefined) return
  const group = -child.pid
  child.stdin?.end()
  signal(group, 'SIGTERM')
  const cancel = clock.callAt(clock.now() + doctorFarewellMs, () => signal(group, 'SIGKILL'))
  await ended
  cancel()
  signal(group, 'SIGKILL')
  // A process that has left the group may still hold the streams.
  child.stdout?.destroy()
  child.stderr?.destroy()
}

function signal(group: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(group, name)
  } catch {
    // The last process of the group has ended already.
  }
}
