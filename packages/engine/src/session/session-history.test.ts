/** Times of output from before this engine. */

import { expect, test } from 'vitest'
import { timelineOf } from './session-history.ts'
import { openFakeSession } from './testing/fake-session.ts'

const wall = 1_700_000_000_000
const { session } = openFakeSession({ info: { createdAt: wall } })
const base = { info: session.info, start: 0 } as Parameters<typeof timelineOf>[0]
const size = { cols: 80, rows: 24 }

test('output has the times that the host has kept, and a size the time of its change', () => {
  const timeline = timelineOf({
    ...base,
    sizes: [
      { offset: 0, ...size },
      { offset: 20, cols: 100, rows: 40 },
    ],
    history: {
      end: 40,
      exited: false,
      moments: [
        { offset: 0, at: wall + 10 },
        { offset: 20, at: wall + 1_000 },
        { offset: 20, at: wall + 2_000 },
        { offset: 30, at: wall + 3_000 },
      ],
    },
  })
  expect(timeline.unknownTo).toBe(0)
  expect(timeline.timesOf([0, 19, 20, 29, 39]).map((at) => at - wall)).toEqual([10, 10, 2_000, 2_000, 3_000])
  const sizes = timeline.from(0).moments.filter(({ size }) => size !== undefined)
  expect(sizes).toEqual([{ offset: 20, at: wall + 1_000, size: { cols: 100, rows: 40 } }])
})

test.each([
  ['all output of a host that keeps none', [], 40],
  ['the output before the oldest kept one', [{ offset: 15, at: wall + 500 }], 15],
])('times are stated to be unknown for %s', (_which, moments, unknownTo) => {
  const timeline = timelineOf({
    ...base,
    sizes: [{ offset: 0, ...size }],
    history: { end: 40, exited: false, moments },
  })
  expect(timeline.unknownTo).toBe(unknownTo)
  expect(timeline.timesOf([0])).toEqual([wall])
})

test('commands and the exit of an earlier engine keep their times', () => {
  const {
    clock,
    pty,
    session: found,
  } = openFakeSession({
    info: { createdAt: 0 },
    history: {
      end: 12,
      exited: true,
      exitedAt: 1_700_000_000_000 + 10_000 - 3_000,
      moments: [{ offset: 0, at: 1_700_000_000_000 + 10_000 - 5_000 }],
    },
  })
  pty.prints('\x1b]133;C\x07text')
  pty.exits()
  expect(found.commands.current?.startedAt).toBe(clock.now() - 5_000)
  expect(found.exitedAt).toBe(clock.now() - 3_000)
})
