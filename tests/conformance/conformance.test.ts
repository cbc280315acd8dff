/** Every case of the table on our screen and in tmux, compared with xterm's behaviour. */

import { beforeAll, describe, expect, test } from 'vitest'
import type { Case, Expectation, Seen } from './case.ts'
import { playOnOurs } from './on-our-screen.ts'
import { playInTmux, tmuxVersion } from './on-tmux.ts'
import { sections, tableTmux } from './sections.ts'

const cases = sections.flatMap(({ title, sequences }) =>
  sequences.flatMap(({ form, cases }) => cases.map((one) => [`${title}: ${form}: ${one.name}`, one] as const)),
)
let inTmux: ReadonlyMap<Case, Seen>

beforeAll(async () => {
  const seen = await playInTmux(cases.map(([, one]) => one))
  inTmux = new Map(cases.map(([, one], index) => [one, seen[index]!]))
})

test('every name is used for one case', () => {
  expect(new Set(cases.map(([name]) => name)).size).toBe(cases.length)
})

describe('our screen', () => {
  test.each(cases)('%s', async (_, one) => {
    const seen = await playOnOurs(one)
    if (one.ours === undefined) return expectSeen(seen, one)
    expectSeen(seen, { ...one, ...one.ours })
    expect(meets(seen, one), 'The difference has gone away: take `ours` out of the case.').toBe(false)
  })
})

describe('tmux', () => {
  /** Newer versions may do more than this one; what this one does correctly they must do, too. */
  const isTableTmux = tmuxVersion() === tableTmux

  test.each(cases)('%s', (_, one) => {
    const seen = inTmux.get(one)!
    if (one.tmux === undefined) return expectSeen(seen, one)
    if (isTableTmux) expect(meets(seen, one), 'The difference has gone away: take `tmux` out of the case.').toBe(false)
  })
})

function expectSeen(seen: Seen, wanted: Expectation): void {
  const { replies = '' } = wanted
  expect(chosen(seen, wanted)).toEqual(chosen(wanted, wanted))
  if (typeof replies === 'string') expect(seen.replies).toBe(replies)
  else expect(seen.replies).toMatch(replies)
}

function meets(seen: Seen, wanted: Expectation): boolean {
  const { replies = '' } = wanted
  const answersRight = typeof replies === 'string' ? seen.replies === replies : replies.test(seen.replies)
  return answersRight && JSON.stringify(chosen(seen, wanted)) === JSON.stringify(chosen(wanted, wanted))
}

/** The fields of the case, without the replies. */
function chosen(from: Expectation, { screen, sgr, title, cursorVisible, alternateScreen }: Expectation): unknown {
  return {
    ...(screen === undefined ? {} : { screen: from.screen }),
    ...(sgr === undefined ? {} : { sgr: from.sgr }),
    ...(title === undefined ? {} : { title: from.title }),
    ...(cursorVisible === undefined ? {} : { cursorVisible: from.cursorVisible }),
    ...(alternateScreen === undefined ? {} : { alternateScreen: from.alternateScreen }),
  }
}
