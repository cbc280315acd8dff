import { expect, test } from 'vitest'
import { isAllowedHost, isLocalAddress, networkHostProblem, parseNetworkHost } from './network-host.ts'
import { Sandbox } from './sandbox.ts'

test.each<[string, string[], string, number, boolean]>([
  ['a name is that name', ['example.com'], 'example.com', 443, true],
  ['in any case, and with the dot of DNS', ['Example.com'], 'EXAMPLE.com.', 443, true],
  ['and nothing below it', ['example.com'], 'api.example.com', 443, false],
  ['or that ends like it', ['example.com'], 'notexample.com', 443, false],
  ['or goes on', ['example.com'], 'example.com.evil.example', 443, false],
  ['a star is all below it, at any depth', ['*.example.com'], 'a.b.example.com', 443, true],
  ['and not itself', ['*.example.com'], 'example.com', 443, false],
  ['a port is that port', ['example.com:443'], 'example.com', 443, true],
  ['and no other', ['example.com:443'], 'example.com', 80, false],
  ['an address is itself', ['127.0.0.1:8080'], '127.0.0.1', 8080, true],
  ['also of version 6', ['[::1]:8080'], '::1', 8080, true],
  ['which has several forms', ['[0:0:0:0:0:0:0:1]'], '::1', 80, true],
  ['a name is no pattern', ['example.com'], 'exampleXcom', 443, false],
])('%s', (_what, allowed, host, port, isAllowed) => {
  expect(isAllowedHost(allowed, host, port)).toBe(isAllowed)
})

test('addresses of this machine and of networks around it are distinguished from those of the wide network', () => {
  const local = [
    '127.0.0.1',
    '127.1.2.3',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
  ]
  const local6 = [
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '64:ff9b::1',
    '2002:7f00:1::',
    '2001:0:1::',
  ]
  const wide = [
    '93.184.216.34',
    '172.32.0.1',
    '100.128.0.1',
    '2606:2800:220:1::1',
    '2001:db8::1',
    '::ffff:93.184.216.34',
  ]
  expect([...local, ...local6].filter((address) => !isLocalAddress(address))).toEqual([])
  expect(wide.filter(isLocalAddress)).toEqual([])
})

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
