import { expect, test } from 'vitest'
import * as z from 'zod'
import { lenientArguments } from './lenient-arguments.ts'

const schema = z.object({
  name: z.string().nullish(),
  lines: z.number().int().nullish(),
  clean: z.boolean().optional(),
  slots: z.array(z.number().int()).nullish(),
  data: z.union([z.string(), z.array(z.string())]).optional(),
  env: z.record(z.string(), z.string()).optional(),
})

test.each<[string, object, object]>([
  ['a number may be a text', { lines: '12' }, { lines: 12 }],
  ['also with a sign, or a part', { lines: ' -1.5 ' }, { lines: -1.5 }],
  ['a text may be a number', { name: 7, data: 5 }, { name: '7', data: '5' }],
  ['a truth may be a text', { clean: 'true' }, { clean: true }],
  ['one thing may stand for a list of it', { slots: '1' }, { slots: [1] }],
  ['the things of a list may be texts', { slots: ['1', 2] }, { slots: [1, 2] }],
  ['a list may be its JSON', { slots: '[1,2]' }, { slots: [1, 2] }],
  ['an object too', { env: '{"A":"b"}' }, { env: { A: 'b' } }],
  ['what is a text stays one', { name: '12', data: '["a"]' }, { name: '12', data: '["a"]' }],
  [
    'what means nothing stays, for the schema to refuse',
    { lines: 'many', clean: 'yes' },
    { lines: 'many', clean: 'yes' },
  ],
  ['so do names that it does not know', { other: '1' }, { other: '1' }],
])('%s', (_what, given, want) => {
  expect(lenientArguments(schema, given)).toEqual(want)
})
