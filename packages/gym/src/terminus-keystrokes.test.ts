import { encodeKeys } from '@agentpty/engine/keys'
import { describe, expect, test } from 'vitest'
import { translateKeystrokes } from './terminus-keystrokes.ts'

describe('a name alone is a key:', () => {
  test.each([
    ['C-c', 'ctrl+c'],
    ['C-d', 'ctrl+d'],
    ['C-C', 'ctrl+c'],
    ['^C', 'ctrl+c'],
    ['^[', 'ctrl+['],
    ['C-\\', 'ctrl+\\'],
    ['Enter', 'enter'],
    ['KPEnter', 'enter'],
    ['Escape', 'escape'],
    ['Tab', 'tab'],
    ['BTab', 'shift+tab'],
    ['S-Tab', 'shift+tab'],
    ['Space', 'space'],
    ['BSpace', 'backspace'],
    ['Up', 'up'],
    ['C-Left', 'ctrl+left'],
    ['PPage', 'pageup'],
    ['PgDn', 'pagedown'],
    ['DC', 'delete'],
    ['IC', 'insert'],
    ['F12', 'f12'],
    ['M-x', 'alt+x'],
    ['M-X', 'alt+X'],
    ['C-M-b', 'ctrl+alt+b'],
  ])('%s', (name, key) => {
    expect(translateKeystrokes(name)).toEqual({ kind: 'key', key })
    expect(encodeKeys([key], { applicationCursorKeys: false }).length).toBeGreaterThan(0)
  })
})

describe('everything else is text:', () => {
  test.each([
    ['ls\n'],
    ['C-c\n'],
    ['C-c C-c'],
    ['a'],
    ['^'],
    ['return'],
    ['next'],
    ['next\n'],
    ['C-1'],
    ['S-a'],
    ['F13'],
    ['C-'],
    [' Enter'],
    ['x=^C'],
  ])('%j', (text) => expect(translateKeystrokes(text)).toEqual({ kind: 'text', text }))
})

test('no keystrokes are a wait', () => expect(translateKeystrokes('')).toEqual({ kind: 'wait' }))
