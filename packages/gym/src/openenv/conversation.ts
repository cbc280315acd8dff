/** A connection of OpenEnv: one environment, asked by messages that are answered one after the other, and closed when the connection ends. */

import { doorMessagesAheadMax } from '@agentpty/protocol/gym'
import { type Carrier, isObject, type JsonObject } from '@agentpty/protocol/wire'
import { OpenEnvError, SocketMessage } from './contract.ts'
import { checked, type OpenEnvEnvironment } from './environment.ts'

export interface ConversationParts {
  readonly carrier: Carrier & { end(code: number, reason: string): void }
  readonly environment: OpenEnvEnvironment
  readonly release: () => Promise<void>
}

const normal = 1000
const unexpected = 1011

/** Messages that end a conversation for its client. */
const last: readonly string[] = ['FACTORY_ERROR', 'CAPACITY_REACHED', 'SESSION_ERROR']

export class Conversation {
  readonly #parts: ConversationParts
  #last: Promise<void> = Promise.resolve()
  #waiting = 0

  constructor(parts: ConversationParts) {
    this.#parts = parts
  }

  message(text: string): void {
    if (this.#waiting >= doorMessagesAheadMax) {
      this.#refuse(new OpenEnvError('SESSION_ERROR', `${doorMessagesAheadMax} messages wait already.`))
      return
    }
    this.#waiting++
    this.#last = this.#last.then(() => this.#answer(text)).finally(() => this.#waiting--)
  }

  closed(): void {
    // A step that is under way is ended by it, and its answer goes nowhere.
    void this.#parts.release()
  }

  async #answer(text: string): Promise<void> {
    const { carrier } = this.#parts
    if (carrier.isClosed) return
    try {
      const answer = await this.#do(parsed(text))
      if (answer === null) carrier.end(normal, 'Closed.')
      else this.#send(answer)
    } catch (error) {
      this.#refuse(error)
    }
  }

  /** Null: it is over. Errors: {@link OpenEnvError}. */
  async #do({ type, data }: ReturnType<typeof parsed>): Promise<JsonObject | null> {
    const { environment } = this.#parts
    switch (type) {
      case 'reset':
        return { type: 'observation', data: await environment.reset(data) }
      case 'step':
        return { type: 'observation', data: await environment.step(data) }
      case 'state':
        return { type: 'state', data: environment.state() }
      case 'close':
        await this.#parts.release()
        return null
    }
  }

  #refuse(error: unknown): void {
    const { code, message, more } =
      error instanceof OpenEnvError ? error : new OpenEnvError('EXECUTION_ERROR', String(error))
    this.#send({ type: 'error', data: { message, code, ...more } })
    if (last.includes(code)) this.#parts.carrier.end(unexpected, code)
  }

  #send(answer: JsonObject): void {
    this.#parts.carrier.send(JSON.stringify(answer))
  }
}

function parsed(text: string) {
  const message = jsonOf(text)
  const type = isObject(message) ? message['type'] : undefined
  if (!SocketMessage.shape.type.safeParse(type).success)
    throw new OpenEnvError('UNKNOWN_TYPE', `Unknown message type: ${JSON.stringify(type) ?? 'none'}`)
  return checked(SocketMessage, message, 'Invalid message')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new OpenEnvError('INVALID_JSON', `Invalid JSON: ${String(error)}`)
  }
}
