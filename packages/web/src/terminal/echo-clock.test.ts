import { expect, test } from 'vitest'
import { EchoClock } from './echo-clock.ts'

function clockAfter(...times: readonly number[]): EchoClock {
  const clock = new EchoClock()
  for (const ms of times) clock.measured(ms)
  return clock
}

test.each<[string, readonly number[], boolean]>([
  ['no key was measured', [], false],
  ['keys are fast', [3, 4, 3], false],
  ['keys are slow', [90, 110], true],
  ['one of many keys was slow', [5, 5, 5, 100], false],
  ['slow keys became a little faster', [60, 60, 36, 36, 36, 36, 36, 36], true],
  ['slow keys became fast', [60, ...Array.from({ length: 20 }, () => 5)], false],
  ['one key waited for a connection', [5, 20_000], false],
])('when %s', (_what, times, want) => {
  expect(clockAfter(...times).isSlow).toBe(want)
})
