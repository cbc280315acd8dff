/** A server in one terminal and its client in another, on one private server; waits for the first output of either. */

import assert from 'node:assert/strict'
import { openTerminals } from 'agentpty'

await using terminals = await openTerminals()
const server = await terminals.open({
  name: 'server',
  command: ['python3', '-u', '-m', 'http.server', '0', '--bind', '127.0.0.1'],
  waitFor: { pattern: 'port \\d+' },
})
const [, port] = /port (\d+)/.exec((await server.read({ since: 0 })).output) ?? []

const client = await terminals.open({ name: 'client', shell: 'bash' })
const asked = client.run(
  `python3 -c "import urllib.request as r; print(r.urlopen('http://127.0.0.1:${port}/').status)"`,
)
const first = await terminals.first([server], { text: 'GET /' })
const status = (await asked).output.trim()
console.log(`${first === server ? 'the server' : 'no server'} saw the request; the client got ${status}`)

assert.equal(first, server)
assert.equal(status, '200')
