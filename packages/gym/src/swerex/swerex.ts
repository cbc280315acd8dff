/**
 * The door of SWE-ReX: the routes of its server. Each name in the address, `/gym/swerex/NAME`, is a runtime with a container of its own; the
 * address alone is one, too. The first request that needs a runtime makes it. It ends after `close`, or when it is idle for too long.
 */

import type { IncomingMessage } from 'node:http'
import { type DoorRoute, IdleEnd, readBody, readJsonBody } from '@agentpty/doors/parts'
import { type Clock, isTermError, type ServerClient } from '@agentpty/protocol'
import { doorAnswersBytesMax, doorAnswersKeptMax } from '@agentpty/protocol/gym'
import type { SweRexSettings } from '@agentpty/protocol/home'
import type { Parsing } from '../json-text.ts'
import {
  CloseSession,
  CreateSession,
  classes,
  Execute,
  ReadFile,
  RunInSession,
  Swerexception,
  WriteFile,
} from './contract.ts'

import type { Uploaded } from './files.ts'
import { Runtime } from './runtime.ts'

export interface SweRexParts {
  readonly clock: Clock
  readonly settings: SweRexSettings
  /** `name`: the holder of a runtime, for the terminals that are opened in it. */
  readonly clientOf: (name: string) => ServerClient
  readonly log: (text: string) => void
}

interface Kept {
  readonly runtime: Runtime
  readonly idle: IdleEnd
}

type Act = (runtime: Runtime, request: IncomingMessage) => Promise<object>

const posts: Readonly<Record<string, Act>> = {
  create_session: async (runtime, request) => runtime.createSession(await parsed(CreateSession, request)),
  run_in_session: async (runtime, request) => runtime.run(await parsed(RunInSession, request)),
  close_session: async (runtime, request) => runtime.closeSession((await parsed(CloseSession, request)).session),
  execute: async (runtime, request) => runtime.execute(await parsed(Execute, request)),
  read_file: async (runtime, request) => runtime.readFile(await parsed(ReadFile, request)),
  write_file: async (runtime, request) => {
    const { path, content } = await parsed(WriteFile, request)
    return runtime.writeFile(path, content)
  },
  upload: async (runtime, request) => runtime.upload(await uploadIn(request)),
}

const gets: Readonly<Record<string, object>> = {
  '': { message: 'hello world' },
  is_alive: { is_alive: true, message: '' },
}

export class SweRex {
  readonly #parts: SweRexParts
  readonly #kept = new Map<string, Kept>()
  readonly #answers = new KeptAnswers()

  constructor(parts: SweRexParts) {
    this.#parts = parts
  }

  /** @param path - Below the door's own, as `/create_session` or `/NAME/create_session`. */
  routeOf(path: string): DoorRoute | undefined {
    const [, name = '', last = ''] = /^\/(?:([\w.-]{1,64})\/)?([a-z_]*)$/.exec(path) ?? []
    const isKnown = Object.hasOwn(gets, last) || Object.hasOwn(posts, last) || last === 'close'
    return isKnown && path.startsWith('/') ? this.#serve(name, last) : undefined
  }

  #serve(name: string, last: string): DoorRoute {
    return async (request, response) => {
      const id = request.headers['x-request-id']
      const key = typeof id === 'string' ? `${name} ${last} ${id}` : null
      const { status, body } = await this.#answers.once(key, () => this.#answer(name, last, request))
      response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      response.end(body)
    }
  }

  async #answer(name: string, last: string, request: IncomingMessage): Promise<Answered> {
    try {
      return { status: 200, body: JSON.stringify(await this.#do(name, last, request)) }
    } catch (error) {
      const { status, body } = errorOf(error)
      return { status, body: JSON.stringify(body) }
    }
  }

  async #do(name: string, last: string, request: IncomingMessage): Promise<object> {
    const isGet = request.method === 'GET'
    const said = gets[last]
    if (said !== undefined && isGet) return said
    const act = posts[last]
    if (isGet || (act === undefined && last !== 'close')) throw new WrongRequest(405, 'Method Not Allowed')
    if (act === undefined) return this.#close(name)
    const { runtime, idle } = this.#runtime(name)
    return idle.during(() => act(runtime, request))
  }

  #runtime(name: string): Kept {
    const known = this.#kept.get(name)
    if (known !== undefined) return known
    const { clock, settings, clientOf } = this.#parts
    if (this.#kept.size >= settings.environmentsMax)
      throw new Swerexception('other', `${settings.environmentsMax} runtimes are open, which is the limit: close one.`)
    const client = clientOf(`swerex${name === '' ? '' : `-${name}`}`)
    const runtime = new Runtime({ client, settings })
    const idle = new IdleEnd(clock, settings.idleMs, () => {
      this.#close(name).catch((error) => this.#parts.log(`SWE-ReX: ${String(error)}`))
    })
    const kept = { runtime, idle }
    this.#kept.set(name, kept)
    return kept
  }

  async #close(name: string): Promise<object> {
    const kept = this.#kept.get(name)
    this.#kept.delete(name)
    kept?.idle.stop()
    await kept?.runtime.close()
    return {}
  }
}

