import { type TreeLimits, treeLimitsDefault } from '@agentpty/protocol/agents'
import { FakeClock } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import { TreeLimitKeeper, withGiven } from './tree-limits.ts'

/** Terminals opened from one another; each call opens one below that of the given number, and returns its own. */
function tree(settings: TreeLimits = {}) {
  const clock = new FakeClock()
  const used = new Map<string, number>()
  const keeper = new TreeLimitKeeper({
    clock,
    settings: () => ({ ...treeLimitsDefault, ...settings }) as typeof treeLimitsDefault,
    tokensOf: async (terminalId) => used.get(terminalId) ?? 0,
  })
  const open: (ReturnType<typeof keeper.open> & { readonly id: string })[] = []
  let made = 0
  const openBelow = (above: number | null, given: TreeLimits | null = null): number => {
    const parent = open.find(({ id }) => id === `term-${above}`) ?? null
    const { done, ...opening } = keeper.open(parent, open)
    const id = `term-${++made}`
    open.push({ ...opening, id, givenLimits: [...withGiven(given, id, opening.givenLimits)], done })
    done()
    return made
  }
  const close = (number: number) =>
    void open.splice(
      open.findIndex(({ id }) => id === `term-${number}`),
      1,
    )
  return { clock, keeper, open, openBelow, close, used }
}

/** Returns how many could be opened until one was refused, and the refusal. */
function untilRefused(openOne: () => void): {
  readonly opened: number
  readonly message: string
  readonly hint: string
} {
  for (let opened = 0; ; opened++) {
    try {
      openOne()
    } catch (error) {
      expect(error).toMatchObject({ code: 'limit_reached' })
      const { message, hint } = error as { message: string; hint: string }
      return { opened, message, hint }
    }
  }
}

test('what is opened from outside every terminal is not limited', () => {
  const { openBelow, open } = tree({ children: 1, total: 1, startsPerMinute: 1 })
  for (let number = 0; number < 100; number++) openBelow(null)
  expect(open).toHaveLength(100)
})

test('no more levels are opened than there may be, and the error says which limit it is and what to do', () => {
  const { openBelow } = tree({ depth: 5 })
  let last = openBelow(null)
  const refused = untilRefused(() => {
    last = openBelow(last)
  })
  expect(refused).toEqual({
    opened: 5,
    message: 'term-6 is 5 levels below term-1, and the limit (agents.limits.depth) is 5: nothing was started.',
    hint: 'Do it yourself, in this terminal.',
  })
})

test('levels are counted from where they began, also when the terminals above have gone', () => {
  const { openBelow, close } = tree({ depth: 3 })
  let last = openBelow(null)
  const refused = untilRefused(() => {
    const next = openBelow(last)
    close(last)
    last = next
  })
  expect(refused.opened).toBe(3)
})

test('those that run are counted, for one terminal and for all of a subtree', () => {
  const { openBelow, close } = tree({ children: 3, total: 5 })
  const root = openBelow(null)
  expect(untilRefused(() => void openBelow(root)).opened).toBe(3)
  expect(untilRefused(() => void openBelow(2)).opened).toBe(2)
  close(3)
  expect(untilRefused(() => void openBelow(root))).toMatchObject({
    opened: 1,
    message: expect.stringContaining('children'),
  })
})

test('those that are being opened count as well', () => {
  const { keeper, openBelow, open } = tree({ children: 2 })
  openBelow(null)
  const [root = null] = open
  expect(untilRefused(() => void keeper.open(root, open)).opened).toBe(2)
})

test('the number opened within any minute is limited, and the error says how long to wait', () => {
  const { openBelow, clock, close } = tree({ startsPerMinute: 30 })
  const root = openBelow(null)
  const openAndClose = () => close(openBelow(root))
  for (let number = 0; number < 10; number++) openAndClose()
  clock.advance(20_000)
  expect(untilRefused(openAndClose)).toMatchObject({ opened: 20, hint: 'Wait 40 s, or do it yourself.' })
  clock.advance(40_000)
  expect(untilRefused(openAndClose)).toMatchObject({ opened: 10, hint: 'Wait 20 s, or do it yourself.' })
})

test('a refused start is none', () => {
  const { openBelow, clock } = tree({ startsPerMinute: 2, children: 3 })
  const root = openBelow(null)
  expect(untilRefused(() => void openBelow(root)).opened).toBe(2)
  clock.advance(30_000)
  for (let number = 0; number < 50; number++) untilRefused(() => void openBelow(root))
  clock.advance(30_000)
  expect(untilRefused(() => void openBelow(root)).opened).toBe(1)
})

test('limits that a terminal was given hold below it, beside those above, and only narrow', () => {
  const { openBelow } = tree({ depth: 3, children: 10 })
  const root = openBelow(null)
  const narrow = openBelow(root, { children: 2, depth: 30 })
  expect(untilRefused(() => void openBelow(narrow)).opened).toBe(2)
  expect(untilRefused(() => void openBelow(root)).opened).toBe(9)
  // One below it asks for more, and gets what holds above.
  const wide = openBelow(3, { children: 50, depth: 30 })
  expect(untilRefused(() => void openBelow(wide))).toMatchObject({
    opened: 0,
    message: expect.stringContaining('depth'),
  })
})

test('what was given to one that has gone still holds', () => {
  const { openBelow, close } = tree()
  const narrow = openBelow(openBelow(null), { total: 2 })
  const child = openBelow(narrow)
  close(narrow)
  expect(untilRefused(() => void openBelow(child)).opened).toBe(1)
})

test('one that is below another ends no later than it', () => {
  const { keeper, openBelow, open, clock } = tree({ wallMinutes: 10 })
  openBelow(null)
  expect(open[0]?.endsAt).toBeNull()
  openBelow(1)
  const end = clock.wall() + 600_000
  expect(open[1]?.endsAt).toBe(end)
  clock.advance(300_000)
  openBelow(2)
  expect(open[2]?.endsAt).toBe(end)
  expect(keeper.endOf({ wallMinutes: 1 })).toBe(clock.wall() + 60_000)
})

test('a subtree that has used its tokens takes no more work, of whomever in it', async () => {
  const { keeper, open, openBelow, used } = tree({ tokens: 1_000 })
  const terminal = (number: number) => open.find(({ id }) => id === `term-${number}`) ?? null
  openBelow(null)
  openBelow(1, { tokens: 50 })
  openBelow(2)
  used.set('term-1', 999).set('term-2', 49)
  const words = 'nothing was typed'
  for (const number of [1, 2, 3]) await keeper.assertTokens(terminal(number), words)
  used.set('term-2', 50)
  await keeper.assertTokens(terminal(1), words)
  for (const number of [2, 3])
    await expect(keeper.assertTokens(terminal(number), words)).rejects.toMatchObject({
      code: 'limit_reached',
      message:
        'term-2 and those below it have used 50 tokens, and the limit (agents.limits.tokens) is 50: nothing was typed.',
      hint: expect.stringContaining('report that the limit is reached'),
    })
  used.set('term-1', 1_000)
  await expect(keeper.assertTokens(terminal(1), 'nothing was started')).rejects.toMatchObject({
    message: expect.stringContaining('term-1 and those below it have used 1000 tokens'),
  })
  expect(keeper.assertTokens(null, words)).toBeNull()
})

test('the number of used tokens is not queried where tokens are not limited', () => {
  const { keeper, open, openBelow } = tree()
  openBelow(null)
  expect(keeper.assertTokens(open[0] ?? null, 'nothing was typed')).toBeNull()
})
