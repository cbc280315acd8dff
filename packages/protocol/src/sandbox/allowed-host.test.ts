import { expect, test } from 'vitest'
import { isAllowedHost, isLocalAddress } from './allowed-host.ts'

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

test('addresses of this machine and of networks around it are told from those of the wide network', () => {
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
