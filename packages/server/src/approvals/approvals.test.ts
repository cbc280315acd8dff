import { isTermError } from '@agentpty/protocol'
import {
  type ApprovalRequest,
  approvalKeptMs,
  approvalsAnsweredMax,
  approvalsMax,
  type KeptApprovals,
} from '@agentpty/protocol/approvals'
import { FakeClock } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import { Approvals } from './approvals.ts'

const request: ApprovalRequest = {
  client: 'mcp-1',
  scope: null,
  chain: [],
  through: [],
  terminalId: 'term-1',
  cwd: '/srv/app',
  action: 'type',
  text: 'rm x',
  resolved: 'rm x',
  rule: 'deletion',
  reason: 'It deletes files.',
  effects: [],
}
const wanted = () => request
const allow = { isAllowed: true, by: 'page' }
const deny = { isAllowed: false, by: 'cli' }

test('the same wish is asked once, and another one for itself', () => {
  const approvals = new Approvals(new FakeClock())
  const first = approvals.ask('rm x', wanted)
  expect(approvals.ask('rm x', wanted)).toBe(first)
  expect(approvals.ask('rm y', wanted).approvalId).not.toBe(first.approvalId)
})

test('in a thousand races of two answers one has an effect and the other learns the author of the first', () => {
  const approvals = new Approvals(new FakeClock())
  const effects = Array.from({ length: 1_000 }, (_, number) => {
    const { approvalId } = approvals.ask(`wish ${number}`, wanted)
    const answers = number % 2 === 0 ? [allow, deny] : [deny, allow]
    const taken = answers.filter((answer) => {
      try {
        approvals.decide(approvalId, answer)
        return true
      } catch (error) {
        expect(isTermError(error) && error.message).toMatch(/(page|cli) has (allowed|denied) it already/)
        return false
      }
    })
    const [first] = answers
    expect(taken).toEqual([first])
    return approvals.answerTo(`wish ${number}`)?.state
  })
  expect(effects).toEqual(effects.map((_, number) => (number % 2 === 0 ? 'allowed' : 'denied')))
})

test('an allowed wish comes true once', () => {
  const approvals = new Approvals(new FakeClock())
  approvals.decide(approvals.ask('rm x', wanted).approvalId, allow)
  expect([approvals.answerTo('rm x')?.state, approvals.answerTo('rm x')?.state]).toEqual(['allowed', undefined])
})

test('a no holds for as long as a yes would have', () => {
  const clock = new FakeClock()
  const approvals = new Approvals(clock)
  approvals.decide(approvals.ask('rm x', wanted).approvalId, deny)
  expect([approvals.answerTo('rm x')?.state, approvals.answerTo('rm x')?.state]).toEqual(['denied', 'denied'])
  clock.advance(approvalKeptMs)
  expect(approvals.answerTo('rm x')?.state).toBeUndefined()
})

test('a request without an answer expires, and an answer after that is refused', () => {
  const clock = new FakeClock()
  const approvals = new Approvals(clock)
  const { approvalId } = approvals.ask('rm x', wanted)
  clock.advance(approvalKeptMs)
  expect(approvals.list()).toMatchObject([{ approvalId, state: 'expired' }])
  expect(() => approvals.decide(approvalId, allow)).toThrowError(/not answered in time/)
  expect(approvals.answerTo('rm x')?.state).toBeUndefined()
})

test('nothing of it is left once its server has gone', () => {
  const clock = new FakeClock()
  const approvals = new Approvals(clock)
  approvals.ask('rm x', wanted)
  approvals.ask('rm y', wanted)
  expect(clock.pending).toBe(1)
  approvals.dispose()
  expect(clock.pending).toBe(0)
})

test('an answer that comes in time does not count for ever', () => {
  const clock = new FakeClock()
  const approvals = new Approvals(clock)
  approvals.decide(approvals.ask('rm x', wanted).approvalId, allow)
  clock.advance(approvalKeptMs)
  expect(approvals.answerTo('rm x')?.state).toBeUndefined()
})

