import { expect, test } from 'vitest'
import { matchingEntries } from './palette.ts'

const entries = [
  ['Wall', ''],
  ['web server', 'term-3 working /srv/app'],
  ['Recordings', ''],
  ['Rename', 'this terminal'],
  ['build', 'term-7 at its prompt /srv/web'],
].map(([label = '', detail = '']) => ({ id: label, label, detail, shortcut: '', run: () => {} }))

test.each([
  ['', ['Wall', 'web server', 'Recordings', 'Rename', 'build']],
  ['w', ['Wall', 'web server', 'build']],
  ['re', ['Recordings', 'Rename']],
  ['server', ['web server']],
  ['term-7', ['build']],
  ['WEB srv', ['web server', 'build']],
  ['nothing', []],
])('what matches "%s", the best first', (typed, want) => {
  expect(matchingEntries(entries, typed).map(({ label }) => label)).toEqual(want)
})
