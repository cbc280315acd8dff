/**
 * The door of OpenEnv: its routes over HTTP and its WebSocket, with our environments behind them.
 *
 * Each connection of a WebSocket has an environment of its own. Requests without a connection share one. The next `step` continues what
 * `reset` started, until the environment is closed or idle for too long.
 */

import { answerJson, type DoorRoute, IdleEnd, readJsonBody } from '@agentpty/doors/parts'
import { type Clock, isTermError, KeyedQueue, type ServerClient } from '@agentpty/protocol'
import { Action, Observed } from '@agentpty/protocol/gym'
import type { OpenEnvSettings } from '@agentpty/protocol/home'
import { inputJsonSchema } from '@agentpty/protocol/mcp'
import type { JsonObject } from '@agentpty/protocol/wire'
import * as z from 'zod'
import { OpenEnvError, statusOf } from './contract.ts'
import { Conversation, type ConversationParts } from './conversation.ts'
import { OpenEnvEnvironment } from './environment.ts'

export interface OpenEnvParts {
  readonly clock: Clock
  readonly settings: OpenEnvSettings
  /** `name`: the holder of an environment, for the terminals that are opened in it. */
  readonly clientOf: (name: string) => ServerClient
  readonly version: string
  readonly log: (text: string) => void
}

export interface OpenEnvRoute {
  readonly serve: DoorRoute
  /** Reports only that the door exists. */
  readonly isOpen: boolean
}

interface Shared {
  readonly environment: OpenEnvEnvironment
  readonly idle: IdleEnd
}

export class OpenEnv {
  readonly #parts: OpenEnvParts
  /** Environments of connections, and the one that requests share. */
  readonly #held = new Set<OpenEnvEnvironment>()
  #shared: Shared | null = null
  /** Requests that share one are answered one after the other; the server bounds how many there are. */
  readonly #queue = new KeyedQueue()
  #lastNumber = 0

  readonly #routes: Readonly<Record<string, OpenEnvRoute>> = {
    '/health': { isOpen: true, serve: this.#answers('GET', async () => ({ status: 'healthy' })) },
    '/metadata': { isOpen: false, serve: this.#answers('GET', async () => this.#metadata()) },
    '/schema': { isOpen: false, serve: this.#answers('GET', async () => schema()) },
    '/state': { isOpen: false, serve: this.#answers('GET', async () => this.#sharedState()) },
    '/reset': { isOpen: false, serve: this.#answers('POST', (body) => this.#with((one) => one.reset(body))) },
    '/step': { isOpen: false, serve: this.#answers('POST', (body) => this.#with((one) => one.stepAsked(body))) },
    '/close': { isOpen: false, serve: this.#answers('POST', () => this.#closeShared()) },
  }

  constructor(parts: OpenEnvParts) {
    this.#parts = parts
  }

  /** @param path - Below the door's own, as `/reset`. */
  routeOf(path: string): OpenEnvRoute | undefined {
    return Object.hasOwn(this.#routes, path) ? this.#routes[path] : undefined
  }

  converse(carrier: ConversationParts['carrier']): Pick<Conversation, 'message' | 'closed'> {
    try {
      const environment = this.#hold()
      return new Conversation({ carrier, environment, release: () => this.#release(environment) })
    } catch (error) {
      if (!(error instanceof OpenEnvError)) throw error
      carrier.send(JSON.stringify({ type: 'error', data: { message: error.message, code: error.code, ...error.more } }))
      carrier.end(tryAgain, error.code)
      return { message: () => {}, closed: () => {} }
    }
  }

  #answers(method: string, answer: (body: unknown) => Promise<object>): DoorRoute {
    return async (request, response) => {
      if (request.method !== method) return answerJson(response, 405, { detail: 'Method Not Allowed' })
      try {
        const body = method === 'POST' ? await readJsonBody(request) : {}
        answerJson(response, 200, await answer(body))
      } catch (error) {
        const { status, ...body } = errorOf(error)
        answerJson(response, status, body)
      }
    }
  }

  /** Errors: `CAPACITY_REACHED`. */
  #hold(): OpenEnvEnvironment {
    const { settings, clientOf } = this.#parts
    const { environmentsMax } = settings
    if (this.#held.size >= environmentsMax)
      throw new OpenEnvError('CAPACITY_REACHED', `${environmentsMax} environments are open, which is the limit.`, {
        active_sessions: this.#held.size,
        max_sessions: environmentsMax,
      })
    const environment = new OpenEnvEnvironment({ settings, client: clientOf(`openenv-${++this.#lastNumber}`) })
    this.#held.add(environment)
    return environment
  }

  /** Frees its slot immediately, so a client that closes one and opens the next is not refused. */
  async #release(environment: OpenEnvEnvironment): Promise<void> {
    this.#held.delete(environment)
    await environment.close().catch((error) => this.#parts.log(`OpenEnv: ${String(error)}`))
  }

  #with<Result>(act: (environment: OpenEnvEnvironment) => Promise<Result>): Promise<Result> {
    return this.#queue.run('shared', () => {
      this.#shared ??= this.#makeShared()
      const { environment, idle } = this.#shared
      return idle.during(() => act(environment))
    })
  }

  #makeShared(): Shared {
    const { clock, settings } = this.#parts
    const environment = this.#hold()
    const idle = new IdleEnd(clock, settings.idleMs, () => void this.#closeShared())
    return { environment, idle }
  }

  #sharedState(): JsonObject {
    return this.#shared?.environment.state() ?? { episode_id: null, step_count: 0 }
  }

  async #closeShared(): Promise<JsonObject> {
    const shared = this.#shared
    this.#shared = null
    shared?.idle.stop()
    if (shared !== null) await this.#release(shared.environment)
    return {}
  }

  #metadata(): JsonObject {
    return {
      name: 'agentpty',
      description:
        'A program on a real terminal in a container: type, press keys, see what it shows when it is your turn.',
      version: this.#parts.version,
      readme_content: null,
      author: null,
      documentation_url: null,
    }
  }
}

/** The WebSocket close code for "try again later". */
const tryAgain = 1013

const schema = () => ({ action: inputJsonSchema(Action), observation: observationSchema, state: stateSchema })

/** Builds an error as FastAPI writes it, with our code added. */
function errorOf(error: unknown) {
  if (error instanceof OpenEnvError) {
    const { code, message, more } = error
    return { status: statusOf[code], detail: more['errors'] ?? message, error: { code, message, ...more } }
  }
  if (!isTermError(error)) throw error
  const { code, message, hint } = error
  return {
    status: code === 'message_too_large' ? 413 : 400,
    detail: `${message} ${hint}`,
    error: { code, message, hint },
  }
}

const metadata = z.record(z.string(), z.unknown()).describe('Whose turn it is and why, the exit code, times, ids.')

const observationSchema = inputJsonSchema(
  z.object({
    text: Observed,
    screen: z.string().optional().describe('With `observation: "both"`.'),
    terminated: z.boolean(),
    truncated: z.boolean(),
    metadata,
  }),
)

const stateSchema = inputJsonSchema(
  z.object({
    episode_id: z.string().nullable(),
    step_count: z.number().int(),
    environment_id: z.string().nullable(),
    terminal_id: z.string().nullable(),
    isolation: z.string().nullable(),
    reset_by: z.string().nullable(),
    workdir: z.string().nullable(),
  }),
)