test('they outlive their server, with their numbers', () => {
  const clock = new FakeClock()
  let kept: KeptApprovals = { last: 0, approvals: [], grants: { last: 0, grants: [] } }
  const save = (now: KeptApprovals) => {
    kept = JSON.parse(JSON.stringify(now))
  }
  const store = { load: () => kept, save }
  const before = new Approvals(clock, store)
  before.ask('rm x', wanted)
  before.decide(before.ask('rm y', wanted).approvalId, allow)
  const after = new Approvals(clock, store)
  expect(after.answerTo('rm y')?.state).toBe('allowed')
  expect(new Approvals(clock, store).answerTo('rm y')?.state).toBeUndefined()
  after.decide('ap-1', allow)
  expect(after.answerTo('rm x')?.state).toBe('allowed')
  expect(after.ask('rm z', wanted).approvalId).toBe('ap-3')
  clock.advance(approvalKeptMs)
  expect(after.list().at(-1)?.state).toBe('expired')
})

test('a waiting caller learns of each change, and of the end of its time', async () => {
  const clock = new FakeClock()
  const approvals = new Approvals(clock)
  const waits = approvals.changed(clock.now() + 1_000)
  const { approvalId } = approvals.ask('rm x', wanted)
  expect(await waits).toBe(true)
  const answered = approvals.changed(clock.now() + 1_000)
  approvals.decide(approvalId, allow)
  expect(await answered).toBe(true)
  const late = approvals.changed(clock.now() + 1_000)
  clock.advance(1_000)
  expect(await late).toBe(false)
  expect(await approvals.changed(clock.now() + 1_000, AbortSignal.abort())).toBe(false)
})

test('it is known whether a person watches, also between two requests', async () => {
  const clock = new FakeClock()
  const approvals = new Approvals(clock)
  void approvals.changed(clock.now() + 1_000)
  expect(approvals.isWatched).toBe(false)
  const looks = approvals.watched(clock.now() + 10_000)
  expect(approvals.isWatched).toBe(true)
  approvals.ask('rm x', wanted)
  expect([await looks, approvals.isWatched]).toEqual([true, true])
  clock.advance(9_999)
  expect(approvals.isWatched).toBe(true)
  clock.advance(1)
  expect(approvals.isWatched).toBe(false)
  const over = new AbortController()
  const leaves = approvals.watched(clock.now() + 10_000, over.signal)
  over.abort()
  expect([await leaves, approvals.isWatched]).toEqual([false, false])
})

test('they are bounded, open and answered', () => {
  const approvals = new Approvals(new FakeClock())
  for (let number = 0; number < approvalsMax; number++) approvals.ask(`wish ${number}`, wanted)
  expect(() => approvals.ask('one more', wanted)).toThrowError(/wait for a person/)
  for (const { approvalId } of approvals.list()) approvals.decide(approvalId, deny)
  for (let number = 0; number < 2 * approvalsAnsweredMax; number++)
    approvals.decide(approvals.ask(`later ${number}`, wanted).approvalId, deny)
  expect(approvals.list().length).toBe(approvalsAnsweredMax)
})

test('the end of a client withdraws its open approvals, and no others', () => {
  const approvals = new Approvals(new FakeClock())
  approvals.ask('rm a', wanted, { mcpClient: 'one' })
  approvals.ask('rm b', wanted, { mcpClient: 'two' })
  approvals.ask('rm c', wanted)
  expect(approvals.asking).toEqual(['one', 'two'])
  approvals.withdrawFrom({ client: 'one' })
  expect(approvals.list().map(({ state }) => state)).toEqual(['withdrawn', 'open', 'open'])
  expect(() => approvals.decide('ap-1', allow)).toThrow('the client, the terminal or the program that asked has ended')
})

test('the end of a program withdraws its approval', () => {
  const approvals = new Approvals(new FakeClock())
  approvals.ask('rm a', wanted)
  const { approvalId } = approvals.ask('rm b', wanted)
  approvals.withdrawFrom({ approvalId })
  expect(approvals.list().map(({ state }) => state)).toEqual(['open', 'withdrawn'])
})

test('the end of a terminal withdraws what was asked for it, and for new terminals from it', () => {
  const approvals = new Approvals(new FakeClock())
  approvals.ask('rm a', wanted)
  approvals.ask('rm b', () => ({ ...request, terminalId: null }))
  approvals.ask('rm c', () => ({ ...request, terminalId: null, chain: ['term-0', 'term-1'] }))
  approvals.withdrawFrom({ terminalId: 'term-1' })
  expect(approvals.list().map(({ state }) => state)).toEqual(['withdrawn', 'open', 'withdrawn'])
})
