/** Notifications of open requests: a real server at the other end of a webhook, and a real program. */

import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()

interface Got {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Answers the first request with an error. */
async function receiver() {
  const got: Got[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      got.push({ headers: request.headers, body: Buffer.concat(parts).toString() })
      response.writeHead(got.length === 1 ? 503 : 204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { got, url: `http://127.0.0.1:${port}/hook`, close: () => server.close() }
}

test('an open password prompt is sent both ways, signed, retried, and withdrawn when it is typed', async () => {
  const { got, url, close } = await receiver()
  const sentFile = join(instance.user, 'sentFile')
  const secret = `whsec_${Buffer.from('a secret of the test').toString('base64')}`
  const program = join(instance.user, 'hook.mjs')
  writeFileSync(
    program,
    `import { appendFileSync, readFileSync } from 'node:fs'\nappendFileSync(process.argv[2], readFileSync(0))\n`,
  )
  const command = JSON.stringify([process.execPath, program, sentFile])
  writeFileSync(
    join(instance.home, 'config.yaml'),
    `notify:\n  command: ${command}\n  webhook: ${url}\n  secret: ${secret}\n  after: 1\n`,
  )
  const client = await instance.rpc({}, { isPerson: true })
  const asking = ['bash', '-c', "read -rsp 'Passphrase for key: ' x; exec cat"]
  const { terminalId } = await client.call('create', { command: asking, waitFor: 'ready' })
  const lines = () => (existsSync(sentFile) ? readFileSync(sentFile, 'utf8').trim().split('\n') : [])
  await until(() => got.length >= 2 && lines().length === 1)

  const [first, again] = got
  expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  expect(JSON.parse(again?.body ?? '')).toMatchObject({ type: 'need', data: { kind: 'password', terminalId } })
  expect(again?.body).not.toContain('Passphrase')
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signed } = again?.headers ?? {}
  const key = Buffer.from('a secret of the test')
  expect(signed).toBe(`v1,${createHmac('sha256', key).update(`${id}.${at}.${again?.body}`).digest('base64')}`)
  expect(JSON.parse(lines()[0] ?? '')).toMatchObject({ type: 'need', need: { text: 'Passphrase for key:' } })

  await client.call('secret', { terminalId, text: 'correct horse' })
  await until(() => got.length >= 3 && lines().length === 2)
  expect(JSON.parse(got[2]?.body ?? '')).toMatchObject({ type: 'withdrawn', data: { terminalId } })
  expect(JSON.parse(lines()[1] ?? '')).toMatchObject({ type: 'withdrawn', need: { terminalId } })
  const { stdout } = await instance.cli('config', '--json')
  expect(stdout).not.toContain(secret)
  close()
})
