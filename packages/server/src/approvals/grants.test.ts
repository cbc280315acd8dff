import { type ApprovalRequest, type GrantChoice, grantMs, grantsMax, type Wish } from '@agentpty/protocol/approvals'
import { FakeClock } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import { Approvals } from './approvals.ts'

const request = (rule: string, resolved: string): ApprovalRequest => ({
  client: 'mcp-1',
  scope: null,
  chain: [],
  through: [],
  terminalId: 'term-1',
  cwd: '/srv/app',
  action: 'type',
  text: resolved,
  resolved,
  rule,
  reason: 'It deletes files.',
  effects: [],
})

const wish = (line: string, more: Partial<Wish> = {}): Wish => ({
  rule: 'deletion',
  words: line.split(' '),
  isBounded: true,
  terminalId: 'term-1',
  cwd: '/srv/app',
  ...more,
})

function asked(approvals: Approvals, given: Wish): string {
  const text = given.words?.join(' ') ?? 'rm a && rm b'
  return approvals.ask(text, () => request(given.rule, text), { wish: given }).approvalId
}

function granted(given: Wish, grant: GrantChoice): Approvals {
  const approvals = new Approvals(new FakeClock())
  approvals.decide(asked(approvals, given), { isAllowed: true, by: 'cli', grant })
  return approvals
}

const same: GrantChoice = { where: 'folder', command: 'same' }
const like: GrantChoice = { where: 'folder', command: 'like' }

test.each<[string, Partial<Wish> | null, string, string | null]>([
  ['a deletion, with other names', {}, 'rm -rf build', 'rm -rf *'],
  ['work on one thing, whose name may be another', { rule: 'destructive-vcs' }, 'git branch -D old', 'git branch -D *'],
  ['what has no name in it, as it is', { rule: 'destructive-infra' }, 'npm publish', null],
  ['what reaches beyond the workspace, as it is', { isBounded: false }, 'rm -rf build', null],
  ['a path that leads elsewhere, as it is', {}, 'rm ../x', null],
  ['a path of its own, as it is', {}, 'rm /srv/app/x', null],
  ['a part of git’s own folder, as it is', {}, 'rm .git/index', null],
])('is offered: %s', (_what, more, line, likeIt) => {
  const approvals = new Approvals(new FakeClock())
  asked(approvals, wish(line, more ?? {}))
  expect(approvals.list()).toMatchObject([{ offer: { same: line, like: likeIt } }])
})

test.each<[string, Partial<Wish>]>([
  ['more than one command', { words: null }],
  ['a word with a blank, which would look like two', { words: ['rm', 'a b'] }],
  ['a star, which would look like any name', { words: ['rm', '*'] }],
  ['letters that show something else', { words: ['rm', 'x\u202egpj.tset'] }],
  ['letters that look like others', { words: ['rm', 'с'] }],
])('nothing is offered for %s, and it can be allowed once only', (_what, more) => {
  const approvals = new Approvals(new FakeClock())
  const approvalId = asked(approvals, wish('', more))
  expect(approvals.list()).toMatchObject([{ offer: null }])
  expect(() => approvals.decide(approvalId, { isAllowed: true, by: 'cli', grant: same })).toThrowError(/once only/)
  expect(approvals.list()).toMatchObject([{ state: 'open' }])
})

test.each<[string, GrantChoice, Wish, boolean]>([
  ['the same', same, wish('rm -rf build'), true],
  ['the same in another terminal of the folder', same, wish('rm -rf build', { terminalId: 'term-2' }), true],
  ['another name', same, wish('rm -rf dist'), false],
  ['the same below the folder', same, wish('rm -rf build', { cwd: '/srv/app/web' }), false],
  ['the like', like, wish('rm -rf dist'), true],
  ['the like below the folder', like, wish('rm -rf dist', { cwd: '/srv/app/web' }), true],
  ['the like beside the folder', like, wish('rm -rf dist', { cwd: '/srv/application' }), false],
  ['the like with one name more', like, wish('rm -rf dist src'), false],
  ['the like with another option', like, wish('rm -rfv dist'), false],
  ['an option in the place of a name', like, wish('rm -rf --no-preserve-root'), false],
  ['a path that leads out', like, wish('rm -rf ../x'), false],
  ['a path from the root', like, wish('rm -rf /etc'), false],
  ['a home folder', like, wish('rm -rf ~/x'), false],
  ['git’s own folder', like, wish('rm -rf web/.git'), false],
  ['what reaches beyond the workspace', like, wish('rm -rf dist', { isBounded: false }), false],
  ['the same for another reason', like, wish('rm -rf dist', { rule: 'privilege' }), false],
  ['more than one command', like, wish('', { words: null }), false],
  ['in its terminal', { where: 'terminal', command: 'same' }, wish('rm -rf build'), true],
  [
    'in another terminal',
    { where: 'terminal', command: 'same' },
    wish('rm -rf build', { terminalId: 'term-2' }),
    false,
  ],
])('a grant of rm -rf build takes in: %s', (_what, choice, given, isTaken) => {
  expect(granted(wish('rm -rf build'), choice).grantedTo(given) !== null).toBe(isTaken)
})

