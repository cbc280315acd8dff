import { openFakeSession } from '@agentpty/engine/testing'
import { expect, test } from 'vitest'
import { Secrets } from '../../secrets/secrets.ts'
import { readRows } from './read-rows.ts'

async function printed(output: string, { logBytes = 4_000_000 } = {}) {
  const { pty, session } = openFakeSession({ info: { logBytes } })
  for (let at = 0; at < output.length; at += 10_000) {
    pty.prints(output.slice(at, at + 10_000))
    await session.screen()
  }
  return session
}

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at} of the output\r\n`).join('')

test('pieces one after the other have every row once, in both directions', async () => {
  const session = await printed(`\x1b[31m${numbered(1_000)}`.repeat(5))
  const want = Array.from({ length: 5_000 }, (_, at) => `line ${at % 1_000} of the output`)
  const down: string[] = []
  for (let since = 0; since < session.parsedTo; ) {
    const { output, rows } = await readRows(session, { since, until: session.parsedTo }, null)
    expect(rows.next - rows.from).toBeLessThanOrEqual(32_768)
    down.push(...output.split('\n'))
    since = rows.next
  }
  const up: string[] = []
  for (let until = session.parsedTo; until > 0; ) {
    const { output, rows } = await readRows(session, { since: undefined, until }, null)
    up.unshift(...output.split('\n'))
    until = rows.from
  }
  expect(down.map(bare)).toEqual(want)
  expect(up.map(bare)).toEqual(want)
  expect(down.every((row) => row.includes('\x1b[31m'))).toBe(true)
})

const bare = (row: string) => row.replaceAll(/\x1b\[[\d;]*m/g, '')

test('pieces of short lines have at most 1,000 rows, in both directions', async () => {
  const session = await printed(Array.from({ length: 20_000 }, (_, at) => `${at}\r\n`).join(''))
  const want = Array.from({ length: 20_000 }, (_, at) => `${at}`)
  const down: string[] = []
  for (let since = 0; since < session.parsedTo; ) {
    const { output, rows } = await readRows(session, { since, until: session.parsedTo }, null)
    expect(rows.offsets.length).toBeLessThanOrEqual(1_000)
    down.push(...output.split('\n'))
    since = rows.next
  }
  const up: string[] = []
  for (let until = session.parsedTo; until > 0; ) {
    const { output, rows } = await readRows(session, { since: undefined, until }, null)
    expect(rows.offsets.length).toBeLessThanOrEqual(1_000)
    up.unshift(...output.split('\n'))
    until = rows.from
  }
  expect([down.map(bare), up.map(bare)]).toEqual([want, want])
})

test('an offset inside of a line is read from the begin of that line', async () => {
  const session = await printed(numbered(10))
  const { output, rows } = await readRows(session, { since: 30, until: session.parsedTo }, null)
  expect(output.split('\n')[0]).toBe('line 1 of the output')
  expect(rows.offsets.slice(0, 2)).toEqual([22, 44])
})

test('a line that is longer than a piece is cut', async () => {
  const session = await printed(`${'x'.repeat(100_000)}\r\nend`)
  let rows = 0
  for (let since = 0; since < session.parsedTo; ) {
    const piece = await readRows(session, { since, until: session.parsedTo }, null)
    expect(piece.rows.next).toBeGreaterThan(since)
    rows += piece.output.split('\n').length
    since = piece.rows.next
  }
  expect(rows).toBeGreaterThan(100_000 / 120)
})

test('the begin of the kept output is reported', async () => {
  const session = await printed(numbered(10_000), { logBytes: 65_536 })
  const { rows } = await readRows(session, { since: undefined, until: 0 }, null)
  expect(rows.start).toBe(session.log.start)
  expect(rows.start).toBeGreaterThan(0)
  expect(rows.from).toBe(rows.start)
})

test('output of a full-screen program is passed over in one step', async () => {
  const drawing = `\x1b[5;5H${'x'.repeat(90)}\r\n`.repeat(2_000)
  const session = await printed(`before\r\n\x1b[?1049h${drawing}\x1b[?1049lafter\r\n`)
  const middle = 100_000
  const { output, rows } = await readRows(session, { since: middle, until: session.parsedTo }, null)
  expect(output).toBe('')
  expect([rows.from, rows.next]).toEqual([16, 16 + drawing.length + 8])
  const above = await readRows(session, { since: undefined, until: rows.from }, null)
  expect(above.output.split('\n').map(bare)).toEqual(['before'])
  const below = await readRows(session, { since: rows.next, until: session.parsedTo }, null)
  expect(below.output.split('\n').map(bare)).toEqual(['after'])
})

test('secrets are masked, also where they continue in the next row', async () => {
  const secret = 'correct-horse-battery-staple'
  const session = await printed(`${'x'.repeat(110)} ${secret}\r\n\x1b[31m${secret}\x1b[0m\r\n`)
  const secrets = new Secrets()
  secrets.add(secret)
  const { output } = await readRows(session, { since: 0, until: session.parsedTo }, secrets)
  expect(output).not.toContain('battery')
  expect(output.replaceAll('\n', '')).toContain('[masked: secret]')
})

test('the matches of a pattern are given by row, also where one continues in the next row', async () => {
  const session = await printed(`red \x1b[31mnee\x1b[0mdle\r\n${'x'.repeat(77)}needle needle\r\n`)
  const { rows } = await readRows(session, { since: 0, until: session.parsedTo, sought: { pattern: 'needle' } }, null)
  expect(rows.matches).toEqual([
    [0, 4, 10],
    [1, 77, 80],
    [2, 0, 3],
    [2, 4, 10],
  ])
  const folded = { pattern: 'NEEDLE$', ignoreCase: true }
  const found = await readRows(session, { since: 0, until: session.parsedTo, sought: folded }, null)
  expect(found.rows.matches).toEqual([
    [0, 4, 10],
    [2, 4, 10],
  ])
})
