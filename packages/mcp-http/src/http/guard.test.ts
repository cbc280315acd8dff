import { expect, test } from 'vitest'
import { isFromOwnPage } from './guard.ts'

const host = '127.0.0.1:17580'

test.each<[string, Record<string, string>, boolean]>([
  ['our own page', { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }, true],
  ['our own page in a browser that sends no site', { origin: `http://${host}` }, true],
  ['no browser', {}, true],
  ['a page of another port', { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-site' }, false],
  ['a page of another port in a browser that sends no site', { origin: 'http://127.0.0.1:3000' }, false],
  ['a page under another name of this machine', { origin: 'http://localhost:17580' }, false],
  ['a page that hides its origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }, false],
  [
    'a page that hides its origin, of the same site as it says',
    { origin: 'null', 'sec-fetch-site': 'same-origin' },
    false,
  ],
  ['a page over https', { origin: `https://${host}` }, false],
  ['a browser that sends the site alone', { 'sec-fetch-site': 'cross-site' }, false],
  ['an address that a person typed', { 'sec-fetch-site': 'none' }, false],
])('what %s sends is taken: %j %s', (_who, headers, want) => {
  expect(isFromOwnPage({ host, ...headers })).toBe(want)
})