test('a grant holds for its time, counts its uses, and outlives its server', () => {
  const clock = new FakeClock()
  let kept = '{}'
  const store = { load: () => JSON.parse(kept), save: (now: unknown) => (kept = JSON.stringify(now)) }
  store.save({ last: 0, approvals: [], grants: { last: 0, grants: [] } })
  const before = new Approvals(clock, store)
  before.decide(asked(before, wish('rm x')), { isAllowed: true, by: 'cli', grant: same })
  expect(before.grantedTo(wish('rm x'))).toMatchObject({ grantId: 'gr-1', uses: 1 })
  const after = new Approvals(clock, store)
  expect(after.grantedTo(wish('rm x'))).toMatchObject({ uses: 2 })
  clock.advance(grantMs)
  expect([after.grantedTo(wish('rm x')), after.grants()]).toEqual([null, []])
})

test('a grant that is revoked holds no more, and cannot be revoked twice', () => {
  const approvals = granted(wish('rm x'), same)
  expect(approvals.revoke('gr-1')).toMatchObject({ command: 'rm x' })
  expect(approvals.grantedTo(wish('rm x'))).toBeNull()
  expect(() => approvals.revoke('gr-1')).toThrowError(/There is no grant gr-1/)
})

test('a no grants nothing', () => {
  const approvals = new Approvals(new FakeClock())
  const approvalId = asked(approvals, wish('rm x'))
  expect(() => approvals.decide(approvalId, { isAllowed: false, by: 'cli', grant: same })).toThrowError(/once only|way/)
})

test('grants are bounded', () => {
  const approvals = new Approvals(new FakeClock())
  for (let number = 0; number < grantsMax; number++)
    approvals.decide(asked(approvals, wish(`rm x${number}`)), { isAllowed: true, by: 'cli', grant: same })
  const approvalId = asked(approvals, wish('rm y'))
  expect(() => approvals.decide(approvalId, { isAllowed: true, by: 'cli', grant: same })).toThrowError(/hold already/)
})

test('a question says how often its like was answered, and after three times yes how to be asked no more', () => {
  const approvals = new Approvals(new FakeClock())
  const news = ['a', 'b', 'c', 'd', 'e'].map((name, index) => {
    const approvalId = asked(approvals, wish(`rm ${name}`))
    approvals.decide(approvalId, { isAllowed: index !== 3, by: 'cli' })
    return approvals.list().at(-1)?.news
  })
  expect(news).toEqual([
    'The first of its kind in this folder.',
    'The like was allowed once here before, last less than a minute ago.',
    'The like was allowed twice here before, last less than a minute ago.',
    'The like was allowed 3 times here before, last less than a minute ago. To be asked no more: answer with --in folder --like.',
    'The like was allowed 3 times and denied once here before, last less than a minute ago.',
  ])
})

test('how long ago its like was answered counts from the latest answer, not from the question', () => {
  const clock = new FakeClock()
  const approvals = new Approvals(clock)
  const first = asked(approvals, wish('rm a'))
  const second = asked(approvals, wish('rm b'))
  clock.advance(8 * 60_000)
  approvals.decide(second, { isAllowed: true, by: 'cli' })
  clock.advance(1 * 60_000)
  approvals.decide(first, { isAllowed: false, by: 'cli' })
  clock.advance(5 * 60_000)
  asked(approvals, wish('rm c'))
  expect(approvals.list().at(-1)?.news).toBe(
    'The like was allowed once and denied once here before, last 5 minutes ago.',
  )
})
