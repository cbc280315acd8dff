import { expect, test } from 'vitest'
import { type BarKey, keyBytes, type Modifiers, noModifiers, textBytes } from './key-bytes.ts'

const ctrl: Modifiers = { ctrl: true, alt: false }
const alt: Modifiers = { ctrl: false, alt: true }

test.each<[string, BarKey, Modifiers, readonly number[], string]>([
  ['an arrow', 'Up', noModifiers, [], '\x1b[A'],
  ['an arrow for a program that wants cursor keys', 'Up', noModifiers, [1, 2004], '\x1bOA'],
  ['an arrow with Ctrl, in either cursor key mode', 'Right', ctrl, [1], '\x1b[1;5C'],
  ['an arrow with both', 'Left', { ctrl: true, alt: true }, [], '\x1b[1;7D'],
  ['Enter', 'Enter', noModifiers, [], '\r'],
  ['Tab', 'Tab', noModifiers, [], '\t'],
  ['Escape', 'Esc', noModifiers, [], '\x1b'],
  ['Enter with Alt', 'Enter', alt, [], '\x1b\r'],
])('%s is sent as terminals send it', (_what, key, modifiers, modes, want) => {
  expect(keyBytes(key, modifiers, modes)).toBe(want)
})

test.each<[string, string, Modifiers, string]>([
  ['Ctrl+C', 'c', ctrl, '\x03'],
  ['Ctrl+C of a keyboard that begins with capitals', 'C', ctrl, '\x03'],
  ['Ctrl+Space', ' ', ctrl, '\0'],
  ['Ctrl+/', '/', ctrl, '\x1f'],
  ['Ctrl with a character that has no control code', 'ä', ctrl, 'ä'],
  ['Alt+B', 'b', alt, '\x1bb'],
  ['both', 'x', { ctrl: true, alt: true }, '\x1b\x18'],
  ['the first letter only, of a word inserted in one step', 'cd', ctrl, '\x03d'],
  ['nothing', '', alt, ''],
])('%s', (_what, text, modifiers, want) => {
  expect(textBytes(text, modifiers)).toBe(want)
})
