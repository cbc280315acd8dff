// The built agentpty. It also records the protocol version of each tool call, in the file `spoken` in the home.
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

let opened = ''

function keepVersion(way, line) {
  if (line.trim() === '') return
  const { method, params } = JSON.parse(line)
  if (method === 'initialize') opened = params.protocolVersion
  if (method !== 'tools/call') return
  const version = params._meta?.['io.modelcontextprotocol/protocolVersion'] ?? opened
  appendFileSync(join(homedir(), 'spoken'), `${way} ${version}\n`)
}

/** Copies the bytes that arrive in a stream: a listener would take them from their reader. */
function tap(stream, way) {
  const push = stream.push
  let text = ''
  stream.push = function (bytes, ...rest) {
    const lines = (text + (bytes ?? '\n')).split('\n')
    text = lines.pop()
    for (const line of lines) keepVersion(way, line)
    return push.call(this, bytes, ...rest)
  }
}

subscribe('http.server.request.start', ({ request }) => tap(request, 'HTTP'))
if (process.argv[2] === 'mcp') tap(process.stdin, 'stdio')

await import('../../packages/agentpty/bin/agentpty.js')
