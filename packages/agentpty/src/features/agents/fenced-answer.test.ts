import { expect, test } from 'vitest'
import { fencedAnswer } from './fenced-answer.ts'

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
])('a fenced answer: %s', (_name, text, answer) => {
  expect(fencedAnswer(text, fences)).toBe(answer)
})
