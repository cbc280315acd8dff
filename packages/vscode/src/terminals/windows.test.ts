import { expect, test } from 'vitest'
import { type EditorWindow, windowFor } from './windows.ts'

const window = (pid: number, focusedAt: number, ...folders: readonly string[]): EditorWindow => ({
  pid,
  folders,
  focusedAt,
})

test.each([
  [
    'the window whose folder it is in',
    '/home/ada/app/src',
    [window(1, 9, '/home/ada/other'), window(2, 1, '/home/ada/app')],
    2,
  ],
  ['the window of the nearest folder', '/a/b/c', [window(1, 9, '/a'), window(2, 1, '/a/b')], 2],
  ['the most recently used window of those with the same folder', '/a', [window(1, 5, '/a'), window(2, 9, '/a')], 2],
  ['the most recently used window if none has the folder', '/tmp', [window(1, 5, '/a'), window(2, 9)], 2],
  ['not a window whose folder has only a common name prefix', '/a/bc', [window(1, 1, '/a/b'), window(2, 9)], 2],
  ['any in the root folder', '/etc', [window(1, 1, '/'), window(2, 9)], 1],
])('a terminal is shown in %s', (_, cwd, windows, pid) => {
  expect(windowFor(cwd, windows)?.pid).toBe(pid)
})

test('without windows there is none', () => {
  expect(windowFor('/a', [])).toBeNull()
})
