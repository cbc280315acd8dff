/** The protocol's own conformance suite, in the version that package.json names, with the newer Node that it needs. */

import { spawn } from 'node:child_process'
import { createServer, request as httpRequest, type Server } from 'node:http'
import { join } from 'node:path'
import { installed } from '../harness/installed.ts'

const { node, file, install } = installed('mcp-conformance', join(import.meta.dirname, 'package.json'))
const suite = file('@modelcontextprotocol', 'conformance', 'dist', 'index.js')

export const installSuite = install

export interface SuiteRun {
  readonly code: number
  /** The scenarios, by whether all of their checks passed. */
  readonly passed: readonly string[]
  readonly failed: readonly string[]
  readonly output: string
}

export function runSuite(url: string, ...args: readonly string[]): Promise<SuiteRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(node, [suite, 'server', '--url', url, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => {
        output += part
      })
    child.once('error', reject)
    child.once('close', (code) => {
      const named = (mark: string) =>
        [...output.matchAll(new RegExp(`^${mark} ([\\w-]+):`, 'gm'))].map(([, name]) => name ?? '')
      resolve({ code: code ?? -1, passed: named('✓'), failed: named('✗'), output })
    })
  })
}

/** A proxy before the ordinary server that adds the token, which the suite does not know. Everything else passes unchanged. */
export function withToken(target: string, token: string): Promise<{ url: string; close(): void }> {
  const { hostname, port } = new URL(target)
  const server: Server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` }
    const onward = httpRequest({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/mcp`
      const close = () => {
        server.close()
        server.closeAllConnections()
      }
      resolve({ url, close })
    })
  })
}
