import { logBytesMin } from '@agentpty/protocol'
import { expect, test } from 'vitest'
import { logShare } from './log-share.ts'

const config = { logBytes: 8 << 20, logBytesTotal: 256 << 20, sessionsMax: 1_000 }

type Sessions = Parameters<typeof logShare>[0]
const running = (logBytes: number) => ({ info: { logBytes }, exit: null, log: { start: 0, end: 5 } })
const ended = (bytes: number) => ({ ...running(config.logBytes), exit: { code: 0 }, log: { start: 0, end: bytes } })

test('all terminals that may be open have a log, and all logs together stay within their limit', () => {
  const sessions: ReturnType<typeof running>[] = []
  while (sessions.length < config.sessionsMax)
    sessions.push(running(logShare(sessions as unknown as Sessions, 1, config)))
  const sizes = sessions.map(({ info }) => info.logBytes)
  expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(config.logBytesTotal)
  expect(sizes[0]).toBe(config.logBytes)
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
  expect(sizes.at(-1)).toBe(logBytesMin)
})

test('a program that has ended counts with what is kept of it', () => {
  const full = Array.from({ length: 32 }, () => running(config.logBytes))
  const over = Array.from({ length: 32 }, () => ended(1_000))
  expect(logShare(full as unknown as Sessions, 1, config)).toBe(logBytesMin)
  expect(logShare(over as unknown as Sessions, 1, config)).toBe(config.logBytes)
})

test('no terminal keeps more than is set for each', () => {
  expect(logShare([], 1, { ...config, logBytes: 1_000 })).toBe(1_000)
})

test('terminals that are opened at the same time count with a whole log each', () => {
  expect(logShare([], 32, config)).toBeLessThan(logShare([], 1, config))
})
