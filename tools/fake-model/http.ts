/** The required part of HTTP. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'

export async function readAll(incoming: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(response.req.method === 'HEAD' ? undefined : JSON.stringify(body))
}

/** Serves only this machine. Resolves with the address. */
export function listen(server: Server, port: number): Promise<string> {
  const host = '127.0.0.1'
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      if (typeof address === 'object' && address !== null) resolve(`http://${host}:${address.port}`)
    })
  })
}
