import { expect, test } from 'vitest'
import { networkHostProblem, parseNetworkHost } from './network-host.ts'
import { Sandbox } from './sandbox.ts'

test.each([
  'example.com',
  'Example.COM:443',
  '*.example.com',
  '*.example.com:8443',
  'localhost:3000',
  'db',
  'my_service.internal',
  'xn--bcher-kva.example',
  '3com.example',
  '1.2.3.example',
  '10.0.0.1',
  '127.0.0.1:8080',
  '[::1]',
  '[2001:DB8::1]:443',
  '[::ffff:10.0.0.1]',
  `${'a'.repeat(63)}.example`,
])('a host: %s', (item) => {
  expect(networkHostProblem(item)).toBeNull()
  expect(Sandbox.safeParse({ network: [item] }).success).toBe(true)
})

test.each<[string, string]>([
  ['', 'an empty item'],
  [' ', 'an empty item'],
  ['nowhere..x', 'a dot too many; write nowhere.x'],
  ['example.com.', 'a dot too many; write example.com'],
  ['.example.com', 'write *.example.com for what is below it'],
  ['.', 'no name'],
  ['..', 'no name'],
  ['*', 'for that the network is on'],
  ['on', 'stands alone'],
  ['off', 'stands alone'],
  ['*.', 'no name'],
  ['*..example.com', 'write *.example.com'],
  ['*.*.example.com', 'only at the beginning'],
  ['api.*.example.com', 'only at the beginning'],
  ['*example.com', 'only at the beginning'],
  ['example.*', 'only at the beginning'],
  ['*.10.0.0.1', 'nothing is below an address; write 10.0.0.1'],
  ['*.[::1]', 'no address of IPv6'],
  ['example.com:', 'a number from 1 to 65535'],
  ['example.com:0', 'a number from 1 to 65535'],
  ['example.com:0443', 'a number from 1 to 65535'],
  ['example.com:65536', 'a number from 1 to 65535'],
  ['example.com:https', 'a number from 1 to 65535'],
  ['example.com:*', 'a number from 1 to 65535'],
  ['[::1]:99999', 'a number from 1 to 65535'],
  [':443', 'no name'],
  ['https://example.com/x', 'write example.com'],
  ['https://*.example.com', 'write *.example.com'],
  ['example.com/x', 'write example.com'],
  ['me@example.com', 'write example.com'],
  ['example.com example.org', 'blanks'],
  ['bücher.example', 'write it as programs ask for it: xn--bcher-kva.example'],
  ['*.bücher.example', '*.xn--bcher-kva.example'],
  ['example。com', 'example.com'],
  ['::1', 'write [::1]'],
  ['2001:db8::1', 'write [2001:db8::1]'],
  ['[::1', 'no address of IPv6'],
  ['::1]', 'no address of IPv6'],
  ['[::zz]', 'no address of IPv6'],
  ['[fe80::1%eth0]', 'no address of IPv6'],
  ['[10.0.0.1]', 'no address of IPv6'],
  ['[]', 'no address of IPv6'],
  ['a:b:c', 'no address of IPv6'],
  ['1.2.3', 'no whole address of IPv4'],
  ['1.2.3.4.5', 'no whole address of IPv4'],
  ['256.0.0.1', 'no whole address of IPv4'],
  ['010.0.0.1', 'no whole address of IPv4'],
  ['127.1', 'no whole address of IPv4'],
  ['2130706433', 'no whole address of IPv4'],
  ['0x7f000001', 'no whole address of IPv4'],
  ['-a.example', 'letters, digits'],
  ['a-.example', 'letters, digits'],
  ['a!b.example', 'letters, digits'],
  [`${'a'.repeat(64)}.example`, 'letters, digits'],
])('no host: %s', (item, problem) => {
  expect(networkHostProblem(item)).toContain(problem)
  expect(Sandbox.safeParse({ network: [item] }).success).toBe(false)
})

test.each<[string, string, number | null]>([
  ['Example.com', 'example.com', null],
  ['*.example.com:443', '*.example.com', 443],
  ['[0:0:0:0:0:0:0:1]:80', '::1', 80],
  ['[2001:DB8:0::1]', '2001:db8::1', null],
])('%s is read as a host and its port', (item, host, port) => {
  expect(parseNetworkHost(item)).toEqual({ host, port })
})

test('every item that is advised is one', () => {
  const wrong = [
    'nowhere..x',
    '.example.com',
    'https://example.com/x',
    'bücher.example',
    '::1',
    '*.10.0.0.1',
    'a..b:80',
  ]
  for (const item of wrong) {
    const [, advised = ''] = /(?:write|for it:) (\S+?)(?: |$)/.exec(networkHostProblem(item) ?? '') ?? []
    expect([item, networkHostProblem(advised)]).toEqual([item, null])
  }
})
