import { describe, expect, test } from 'vitest'
import { choicesOf } from './dialog-choices.ts'

const picture = (text: string, styles: Readonly<Record<number, string>> = {}) => {
  const rows = text.split('\n')
  const last = rows.length - 1
  return {
    text: rows,
    styles: rows.map((_row, at) => styles[at] ?? ''),
    cursor: { row: last, col: rows[last]?.length ?? 0, visible: false },
  }
}

const labelsIn = (text: string, styles?: Readonly<Record<number, string>>) =>
  choicesOf(picture(text, styles))?.groups.map(({ choices, highlighted }) => [
    highlighted,
    ...choices.map(({ label }) => label),
  ]) ?? null

test('options behind a pointer end where the list does', () => {
  const list = 'Which?\n  Colour:\n  ❯ Red\n      warm\n    Blue\n\n  enter to accept'
  expect(labelsIn(list)).toEqual([[0, 'Red', 'Blue']])
  expect(labelsIn('Which?\n  Red\n❯ Blue\nEnter to confirm · Esc to cancel')).toEqual([[1, 'Red', 'Blue']])
})

test('a radio list points with what is filled', () => {
  expect(labelsIn('Which?\n ○ 1. Red\n ● 2. Blue')).toEqual([[1, 'Red', 'Blue']])
})

test('radio buttons without numbers point with what is filled, below each other and side by side', () => {
  const hint = '│  ↑/↓ to navigate • Enter: confirm\n└'
  expect(labelsIn(`◆  Select a framework:\n│  ○ Vanilla\n│  ● Vue 3\n│  ○ React\n${hint}`)).toEqual([
    [1, 'Vanilla', 'Vue 3', 'React'],
  ])
  expect(labelsIn('◆  Install and start now?\n│  ● Yes / ○ No\n└')).toEqual([[0, 'Yes', 'No']])
})

test('words side by side are options where one has a background of its own', () => {
  const styles = { 1: '3/0:4/0:-1/00000;8;' }
  expect(labelsIn('Sure?\n   Allow   Reject                        ctrl+f all', styles)).toEqual([
    [0, 'Allow', 'Reject'],
  ])
})

test.each([
  ['Go on? [Y/n] ', ['Y', 'n']],
  ['Overwrite (yes/no/all)? ', ['yes', 'no', 'all']],
])('%j names its answers', (text, labels) => expect(labelsIn(text)).toEqual([[null, ...labels]]))

describe('no options are read from', () => {
  test.each([
    ['an answer with a numbered list', 'I did:\n 1. read it\n 2. changed it\n\n❯ '],
    ['messages with a mark each', 'I will do:\n● read it\n● change it'],
    ['an input box', '────\n❯ fix the test\n────\n  ? for shortcuts'],
    ['rows of one look', 'one\ntwo\nthree'],
    ['a path', 'look at [src/main] and (a/b)\nmore'],
  ])('%s', (_what, text) => expect(labelsIn(text)).toBe(null))
})

test('the text above distinguishes two dialogs with the same options', () => {
  const [one, other] = ['touch a', 'touch b'].map((line) => choicesOf(picture(`${line}\nSure?\n❯ 1. Yes\n  2. No`)))
  expect(one?.above).not.toBe(other?.above)
})
