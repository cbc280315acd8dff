import { pushEndpointCharactersMax } from '@agentpty/protocol/page'
import { describe, expect, test } from 'vitest'
import { checkEndpoint, isPublic, lookupFor, privateAddress } from './endpoint.ts'

const none: ReadonlySet<string> = new Set()

describe('the address of a push service', () => {
  test.each([
    ['https://fcm.googleapis.com/fcm/send/abc:def'],
    ['https://updates.push.services.mozilla.com/wpush/v2/x'],
    ['https://web.push.apple.com/QX'],
    ['https://wns2-am3p.notify.windows.com/w/?token=x'],
    ['https://8.8.8.8/x'],
    ['https://[2606:4700::1111]/x'],
  ])('%s is accepted', (endpoint) => {
    expect(checkEndpoint(endpoint, none).href).toBe(endpoint)
  })

  test.each([
    ['no URL', 'push'],
    ['plain HTTP', 'http://push.example.com/x'],
    ['a file', 'file:///etc/passwd'],
    ['a script', 'javascript:alert(1)'],
    ['this machine', 'https://127.0.0.1/x'],
    ['this machine as a number', 'https://2130706433/x'],
    ['this machine in hexadecimal', 'https://0x7f.1/x'],
    ['this machine in IPv6', 'https://[::1]/x'],
    ['this machine as IPv4 in IPv6', 'https://[::ffff:127.0.0.1]/x'],
    ['any address', 'https://0.0.0.0/x'],
    ['a private network', 'https://192.168.1.1/x'],
    ['a network of a carrier', 'https://100.100.1.1/x'],
    ['the metadata of a cloud', 'https://169.254.169.254/latest/meta-data/'],
    ['a private network of IPv6', 'https://[fd00::1]/x'],
    ['a link of IPv6', 'https://[fe80::1]/x'],
    ['IPv4 behind a translator', 'https://[64:ff9b::7f00:1]/x'],
    ['IPv4 in a tunnel', 'https://[2002:7f00:1::]/x'],
    ['plain HTTP on this machine', 'http://127.0.0.1:8080/x'],
    ['a password', 'https://user:pass@push.example.com/x'],
    ['a fragment', 'https://push.example.com/x#y'],
    ['10 kB', `https://push.example.com/${'x'.repeat(10_000)}`],
  ])('%s is refused', (_what, endpoint) => {
    expect(() => checkEndpoint(endpoint, none)).toThrow(expect.objectContaining({ code: 'invalid_input' }))
  })

  test('the longest address is accepted', () => {
    const endpoint = 'https://push.example.com/'.padEnd(pushEndpointCharactersMax, 'x')
    expect(checkEndpoint(endpoint, none).href).toBe(endpoint)
  })
})

test('a host of the configuration is accepted at its port alone, over HTTP on loopback only', () => {
  const allowed = new Set(['127.0.0.1:8080', '192.168.1.1', 'push.lan:8443'])
  expect(() => checkEndpoint('http://127.0.0.1:8080/x', allowed)).not.toThrow()
  expect(() => checkEndpoint('https://192.168.1.1/x', allowed)).not.toThrow()
  expect(() => checkEndpoint('https://push.lan:8443/x', allowed)).not.toThrow()
  for (const other of [
    'http://127.0.0.1:8081/x',
    'http://192.168.1.1/x',
    'http://push.lan:8443/x',
    'http://127.0.0.1/x',
  ])
    expect(() => checkEndpoint(other, allowed)).toThrow()
})

const resolve = (endpoint: string, allowed: ReadonlySet<string>, all: boolean) =>
  new Promise((resolve) => {
    const url = new URL(endpoint)
    lookupFor(url, allowed)(url.hostname, { all }, (error, address) => resolve(error?.code ?? address))
  })

test.each([true, false])('a public name with a private address is refused at the connection (all: %s)', async (all) => {
  expect(await resolve('https://localhost/x', none, all)).toBe(privateAddress)
  const allowed = await resolve('https://localhost/x', new Set(['localhost']), all)
  expect(JSON.stringify(allowed)).toMatch(/127\.0\.0\.1|::1/)
})

test.each([
  ['1.1.1.1', true],
  ['172.15.0.1', true],
  ['172.16.0.1', false],
  ['172.31.255.255', false],
  ['198.18.0.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['2a00:1450:4001::1', true],
  ['2001:db8::1', false],
  ['fe80::1%eth0', false],
  ['::', false],
  ['not an address', false],
])('%s is public: %s', (address, want) => {
  expect(isPublic(address)).toBe(want)
})
