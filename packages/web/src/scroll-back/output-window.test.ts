import { expect, test } from 'vitest'
import { OutputWindow, type PieceRange, type ReadPiece } from './output-window.ts'

const lineBytes = 10
const pieceLines = 100

/** A daemon that keeps numbered lines of 10 bytes from `start` to `end`. */
function kept({ start = 0, end = 100_000 } = {}) {
  const log = { start, end, reads: 0 }
  const read = async (range: PieceRange): Promise<ReadPiece> => {
    log.reads += 1
    const size = pieceLines * lineBytes
    const since = 'since' in range ? range.since - (range.since % lineBytes) : range.until - size
    const from = Math.min(Math.max(since, log.start), log.end)
    const next = Math.max(from, Math.min('until' in range ? range.until : from + size, log.end))
    const offsets = Array.from({ length: (next - from) / lineBytes }, (_, at) => from + at * lineBytes)
    return { from, next, rows: offsets.map(String), offsets, start: log.start, end: log.end }
  }
  return { log, read }
}

function open(bounds = {}) {
  const { log, read } = kept(bounds)
  let drawn: readonly string[] = []
  const failures: unknown[] = []
  const view = new OutputWindow({
    read,
    height: () => 24,
    changed: () => (drawn = view.visible),
    failed: (error) => failures.push(error),
  })
  return { log, view, failures, drawn: () => drawn }
}

/** Resolves when no read is in flight. */
async function settled(log: { readonly reads: number }): Promise<void> {
  for (let before = -1; before !== log.reads; ) {
    before = log.reads
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  }
}

test('an offset is shown with rows above and below it, and scrolling reads more in both directions', async () => {
  const { log, view, drawn } = open()
  expect(await view.openAt(50_005, 5)).toBe(true)
  expect(drawn().slice(0, 7)).toEqual(['49950', '49960', '49970', '49980', '49990', '50000', '50010'])
  for (const step of [-500, -500, 900, 900, 900]) {
    await settled(log)
    view.scrollBy(step)
  }
  expect(drawn()[0]).toBe(String(49_950 + 1_700 * lineBytes))
  expect(drawn()).toHaveLength(24)
})

test('the beginning is stated, and whether earlier output was kept', async () => {
  const whole = open()
  await whole.view.openAt(0)
  expect(whole.drawn()[0]).toContain('This is the beginning.')
  expect(whole.drawn()[1]).toBe('0')
  const cut = open({ start: 5_000 })
  await cut.view.openAt(0)
  expect(cut.drawn()[0]).toContain('Earlier output was not kept.')
  expect(cut.drawn()[1]).toBe('5000')
})

test('the end is reached by scrolling, and left again by new output', async () => {
  const { log, view, drawn } = open()
  await view.openBefore(100_000, 200)
  await settled(log)
  expect(view.isAtEnd).toBe(true)
  log.end = 150_000
  view.grown(150_000)
  expect(view.isAtEnd).toBe(false)
  view.scrollBy(10)
  await settled(log)
  view.scrollBy(10)
  expect(drawn().at(-1)).toBe('100090')
})

test('an offset near the end fills the window with rows above it', async () => {
  const { drawn, view } = open()
  await view.openAt(99_990)
  expect(drawn()).toHaveLength(24)
  expect(drawn().at(-1)).toBe('99990')
})

test('a later place replaces one that is still being read', async () => {
  const { view, drawn } = open()
  const [first, second] = await Promise.all([view.openAt(10_000), view.openAt(60_000)])
  expect([first, second]).toEqual([false, true])
  expect(drawn()[0]).toBe('60000')
})

test('a failed read is reported, and the next scroll tries again', async () => {
  const { log, read } = kept()
  const failures: unknown[] = []
  let fails = false
  const view = new OutputWindow({
    read: (range) => (fails ? Promise.reject(new Error('gone')) : read(range)),
    height: () => 24,
    changed: () => {},
    failed: (error) => failures.push(error),
  })
  await view.openBefore(100_000, 50)
  await settled(log)
  fails = true
  view.scrollTo(0)
  await settled(log)
  expect(failures).toHaveLength(1)
  fails = false
  const before = view.chain.rowCount
  view.scrollBy(1)
  await settled(log)
  expect(view.chain.rowCount).toBeGreaterThan(before)
})
