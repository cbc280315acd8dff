import { expect, test } from 'vitest'
import { belowDocument, forwardedOrigin, wirePath } from './page-messages.ts'

test.each([
  ['http://127.0.0.1:8080/proxy/17580/', 'http://127.0.0.1:8080'],
  ['http://localhost:45123/', 'http://localhost:45123'],
  ['https://code.example.com/proxy/17580/', 'https://code.example.com'],
  ['https://17580.code.example.com/', 'https://17580.code.example.com'],
  ['http://code.example.com/proxy/17580/', null],
  ['http://192.168.1.5:8080/', null],
  ['http://127.0.0.1.evil.example/', null],
  ['http://evil@127.0.0.1:8080/', null],
  ['http://127.0.0.1:8080/proxy/17580', null],
  ['http://127.0.0.1:8080/?x', null],
  ['javascript:alert(1)/', null],
  ['', null],
])('the page forwarded at %s has the origin %s', (address, origin) => {
  expect(forwardedOrigin(address)).toBe(origin)
})

test.each([
  ['http://127.0.0.1:17580/#/needs', 'http://127.0.0.1:17580/wire'],
  ['http://127.0.0.1:8080/proxy/17580/#/wall', 'http://127.0.0.1:8080/proxy/17580/wire'],
])('a page at %s opens its socket at %s', (document, socket) => {
  expect(new URL(belowDocument(wirePath), document).href).toBe(socket)
})
