/** A daemon with the gym's doors open, used like programs that know an address and a token. */

import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { Instance } from '../harness/instance.ts'

export interface Answer {
  readonly status: number
  // The raw response that another system's client reads.
  readonly body: Readonly<Record<string, never>>
}

export class Door {
  readonly instance: Instance
  readonly url: string
  readonly token: string

  /** @param config - The text of `config.yaml`. */
  static async open(config: string, env: Readonly<Record<string, string>> = {}): Promise<Door> {
    const instance = new Instance(env)
    mkdirSync(instance.paths.configFolder, { recursive: true })
    const file = join(instance.paths.configFolder, 'config.yaml')
    writeFileSync(file, config)
    chownSync(file, process.getuid?.() ?? 0, process.getgid?.() ?? 0)
    const { http } = await instance.status()
    return new Door(instance, http?.url ?? '', await instance.token())
  }

  private constructor(instance: Instance, url: string, token: string) {
    this.instance = instance
    this.url = url
    this.token = token
  }

  async ask(path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const known = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json', ...headers }
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const response = await fetch(`${this.url}${path}`, { headers: known, ...sent })
    return { status: response.status, body: (await response.json()) as Answer['body'] }
  }

  converse(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Conversation> {
    return Conversation.open(`${this.url.replace(/^http/, 'ws')}${path}`, {
      authorization: `Bearer ${this.token}`,
      ...headers,
    })
  }
}

export interface Message {
  readonly type: string
  readonly data: Answer['body']
}

/** A WebSocket that sends requests and receives answers. */
export class Conversation {
  readonly #web: WebSocket
  readonly #messages: Message[] = []
  readonly #takers: ((message: Message | null) => void)[] = []
  /** The close code. */
  readonly closed: Promise<number>

  static open(url: string, headers: Readonly<Record<string, string>>): Promise<Conversation> {
    const web = new WebSocket(url, { headers: { ...headers } })
    // Listens immediately: a server may send a message before the connection is reported as open.
    const conversation = new Conversation(web)
    return new Promise((resolve, reject) => {
      web.once('open', () => resolve(conversation))
      web.once('unexpected-response', (_request, response) => reject(new Error(String(response.statusCode))))
      web.once('error', reject)
    })
  }

  private constructor(web: WebSocket) {
    this.#web = web
    web.on('message', (data) => {
      const message = JSON.parse(String(data)) as Message
      const taker = this.#takers.shift()
      if (taker === undefined) this.#messages.push(message)
      else taker(message)
    })
    this.closed = new Promise((resolve) => web.once('close', resolve))
    void this.closed.then(() => {
      for (const taker of this.#takers) taker(null)
    })
  }

  send(message: unknown): void {
    this.#web.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  /** Null when it was closed without another message. */
  next(): Promise<Message | null> {
    const message = this.#messages.shift()
    return message === undefined ? new Promise((taken) => this.#takers.push(taken)) : Promise.resolve(message)
  }

  async ask(message: unknown): Promise<Message> {
    this.send(message)
    const answer = await this.next()
    if (answer === null) throw new Error('It was closed.')
    return answer
  }

  /** Closes it as a killed client does. */
  break(): void {
    this.#web.terminate()
  }
}
