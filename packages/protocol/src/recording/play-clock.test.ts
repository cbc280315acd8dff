import { expect, test } from 'vitest'
import { FakeClock } from '../testing/fake-clock.ts'
import { eventsUntil, lasted, markAfter, markBefore, PlayClock } from './play-clock.ts'

const played = { events: [0, 100, 200, 20_200, 20_300].map((at) => ({ at })), durationMs: 20_300 }

function start(more: Partial<{ speed: number; idleMs: number; from: number }> = {}) {
  const clock = new FakeClock()
  return { clock, time: new PlayClock(played, clock, { speed: 1, idleMs: 2_000, from: 0, ...more }) }
}

test('a long rest is shortened, and a real one takes its time', () => {
  const { clock, time } = start()
  clock.advance(2_100)
  expect(time.at).toBe(2_100)
  clock.advance(200)
  expect(time.at).toBe(20_200)
  const real = start({ idleMs: Number.POSITIVE_INFINITY })
  real.clock.advance(10_000)
  expect(real.time.at).toBe(10_000)
})

test('it plays at the given speed, and pauses at the end until it is resumed', () => {
  const { clock, time } = start({ speed: 4, from: 20_200 })
  clock.advance(10)
  expect(time.at).toBe(20_240)
  time.speed = 0.5
  clock.advance(10)
  expect(time.at).toBe(20_245)
  clock.advance(1_000)
  expect([time.at, time.isPaused]).toEqual([20_300, true])
  time.resume()
  expect([time.at, time.isPaused]).toEqual([0, false])
})

test('it seeks while paused and while playing, and never outside of the recording', () => {
  const { clock, time } = start()
  time.seek(-5)
  expect(time.at).toBe(0)
  time.pause()
  time.seek(150)
  clock.advance(1_000)
  expect(time.at).toBe(150)
  time.seek(1_000_000)
  expect(time.at).toBe(20_300)
})

test('events are counted up to a time, itself included', () => {
  expect([-1, 0, 150, 200, 99_999].map((at) => eventsUntil(played.events, at))).toEqual([0, 1, 2, 3, 5])
})

test('marks are found behind and before, and none where there is none', () => {
  const marks = [{ at: 100 }, { at: 5_000 }]
  expect([markAfter(marks, 100)?.at, markAfter(marks, 5_000)]).toEqual([5_000, null])
  expect([markBefore(marks, 5_500)?.at, markBefore(marks, 6_500)?.at, markBefore(marks, 500)]).toEqual([
    100,
    5_000,
    null,
  ])
})

test('times are formatted as people write them', () => {
  expect([lasted(0), lasted(61), lasted(3_723)]).toEqual(['0:00', '1:01', '1:02:03'])
})
