import { expect, test } from 'vitest'
import { gapLines, joinOutput, outputGaps } from './join-output.ts'

test('output that is whole has no sentence', () => {
  expect(outputGaps({})).toEqual([])
  expect(gapLines({ missedBytes: 0, invalidBytes: 0 })).toBe('')
})

test('missing bytes and bytes that are not UTF-8 have a sentence each', () => {
  expect(gapLines({ missedBytes: 12, invalidBytes: 1 })).toBe(
    '[12 earlier bytes are no longer kept]\n[1 byte is not UTF-8 and shown as U+FFFD]\n',
  )
})

test('joined output has the sums of both parts, and a separator only between two texts', () => {
  const earlier = { output: 'a', missedBytes: 2 }
  expect(joinOutput(earlier, { output: 'b', missedBytes: 1, invalidBytes: 3 }, '\n')).toEqual({
    output: 'a\nb',
    missedBytes: 3,
    invalidBytes: 3,
  })
  expect(joinOutput({ output: '' }, { output: 'b' }, '\n')).toEqual({ output: 'b' })
})
