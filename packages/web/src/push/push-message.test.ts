import { expect, test } from 'vitest'
import { readMessage } from './push-message.ts'

const unknown = { type: 'test', needId: null, title: 'agentpty', text: 'Something needs you.' }

test.each([
  ['nothing', '', unknown],
  ['no JSON', 'hello', unknown],
  ['null', 'null', unknown],
  ['a type of a later version', '{"type":"summary"}', unknown],
  [
    'a need with padding',
    '{"type":"need","needId":"term-4@82","title":"a","text":"b"}    ',
    { type: 'need', needId: 'term-4@82', title: 'a', text: 'b' },
  ],
  [
    'a need whose id leads elsewhere',
    '{"type":"need","needId":"../../x?y","title":"a","text":"b"}',
    { type: 'need', needId: null, title: 'a', text: 'b' },
  ],
  [
    'an answered need',
    '{"type":"withdrawn","needId":"ap-3"}',
    { type: 'withdrawn', needId: 'ap-3', title: 'agentpty', text: 'It was answered.' },
  ],
])('%s is read', (_what, written, want) => {
  expect(readMessage(written)).toEqual(want)
})
