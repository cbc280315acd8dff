/** HTTP requests with exactly the headers of the test. */

import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const cutOff = () => {}

/** `fetch` would write the Host header itself. */
export function send(url: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method, headers: { ...headers } }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
    })
    sent.on('error', reject)
    // A client answered before it has sent everything is disconnected, and by then has no other listener for that.
    sent.on('socket', (socket) => socket.off('error', cutOff).on('error', cutOff))
    sent.end(body)
  })
}
