import { expect, test } from 'vitest'
import { makeEnvironment } from '../verbs/environments.ts'
import { parseInput } from './terminal-fields.ts'

test.each<[string, object, string]>([
  [
    'a field with an example of its own is shown by it',
    { clock: { startAt: 'noon' } },
    '{"clock":{"startAt":"2026-01-31T08:00:00Z"}}',
  ],
  [
    'as it is where only a part of it is wrong',
    { task: { seed: 'x' } },
    '{"task":{"folder":"tty-30/htop-kill","seed":7}}',
  ],
  ['any other by the example of the verb', { rows: 'many' }, '{"program":["python3","-q"]}'],
  ['and one that is not known', { colour: 'red' }, '{"program":["python3","-q"]}'],
])('%s', (_what, input, example) => {
  const { input: schema, name, example: own } = makeEnvironment
  expect(() => parseInput(schema, input, { name, example: own })).toThrow(
    expect.objectContaining({ code: 'invalid_input', hint: `For example: ${example}` }),
  )
})
