import { generateKeyPairSync, sign } from 'node:crypto'
import { devicesMax, type KeptDevices, signInCodesMax, wrongCodesMax, wrongCodesMs } from '@agentpty/protocol/page'
import { FakeClock, signInCodeMsDefault } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import { KnownDevices } from './known-devices.ts'

const everything = { access: { kind: 'all' }, forMs: null, withFile: false } as const

function fresh() {
  const clock = new FakeClock()
  const files = new Set<string>()
  let kept: KeptDevices | null = null
  const store = {
    load: () => kept,
    save: (devices: KeptDevices) => {
      kept = devices
    },
    putRedirect: (url: string) => {
      files.add(url)
      return url
    },
    dropRedirect: (file: string) => void files.delete(file),
  }
  const open = () => {
    const devices = new KnownDevices({ clock, store, codeMs: signInCodeMsDefault })
    devices.servedAt('http://127.0.0.1:17580')
    return devices
  }
  return { clock, files, open, devices: open() }
}

const codeOf = (url: string) => url.slice(url.indexOf('=') + 1)

function makeKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  const signed = (text: string) =>
    sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')
  return { publicKey: point.toString('base64url'), signed }
}

const { publicKey, signed } = makeKey()
const name = 'Firefox on Linux'

test('a code is good for a minute and not a moment longer', () => {
  const { clock, devices } = fresh()
  const early = devices.invite(everything)
  const late = devices.invite(everything)
  clock.advance(signInCodeMsDefault - 1)
  expect(devices.signIn({ code: codeOf(early.url), publicKey, name })).toMatchObject({ name })
  clock.advance(1)
  expect(() => devices.signIn({ code: codeOf(late.url), publicKey, name })).toThrow('has expired')
})

test('an origin that forwards the page is accepted with its code, and afterwards for as long as its device may come', () => {
  const { clock, devices } = fresh()
  const forwarded = { ...everything, forMs: 3_600_000, origin: 'http://127.0.0.1:8080' }
  devices.invite({ ...everything, origin: 'https://unused.example.com' })
  const { url } = devices.invite(forwarded)
  expect(devices.origins).toEqual(['https://unused.example.com', 'http://127.0.0.1:8080'])
  const device = devices.signIn({ code: codeOf(url), publicKey, name })
  clock.advance(signInCodeMsDefault)
  expect(devices.origins).toEqual(['http://127.0.0.1:8080'])
  expect(device).not.toHaveProperty('origin')
  clock.advance(3_600_000)
  expect(devices.origins).toEqual([])
})

test('the file that leads to the page goes with its code: used, expired, or pushed out', () => {
  const { clock, devices, files } = fresh()
  const invite = () => devices.invite({ ...everything, withFile: true })
  devices.signIn({ code: codeOf(invite().url), publicKey, name })
  expect(files.size).toBe(0)
  for (let n = 0; n < signInCodesMax + 3; n++) invite()
  expect(files.size).toBe(signInCodesMax)
  clock.advance(signInCodeMsDefault)
  expect(files.size).toBe(0)
})

test('wrong codes are looked at only so often, and again after a while', () => {
  const { clock, devices } = fresh()
  const guess = () => devices.signIn({ code: 'guess', publicKey, name })
  for (let n = 0; n < wrongCodesMax; n++) expect(guess).toThrow('never was one')
  expect(guess).toThrow('Too many')
  clock.advance(wrongCodesMs)
  expect(guess).toThrow('never was one')
})

test('a device is known by its key, also to the next daemon, until its time is over', () => {
  const { clock, devices, open } = fresh()
  const { url } = devices.invite({ access: { kind: 'view', terminalId: null }, forMs: 5_000, withFile: false })
  const { deviceId } = devices.signIn({ code: codeOf(url), publicKey, name })
  const next = open()
  expect(next.instance).toBe(devices.instance)
  expect(next.recognize({ deviceId, text: 'x', signature: signed('x') })).toMatchObject({ deviceId })
  expect(next.recognize({ deviceId, text: 'y', signature: signed('x') })).toBeNull()
  expect(next.recognize({ deviceId, text: 'x', signature: makeKey().signed('x') })).toBeNull()
  clock.advance(5_000)
  expect(next.recognize({ deviceId, text: 'x', signature: signed('x') })).toBeNull()
  expect(next.list()).toEqual([])
})

test('there are only so many devices, and a revoked one makes room', () => {
  const { devices } = fresh()
  const signIn = () => devices.signIn({ code: codeOf(devices.invite(everything).url), publicKey, name })
  const all = Array.from({ length: devicesMax }, signIn)
  expect(signIn).toThrow(`${devicesMax} devices`)
  devices.revoke(all[0]?.deviceId ?? '', 'a test')
  expect(signIn()).toMatchObject({ name })
})

test('without a page there is no code', () => {
  const { clock } = fresh()
  const store = { load: () => null, save: () => {}, putRedirect: () => '', dropRedirect: () => {} }
  const devices = new KnownDevices({ clock, store, codeMs: signInCodeMsDefault })
  expect(() => devices.invite(everything)).toThrow('HTTP is off')
})
