import { expect, test } from 'vitest'
import { itemsOf } from './plan.ts'

test.each<[string, string, readonly string[]]>([
  ['its lines', ' a.ts\n\nb.ts ', ['a.ts', 'b.ts']],
  ['a JSON list', '["fix a.ts",\n "fix b.ts", ""]', ['fix a.ts', 'fix b.ts']],
  ['a JSON list in a fence', '```json\n["a", "b"]\n```', ['a', 'b']],
  ['the lines in a fence', '```\na\nb\n```', ['a', 'b']],
  ['objects of a JSON list as JSON', '[{"file":"a.ts"}, 7]', ['{"file":"a.ts"}', '7']],
  ['its lines where the list is none', '[a.ts, b.ts', ['[a.ts, b.ts']],
  ['lines without the dashes of all', '- a\n- b', ['a', 'b']],
  ['lines without the numbers of all', '1. a\n2. b\n10) c', ['a', 'b', 'c']],
  ['lines with a dash of one', '- a\nb', ['- a', 'b']],
  ['lines whose dash is their own', '-v\n-q', ['-v', '-q']],
  ['nothing in an empty one', '\n \n', []],
  ['nothing in an empty list', '[]', []],
])('the items of an answer are %s', (_what, answer, items) => {
  expect(itemsOf(answer)).toEqual(items)
})
