import { expect, test } from 'vitest'
import { absolutePath, otherHostIn, partsOf, targetOf } from './link-target.ts'

const web = (href: string, host: string) => ({ kind: 'web', href, host })

test.each([
  ['an address', 'https://x.example/a?b#c', web('https://x.example/a?b#c', 'x.example')],
  ['a port', 'http://localhost:5173/', web('http://localhost:5173/', 'localhost:5173')],
  [
    'letters of another script in the host',
    'https://ex\u0430mple.com/',
    web('https://xn--exmple-4nf.com/', 'xn--exmple-4nf.com'),
  ],
  [
    'marks that turn the direction of text',
    'https://x.example/\u202egpj',
    web('https://x.example/%E2%80%AEgpj', 'x.example'),
  ],
])('%s can be opened, and is shown without a disguise', (_what, address, want) => {
  expect(targetOf(address)).toEqual(want)
})

test.each([
  ['a script', 'javascript:alert(1)'],
  ['a script with a tab in its scheme', 'java\tscript:alert(1)'],
  ['a file', 'file:///etc/passwd'],
  ['data', 'data:text/html,x'],
  ['a command of an editor', 'vscode://file/etc/passwd'],
  ['a relative address', '/settings'],
  ['an address without a host', 'https://'],
])('%s is never opened', (_what, address) => {
  expect(targetOf(address)).toMatchObject({ kind: 'other' })
})

test('shapeless characters of other addresses are visible', () => {
  expect(targetOf('file:///a\u202eb\u200bc')).toEqual({ kind: 'other', address: 'file:///a\ufffdb\ufffdc' })
})

test.each([
  ['https://good.example/', 'https://evil.example/', 'good.example'],
  ['https://good.example/', 'javascript:alert(1)', 'good.example'],
  ['https://good.example/a', 'https://good.example/b', null],
  ['the docs', 'https://evil.example/', null],
])('the text %s of a link to %s names another host: %s', (text, address, want) => {
  expect(otherHostIn(text, targetOf(address))).toBe(want)
})

test.each([
  ['https://x.example/a', ['https://', 'x.example', '/a']],
  ['https://good.example@evil.example/', ['https://good.example@', 'evil.example', '/']],
  ['https://u:p@evil.example:8443/?q', ['https://u:p@', 'evil.example:8443', '/?q']],
])('the host of %s is a part of its own', (address, want) => {
  const target = targetOf(address)
  expect(target.kind === 'web' && partsOf(target)).toEqual(want)
})

test.each([
  ['src/a.ts:3', '/srv/app', '/srv/app/src/a.ts:3'],
  ['./a.ts:3', '/srv/app/', '/srv/app/a.ts:3'],
  ['/etc/hosts:1', '/srv/app', '/etc/hosts:1'],
  ['~/a.ts:3', '/srv/app', '~/a.ts:3'],
  ['src/a.ts:3', '', 'src/a.ts:3'],
])('%s in %s is %s', (path, folder, want) => {
  expect(absolutePath(path, folder)).toBe(want)
})
