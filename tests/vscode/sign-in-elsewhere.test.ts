/** The editor as a device of a daemon on another machine: signed in with a code, recognised by its key, and signed out when revoked. */

import assert from 'node:assert/strict'
import { beforeAll, expect, test } from 'vitest'
import {
  addressAndCode,
  type KnownDevice,
  openElsewhere,
  signInElsewhere,
} from '../../packages/vscode/src/link/open-elsewhere.ts'
import { Instance } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance({ AGENTPTY_HTTP_PORT: '0' })
const printed = async () => addressAndCode((await instance.cli('open', '--print')).stdout) ?? assert.fail('no address')

let address: string
let device: KnownDevice
const key = async () => device

beforeAll(async () => {
  const { code, ...at } = await printed()
  address = at.address
  device = await signInElsewhere(address, code)
})

test('its key opens the wire: terminals are opened there and followed', async () => {
  const client = await openElsewhere(address, key)
  const { terminalId } = await client.call('create', { command: ['sh', '-c', 'echo from there; cat'] })
  for await (const event of client.follow(terminalId, { output: { from: 'screen' } }))
    if (event.type === 'snapshot' && event.text.includes('from there')) break
  await client.close()
  await client.ended
  const person = await instance.rpc({}, { isPerson: true })
  expect((await person.call('devices', {})).devices).toMatchObject([
    { deviceId: device.deviceId, name: 'VS Code on Linux' },
  ])
})

test('a code works once, and an invalid address is not contacted', async () => {
  const { code } = await printed()
  await signInElsewhere(address, code)
  await expect(signInElsewhere(address, code)).rejects.toMatchObject({ code: 'denied' })
  expect(addressAndCode('http://127.0.0.1:17580/?c=abc')).toBeNull()
  expect(addressAndCode('agentpty open')).toBeNull()
})

test('without a key, with another one’s key, and after a revocation, no connection opens', async () => {
  await expect(openElsewhere(address, async () => null)).rejects.toMatchObject({ code: 'denied' })
  const other = await signInElsewhere(address, (await printed()).code)
  const mixed = { ...other, deviceId: device.deviceId }
  await expect(openElsewhere(address, async () => mixed)).rejects.toMatchObject({ code: 'denied' })
  const client = await openElsewhere(address, key)
  const person = await instance.rpc({}, { isPerson: true })
  await person.call('revokeDevice', { deviceId: device.deviceId })
  await client.ended
  await expect(openElsewhere(address, key)).rejects.toMatchObject({ code: 'denied' })
})

test('an unreachable address is reported, with the next step', async () => {
  const closed = new Instance({ AGENTPTY_HTTP_PORT: '0' })
  const { stdout } = await closed.cli('open', '--print')
  const at = addressAndCode(stdout) ?? assert.fail('no address')
  assert.deepEqual(await closed.stop(), [])
  await expect(openElsewhere(at.address, key)).rejects.toMatchObject({ code: 'daemon_gone', hint: /forwarded/ })
  await expect(signInElsewhere(at.address, at.code)).rejects.toMatchObject({ code: 'daemon_gone' })
})
