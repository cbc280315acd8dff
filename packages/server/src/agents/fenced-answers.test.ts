import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answerEndingOn, fencedAnswers, hasFenceEnd, lastFencedAnswer } from './fenced-answers.ts'
import { fenceRequest, fencesOf, newNonce, withFenceRequest } from './fences.ts'

const fences = { open: '[answer]', close: '[/answer]' }

test.each<[string, string, string | null]>([
  ['without fences there is none', 'just text', null],
  ['one of several lines', 'x\n[answer]\na\nb\n[/answer]\ny', 'a\nb'],
  ['text on the lines of the fences belongs to it', '[answer] a\nb [/answer] y', 'a\nb'],
  ['one on a line of its own', '> [answer]42[/answer]', '42'],
  ['the last one counts', '[answer]1[/answer]\n[answer]2[/answer]', '2'],
  ['one that is still written does not count', '[answer]1[/answer]\n[answer]\n2', '1'],
  ['an echoed instruction is none', 'wrap it inside [answer] and [/answer] tags.', null],
  ['nor is one that ends its line', 'inside [answer] and [/answer]', null],
  ['nor one that is broken over rows', '  wrap it inside [answer]\n  and [/an\n  swer] tags.', null],
  ['fences that are broken over rows', '● [ans\n  wer] 42 [/answ\n  er]', '42'],
  [
    'a box around it',
    '╭────────╮\n│ [answer]│\n│ a      │\n│        │\n│  b     │\n│ [/answer] │\n╰────────╯',
    'a\n\n b',
  ],
  ['a bar at its left', '┃ [answer]\n┃ a\n┃ [/answer]', 'a'],
  ['the indent of its code stays', '  [answer]\n  if x:\n    y\n  [/answer]', 'if x:\n  y'],
  ['what is empty', '[answer][/answer]', ''],
  [
    'the fences that an answer mentions belong to it',
    '[answer]\nWrap it inside [answer] and [/answer] tags.\nEnd it with [/answer]\nwhich is the last line.\n[/answer]',
    'Wrap it inside [answer] and [/answer] tags.\nEnd it with [/answer]\nwhich is the last line.',
  ],
  [
    'an example on lines of its own belongs to the answer',
    '● [answer]\nFor example:\n[answer]\n42\n[/answer]\nDone.\n[/answer]\nagent>',
    'For example:\n[answer]\n42\n[/answer]\nDone.',
  ],
  [
    'an answer that mentions its opening fence only',
    '[answer]\nIt begins with [answer] here.\n[/answer]\n',
    'It begins with [answer] here.',
  ],
  ['an answer drawn twice, first in part, is the whole one', '[answer]\na\n[answer]\na\nb\n[/answer]', 'a\nb'],
  [
    'an echo whose opening fence has a row to itself',
    'inside\n[answer]\nand [/answer] tags.\n[answer] 42\n[/answer]',
    '42',
  ],
  [
    'an echo after an answer does not extend it',
    '[answer]\n1\n[/answer]\n> wrap it inside [answer] and [/answer] tags.',
    '1',
  ],
  ['a fence that opens twice begins at the second', '[answer] no [answer] yes [/answer]', 'yes'],
])('a fenced answer: %s', (_name, text, answer) => {
  expect(lastFencedAnswer(text, fences)).toBe(answer)
})

test('an answer that began above is known by its end', () => {
  expect(hasFenceEnd('b\n[/answer]', fences)).toBe(true)
  expect(hasFenceEnd('It is [answer]42[/answer].\n[/answer]', fences)).toBe(true)
  expect(hasFenceEnd('[answer]\nb\n[/answer]', fences)).toBe(false)
  expect(hasFenceEnd('[answer]\nb [/answer]\n[/answer]\n> ', fences)).toBe(false)
})

test.each<[string, string, string, string | null]>([
  ['ends as the screen does', '│ b c │\n│ [/answer] │', '[answer]\na\nb c\n[/answer]', 'a\nb c'],
  ['ends in the row of the fence', 'b [/answer]', '[answer] a\nb [/answer]', 'a\nb'],
  [
    'is pieces of the request that a program has drawn over',
    '  42\n  [/answer]',
    '[answer] anda  lin[/answer]  42\n[/answer]',
    null,
  ],
  ['has nothing above it on the screen', '[/answer]', '[answer] anda  lin[/answer]', null],
  ['is not in the output', '42\n[/answer]', '42\n[/answer]', null],
])('an answer in raw output that %s', (_name, screen, output, answer) => {
  expect(answerEndingOn(screen, output, fences)).toBe(answer)
})

describe('the fences of a task', () => {
  test('are in its instruction, which is no answer, however it is broken over rows', () => {
    const own = fencesOf(newNonce())
    const request = fenceRequest(own)
    for (let width = 20; width < 160; width++) {
      const rows = request.match(new RegExp(`.{1,${width}}`, 'gs')) ?? []
      expect(fencedAnswers(rows.map((row) => `│ ${row} │`).join('\n'), own)).toEqual([])
    }
  })

  test('are asked for behind the task, so that programs name its conversation after the task', () => {
    expect(withFenceRequest('fix the test', { open: 'A', close: 'B' })).toMatch(
      /^fix the test\n\nIMPORTANT: .*\bA\b.*\bB\b/,
    )
  })

  test.each(['/clear', '!ls', '# note', ' /x', '@file', '$x', '?'])('%j begins no command of the program', (task) => {
    expect(withFenceRequest(task, fences).startsWith(`Task: ${task}\n\n`)).toBe(true)
  })

  test('hold one answer each, of words that any width breaks', () => {
    const word = fc.stringMatching(/^[a-z0-9.,()]{1,12}$/)
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 40 }), fc.integer({ min: 12, max: 90 }), (words, width) => {
        const first = fencesOf(newNonce())
        const second = fencesOf(newNonce())
        const text = `${first.open} ${words.join(' ')} ${first.close}\n${second.open} other ${second.close}`
        const rows = text.split('\n').flatMap((line) => line.match(new RegExp(`.{1,${width}}`, 'g')) ?? [])
        const [answer, ...others] = fencedAnswers(rows.map((row) => `  ${row}`).join('\n'), first)
        expect(others).toEqual([])
        expect(answer?.replaceAll(/\s/g, '')).toBe(words.join(''))
      }),
    )
  })

  test('are not those of another task', () => {
    const nonces = new Set(Array.from({ length: 1_000 }, newNonce))
    expect(nonces.size).toBe(1_000)
  })
})