/** A request that no runtime ever sees, so the error is no exception of a runtime. */
class WrongRequest extends Error {
  readonly status: number
  readonly detail: unknown

  constructor(status: number, detail: unknown) {
    super(String(detail))
    this.status = status
    this.detail = detail
  }
}

function errorOf(error: unknown): { readonly status: number; readonly body: object } {
  if (error instanceof WrongRequest) return { status: error.status, body: { detail: error.detail } }
  const exception = error instanceof Swerexception ? error : ofOurs(error)
  const { message, classPath, extraInfo } = exception
  return {
    status: 511,
    body: { swerexception: { message, class_path: classPath, traceback: '', extra_info: extraInfo } },
  }
}

/** Errors: what is none of ours. */
function ofOurs(error: unknown): { readonly message: string; readonly classPath: string; readonly extraInfo: object } {
  if (!isTermError(error)) throw error
  const { code, message, hint } = error
  return { message: `${message} ${hint}`, classPath: classes.other, extraInfo: { code } }
}

/** Errors: {@link WrongRequest}, as FastAPI words it. */
async function parsed<Output>(schema: Parsing<Output>, request: IncomingMessage): Promise<Output> {
  const result = schema.safeParse(await readJsonBody(request))
  if (result.success) return result.data
  throw new WrongRequest(
    422,
    result.error.issues.map(({ path, message }) => ({
      loc: ['body', ...path.map(String)],
      msg: message,
      type: 'value_error',
    })),
  )
}

async function uploadIn(request: IncomingMessage): Promise<Uploaded> {
  const type = request.headers['content-type'] ?? ''
  const body = await readBody(request)
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => null)
  const file = form?.get('file')
  const targetPath = form?.get('target_path')
  if (!(file instanceof Blob) || typeof targetPath !== 'string' || targetPath === '')
    throw new WrongRequest(422, [{ loc: ['body'], msg: 'a form with file and target_path', type: 'value_error' }])
  const unzip = ['true', '1', 'on', 'yes'].includes(String(form?.get('unzip') ?? '').toLowerCase())
  return { content: new Uint8Array(await file.arrayBuffer()), targetPath, unzip }
}

/** Answers by the id of their request: a client that has lost one asks again with the same id, and nothing is done twice. */
export interface Answered {
  readonly status: number
  readonly body: string
}

export class KeptAnswers {
  /** The oldest first. A size is known once the answer is there. */
  readonly #kept = new Map<string, { readonly answer: Promise<Answered>; bytes: number }>()
  #bytes = 0

  /** Does the work once for each id; null has none. */
  once(id: string | null, work: () => Promise<Answered>): Promise<Answered> {
    if (id === null) return work()
    const known = this.#kept.get(id)
    if (known !== undefined) return known.answer
    const kept = { answer: work(), bytes: 0 }
    this.#kept.set(id, kept)
    kept.answer.then(
      ({ body }) => {
        if (this.#kept.get(id) !== kept) return
        kept.bytes = body.length
        this.#bytes += kept.bytes
        this.#makeRoom()
      },
      () => this.#kept.delete(id),
    )
    this.#makeRoom()
    return kept.answer
  }

  /** The newest stays, however large it is. */
  #makeRoom(): void {
    for (const [id, { bytes }] of this.#kept) {
      const isIn = this.#kept.size <= doorAnswersKeptMax && this.#bytes <= doorAnswersBytesMax
      if (isIn || this.#kept.size === 1) return
      this.#kept.delete(id)
      this.#bytes -= bytes
    }
  }
}
