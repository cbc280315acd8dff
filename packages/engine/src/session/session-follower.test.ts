import assert from 'node:assert/strict'
import { turnsPerFollowerMax } from '@agentpty/protocol'
import { freeLease, rationPauseMs, type SessionEvent, type Verdict } from '@agentpty/protocol/session'
import { FakeClock } from '@agentpty/protocol/testing'
import { test } from 'vitest'
import { OutputLog } from '../log/output-log.ts'
import { FollowerNews, SessionFollower, type TurnEvent } from './session-follower.ts'

const verdict: Verdict = {
  state: 'ready',
  kind: 'shell',
  confidence: 'high',
  needs: null,
  question: null,
  evidence: [],
  rule: '',
  since: 0,
}
const news = new FollowerNews({ keyboard: { lease: freeLease } }, () => ({ echoes: false, controls: 0 }), {})
/** The parts of a follower whose ration is never spent, as with few followers. */
const free = { clock: new FakeClock(), ration: { isSpent: false, spend: () => {} }, news }
const turnAt = (heldMs: number): TurnEvent => ({ type: 'turn', at: 0, verdict, heldMs })

test('verdicts that a slow follower has missed are counted in the next one, once, and counted', async () => {
  let dropped = 0
  const followed = {
    log: new OutputLog({ capacityBytes: 100 }),
    parsedTo: 0,
    exit: null,
    keyboard: { lease: freeLease },
  }
  const follower = new SessionFollower(followed, { turn: true }, { ...free, dropped: () => dropped++ })
  for (let held = 0; held < turnsPerFollowerMax + 5; held += 1) follower.turn(turnAt(held))
  const events = follower.events()
  assert.deepEqual((await events.next()).value, { ...turnAt(5), missedTurns: 5 })
  assert.deepEqual((await events.next()).value, turnAt(6))
  assert.equal(dropped, 5)
})

test('output that a slow follower has missed is counted, and it continues with what is kept', async () => {
  const log = new OutputLog({ capacityBytes: 100 })
  const follower = new SessionFollower(
    {
      log,
      get parsedTo() {
        return log.end
      },
      exit: null,
    },
    { output: { since: 0 } },
    { ...free, dropped: () => assert.fail('no verdict') },
  )
  for (let at = 0; at < 1_000; at += 1) log.append(Buffer.from('x'))
  const { value } = await follower.events().next()
  assert.deepEqual(
    [value?.type === 'output' && value.missedBytes, value?.type === 'output' && value.bytes.length],
    [900, 100],
  )
})

test('one of a crowd is sent a flood as fast as the ration allows, and a verdict and the exit come after the bytes', async () => {
  const log = new OutputLog({ capacityBytes: 1 << 20 })
  const clock = new FakeClock()
  let left = 100_000
  const ration = {
    get isSpent() {
      return left <= 0
    },
    spend: (bytes: number) => {
      left -= bytes
    },
  }
  log.append(Buffer.alloc(300_000, 'x'))
  const exit = { code: 0, signal: null }
  const followed = { log, parsedTo: log.end, exit }
  const dropped = () => assert.fail('no verdict')
  const follower = new SessionFollower(followed, { output: { since: 0 }, turn: true }, { clock, ration, news, dropped })
  follower.turn({ ...turnAt(1), at: log.end })
  const seen: SessionEvent[] = []
  const reading = (async () => {
    for await (const event of follower.events()) seen.push(event)
  })()
  const bytes = () => seen.reduce((sum, event) => sum + (event.type === 'output' ? event.bytes.length : 0), 0)
  await untilStill(() => seen.length)
  const first = bytes()
  assert.ok(first >= 100_000 && first < 200_000, String(first))
  assert.deepEqual([...new Set(seen.map(({ type }) => type))], ['output'])
  left = 1_000_000
  clock.advance(rationPauseMs)
  await reading
  assert.equal(bytes(), 300_000)
  assert.deepEqual(
    seen.slice(-2).map(({ type }) => type),
    ['turn', 'exit'],
  )
})

/** Until nothing more comes without the clock. */
async function untilStill(count: () => number): Promise<void> {
  for (let before = -1; before !== count(); ) {
    before = count()
    await new Promise(setImmediate)
  }
}
