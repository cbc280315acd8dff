import { castHeader, eventsUntil } from '@agentpty/protocol/recording'
import { expect, test } from 'vitest'
import { type Call, loadRecording } from './load-recording.ts'

const header = castHeader({ size: { cols: 80, rows: 24 }, startedAt: 0, command: 'bash', title: null })

/** A fake daemon that returns these parts, each of one byte. */
function daemonWith(...parts: readonly string[]): Call {
  const call = async (_verb: string, { since, until }: { readonly since: number; readonly until: number }) => ({
    recording: header + (until === 0 ? '' : (parts[since] ?? '')),
    next: until === 0 ? 0 : since + 1,
    end: parts.length,
  })
  return { call } as unknown as Call
}

const load = (...parts: readonly string[]) =>
  loadRecording(daemonWith(...parts), 'term-1', { signal: new AbortController().signal, progress: () => {} })

test.each([
  [
    'by rounding of sums of seconds',
    ['[1, "o", "a"]\n[0.001, "o", "b"]\n', '[1.001, "o", "c"]\n'],
    [1_000, 1_001, 1_001],
  ],
  [
    'by a whole second when the clock is set back',
    ['[2, "o", "a"]\n', '[1, "o", "b"]\n[1.5, "o", "c"]\n'],
    [2_000, 2_000, 2_500],
  ],
] as const)('times never decrease from one part to the next: %s', async (_, parts, times) => {
  const recording = await load(...parts)
  expect(recording.events.map(({ at }) => at)).toEqual(times)
  expect(eventsUntil(recording.events, recording.durationMs)).toBe(recording.events.length)
})

test('an event reported by two adjacent parts is included once', async () => {
  const { commands } = await load('[1, "m", "$ make"]\n[0.001, "m", "$ ls"]\n', '[1.001, "m", "$ ls"]\n[0, "o", "x"]\n')
  expect(commands.map(({ label }) => label)).toEqual(['make', 'ls'])
})
