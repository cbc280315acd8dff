/** The page's app as a route of Node's server: what a request must be is checked before anything is made of it, and its body is bounded. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { pushWorkerPath, signInBytesMax, signInPath, wirePath } from '@agentpty/protocol/page'
import type { Hono } from 'hono'
import { readBody } from '../http/answer-page.ts'
import { sendJson } from '../http/http-server.ts'
import type { Checked } from './page-app.ts'
import {
  originOf,
  type PageAddresses,
  type PageRefusal,
  pageHeaders,
  refuseAddress,
  refuseContent,
  refuseElsewhere,
} from './page-guard.ts'

export const isPagePath = (path: string): boolean =>
  ['/', signInPath, wirePath, pushWorkerPath].includes(path) || path.startsWith('/assets/')

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST'])

export function pageRoute(app: Hono<Checked>, addresses: () => PageAddresses) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', headers, url = '/' } = request
    const refusal =
      refuseAddress(headers, url, addresses()) ??
      (method === 'POST' ? (refuseElsewhere(headers, addresses(), 'post') ?? refuseContent(headers)) : null)
    if (refusal !== null) return refuse(response, refusal)
    const origin = originOf(headers.host, addresses()) ?? ''
    if (!methods.has(method))
      return answer(response, 405, { error: `No ${method} here.` }, { allow: 'GET, HEAD, POST' })
    const body = method === 'POST' ? await readBody(request, signInBytesMax) : ''
    if (body === null) return answer(response, 413, { error: `At most ${signInBytesMax} bytes.` })
    const asked = new Request(origin + url, initOf(method, headers, body))
    await give(response, await app.fetch(asked, { origin }), method)
  }
}

function initOf(method: string, headers: IncomingMessage['headers'], body: string): RequestInit {
  const kept = ['accept-encoding', 'content-type', 'user-agent'].flatMap((name): [string, string][] => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return method === 'POST' ? { method, headers: kept, body } : { method, headers: kept }
}

async function give(response: ServerResponse, answered: Response, method: string): Promise<void> {
  const bytes = Buffer.from(await answered.arrayBuffer())
  const headers = { ...Object.fromEntries(answered.headers), 'content-length': String(bytes.length) }
  response.writeHead(answered.status, headers)
  response.end(method === 'HEAD' ? undefined : bytes)
}

function refuse(response: ServerResponse, { status, message, hint }: PageRefusal): void {
  answer(response, status, { error: { code: 'forbidden', message, hint } })
}

function answer(
  response: ServerResponse,
  status: number,
  body: object,
  more: Readonly<Record<string, string>> = {},
): void {
  sendJson(response, status, body, { 'cache-control': 'no-store', ...pageHeaders(null, null), ...more })
}
