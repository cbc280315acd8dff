import assert from 'node:assert/strict'
import { test } from 'vitest'
import { turnsPerFollowerMax } from '../../contracts/limits.ts'
import { freeLease } from '../../contracts/session/lease.ts'
import type { Verdict } from '../../contracts/session/verdict.ts'
import { OutputLog } from '../log/output-log.ts'
import { FollowerNews } from './follower-news.ts'
import { SessionFollower, type TurnEvent } from './session-follower.ts'

const verdict: Verdict = {
  state: 'ready',
  kind: 'shell',
  confidence: 'high',
  needs: null,
  question: null,
  evidence: [],
  since: 0,
}
const news = new FollowerNews({ keyboard: { lease: freeLease } }, () => ({ echoes: false, controls: 0 }), {})
const turnAt = (heldMs: number): TurnEvent => ({ type: 'turn', at: 0, verdict, heldMs })

test('verdicts that a slow follower has missed are counted in the next one, once, and counted', async () => {
  let dropped = 0
  const followed = {
    log: new OutputLog({ capacityBytes: 100 }),
    parsedTo: 0,
    exit: null,
    keyboard: { lease: freeLease },
  }
  const follower = new SessionFollower(followed, { turn: true }, { dropped: () => dropped++, news })
  for (let held = 0; held < turnsPerFollowerMax + 5; held += 1) follower.turn(turnAt(held))
  const events = follower.events()
  assert.deepEqual((await events.next()).value, { ...turnAt(5), missedTurns: 5 })
  assert.deepEqual((await events.next()).value, turnAt(6))
  assert.equal(dropped, 5)
})

test('output that a slow follower has missed is counted, and it goes on with what is kept', async () => {
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
    { dropped: () => assert.fail('no verdict'), news },
  )
  for (let at = 0; at < 1_000; at += 1) log.append(Buffer.from('x'))
  const { value } = await follower.events().next()
  assert.deepEqual(
    [value?.type === 'output' && value.missedBytes, value?.type === 'output' && value.bytes.length],
    [900, 100],
  )
})
