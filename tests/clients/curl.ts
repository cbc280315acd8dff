/** The program curl, one request at a time. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../harness/instance.ts'
import { envelope, type Message, notification, opening, request, resultOf } from '../harness/mcp-messages.ts'
import type { AgentHome } from './agent-home.ts'
import { type Speaker, speakerOf } from './speaker.ts'

interface CurlResult {
  readonly status: number
  readonly session: string | undefined
  readonly body: string
}

type Headers = Readonly<Record<string, string>>

class Curl {
  readonly #home: AgentHome
  readonly #url: string
  readonly #headers: Headers

  private constructor(home: AgentHome, url: string, token: string) {
    this.#home = home
    this.#url = url
    this.#headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    }
  }

  static async to(home: AgentHome): Promise<Curl> {
    const { url, token } = await home.address()
    return new Curl(home, url, token)
  }

  async send(headers: Headers, body?: string): Promise<CurlResult> {
    const headerFile = join(this.#home.path, 'curl-headers')
    const flags = Object.entries({ ...this.#headers, ...headers }).flatMap(([name, value]) => [
      '-H',
      `${name}: ${value}`,
    ])
    const what = body === undefined ? ['-X', 'DELETE'] : ['--data-binary', body]
    const { code, stdout, stderr } = await run(
      'curl',
      ['-sS', '-D', headerFile, ...flags, ...what, this.#url],
      this.#home.env,
    )
    assert.equal(code, 0, stderr)
    const head = readFileSync(headerFile, 'latin1')
    const status = Number(/^HTTP\/\S+ (\d+)/.exec(head)?.[1])
    return { status, session: /^mcp-session-id: (\S+)/im.exec(head)?.[1], body: stdout }
  }
}

function messageOf({ body }: CurlResult): Message {
  const line = body.split('\n').find((one) => one.startsWith('data: {'))
  return JSON.parse(line === undefined ? body : line.slice('data: '.length))
}

/** Uses a session, which its DELETE ends. */
export async function curlOld(home: AgentHome, era: string): Promise<Speaker> {
  const curl = await Curl.to(home)
  const opened = await curl.send({}, request(0, 'initialize', opening(era)))
  const session = { 'Mcp-Session-Id': opened.session ?? '', 'MCP-Protocol-Version': era }
  assert.equal((await curl.send(session, notification('notifications/initialized'))).status, 202)
  let id = 0
  return speakerOf(
    async (method, params) => resultOf(messageOf(await curl.send(session, request(++id, method, params)))),
    async () => {
      assert.equal((await curl.send(session)).status, 200)
      assert.equal((await curl.send(session, request(++id, 'tools/list'))).status, 404)
    },
  )
}

/** Each request without a session. */
export async function curlNew(home: AgentHome, era: string): Promise<Speaker> {
  const curl = await Curl.to(home)
  let id = 0
  return speakerOf(
    async (method, params = {}) => {
      const name = params['name'] ?? params['uri']
      const named = name === undefined ? {} : { 'Mcp-Name': String(name) }
      const headers = { 'MCP-Protocol-Version': era, 'Mcp-Method': method, ...named }
      const result = await curl.send(headers, request(++id, method, { ...params, _meta: envelope(era) }))
      return resultOf(messageOf(result))
    },
    async () => {},
  )
}
