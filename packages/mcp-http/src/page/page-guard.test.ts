import { describe, expect, test } from 'vitest'
import { originOf, refuseAddress, refuseContent, refuseElsewhere } from './page-guard.ts'

const addresses = {
  port: 17_580,
  names: ['box.example.ts.net', 'box.lan:8443'],
  origins: ['http://127.0.0.1:8080', 'https://code.example.com'],
}

describe('the Host', () => {
  test.each([
    ['127.0.0.1:17580', 'http://127.0.0.1:17580'],
    ['localhost:17580', 'http://localhost:17580'],
    ['[::1]:17580', 'http://[::1]:17580'],
    ['box.example.ts.net', 'https://box.example.ts.net'],
    ['box.lan:8443', 'https://box.lan:8443'],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['code.example.com', 'https://code.example.com'],
    ['localhost:8080', null],
    ['code.example.com:8080', null],
    ['LOCALHOST:17580', null],
    ['localhost', null],
    ['localhost:17581', null],
    ['localhost.:17580', null],
    ['127.1:17580', null],
    ['0.0.0.0:17580', null],
    ['evil@127.0.0.1:17580', null],
    ['evil.example.ts.net', null],
    ['box.lan', null],
    ['', null],
    [undefined, null],
  ])('%s is the page at %s', (host, origin) => {
    expect(originOf(host, addresses)).toBe(origin)
  })
})

test('an address has no query, not even an empty one', () => {
  const headers = { host: 'localhost:17580' }
  expect(refuseAddress(headers, '/', addresses)).toBeNull()
  expect(refuseAddress(headers, '/?', addresses)?.status).toBe(400)
})

test.each<[string, Record<string, string>, 'post' | 'upgrade', boolean]>([
  ['our page', { origin: 'http://localhost:17580', 'sec-fetch-site': 'same-origin' }, 'post', true],
  ['our page at its other name', { origin: 'http://127.0.0.1:17580', 'sec-fetch-site': 'same-origin' }, 'post', false],
  ['our page without HTTPS', { origin: 'https://localhost:17580', 'sec-fetch-site': 'same-origin' }, 'post', false],
  ['a typed address', { origin: 'http://localhost:17580', 'sec-fetch-site': 'none' }, 'post', false],
  ['a browser that does not say', { origin: 'http://localhost:17580' }, 'post', false],
  ['a browser that does not say with a socket', { origin: 'http://localhost:17580' }, 'upgrade', true],
  ['a socket of another port', { origin: 'http://localhost:3000' }, 'upgrade', false],
  ['no browser', {}, 'upgrade', false],
  ['a forwarded page', { host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080' }, 'upgrade', true],
  ['a forwarded page at the own address', { origin: 'http://127.0.0.1:8080' }, 'upgrade', false],
  ['our page at a forwarded address', { host: '127.0.0.1:8080', origin: 'http://localhost:17580' }, 'upgrade', false],
])('%s %j (%s) is allowed: %s', (_who, headers, kind, isIn) => {
  expect(refuseElsewhere({ host: 'localhost:17580', ...headers }, addresses, kind) === null).toBe(isIn)
})

test.each([
  ['application/json', true],
  ['application/json; charset=utf-8', true],
  ['application/jsonp', false],
  ['text/plain', false],
  ['', false],
])('a body of type "%s" is taken: %s', (type, isTaken) => {
  expect(refuseContent({ 'content-type': type }) === null).toBe(isTaken)
})
