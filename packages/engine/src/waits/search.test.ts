import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { OutputLog } from '../log/output-log.ts'
import { Search, type SearchOptions } from './search.ts'

/** The output before the search, then pieces of more output; is the text found after each? */
async function searched(
  find: SearchOptions['find'],
  { before = '', typed = '', pieces }: { before?: string; typed?: string; pieces: readonly string[] },
): Promise<readonly boolean[]> {
  const log = new OutputLog({ capacityBytes: 10_000_000 })
  log.append(Buffer.from(before))
  let again = () => {}
  const search = new Search({ find, since: log.end, typed, again: () => again() })
  const seen: boolean[] = []
  for (const piece of pieces) {
    log.append(Buffer.from(piece))
    search.found(log, log.end)
    // A pattern may take more time than there is on the spot.
    while (search.isBusy) {
      await new Promise<void>((resolve) => {
        again = resolve
      })
      search.found(log, log.end)
    }
    seen.push(search.found(log, log.end))
  }
  return seen
}

const found = async (...args: Parameters<typeof searched>): Promise<boolean> =>
  (await searched(...args)).at(-1) ?? false

describe('finds', () => {
  test.each<[string, SearchOptions['find'], Parameters<typeof searched>[1]]>([
    ['a text around a bare carriage return', { text: 'overwritten' }, { typed: '', pieces: ['over\rwritten'] }],
    ['a text', { text: 'READY' }, { pieces: ['READY'] }],
    ['a text that began before since', { text: 'READY' }, { before: 'REA', pieces: ['DY'] }],
    ['a text across pieces', { text: 'READY' }, { pieces: ['R', 'EA', 'D', 'Y'] }],
    ['a text between escapes', { text: 'READY' }, { pieces: ['\x1b[1mREA\x1b[0', 'mDY\x1b[m'] }],
    ['a text over two lines', { text: 'one\ntwo' }, { pieces: ['one\r\ntwo\r\n'] }],
    ['a text that is written with carriage returns', { text: 'one\r\ntwo' }, { pieces: ['one\r\ntwo\r\n'] }],
    ['a character that came in halves', { text: 'grün' }, { pieces: ['gr'], before: '' }],
    ['a pattern', { pattern: 'port (\\d+)' }, { pieces: ['on port 8080'] }],
    ['a pattern that began before since', { pattern: '^RE\\w+Y$' }, { before: 'old\r\nREA', pieces: ['DY\r\n'] }],
    ['a pattern at the start of a line', { pattern: '^done$' }, { pieces: ['not done\r\n', 'done\r\n'] }],
    ['a text again that was there before', { text: 'READY' }, { before: 'READY\r\n', pieces: ['READY\r\n'] }],
    ['a text behind its own echo', { text: 'DONE' }, { typed: 'echo DONE', pieces: ['echo DONE\r\n', 'DONE\r\n'] }],
    [
      'a pattern, however often it matched before since',
      { pattern: '\\d+' },
      { before: '1 '.repeat(1_000), pieces: ['42'] },
    ],
    [
      'a text that repeats what was typed, in a program that does not echo',
      { text: 'you typed' },
      { typed: 'DONE', pieces: ['you typed DONE\r\n'] },
    ],
    ['a text after a megabyte of other output', { text: 'END' }, { pieces: [`${'x'.repeat(1_000_000)}END`] }],
    [
      'a text in the middle of a megabyte that came at once',
      { text: 'MIDDLE' },
      { pieces: [`${'x'.repeat(500_000)}MIDDLE${'x'.repeat(500_000)}`] },
    ],
  ])('%s', async (name, find, options) => {
    if (name.includes('halves')) {
      const log = new OutputLog({ capacityBytes: 100 })
      const search = new Search({ find, since: 0, typed: '', again: () => {} })
      const bytes = Buffer.from('grün')
      log.append(bytes.subarray(0, 3))
      assert.equal(search.found(log, log.end), false)
      log.append(bytes.subarray(3))
      assert.equal(search.found(log, log.end), true)
      return
    }
    assert.equal(await found(find, options), true)
  })
})

describe('does not find', () => {
  test.each<[string, SearchOptions['find'], Parameters<typeof searched>[1]]>([
    ['a text that was complete before since', { text: 'READY' }, { before: 'READY', pieces: ['\r\nnext'] }],
    ['a pattern that was complete before since', { pattern: 'READY' }, { before: 'READY', pieces: ['\r\nnext'] }],
    ['the echo of what was typed', { text: 'DONE' }, { typed: 'echo DONE', pieces: ['echo DONE\r\n', 'working'] }],
    ['an echo with its line end', { text: 'DONE\n' }, { typed: 'echo DONE', pieces: ['echo DONE\r\n', 'working'] }],
    ['a pattern in the echo', { pattern: 'DO\\wE' }, { typed: 'echo DONE', pieces: ['echo DONE\r\n'] }],
    ['the beginning of an echo', { text: 'DONE' }, { typed: 'echo DONE; make', pieces: ['echo DONE', '; make\r\n'] }],
    [
      'the second line of what was typed',
      { text: 'DONE' },
      { typed: 'make\necho DONE', pieces: ['make\r\n', '$ echo DONE\r\n'] },
    ],
    ['a text in a title', { text: 'DONE' }, { pieces: ['\x1b]2;DONE\x07working'] }],
  ])('%s', async (_name, find, options) => {
    assert.equal((await searched(find, options)).includes(true), false)
  })
})

test('what was found once stays found', async () => {
  assert.deepEqual(await searched({ text: 'x' }, { pieces: ['a', 'x', 'b', 'c'.repeat(20_000)] }), [
    false,
    true,
    true,
    true,
  ])
})

test('a text is found however the output is cut', async () => {
  const output = `${'noise '.repeat(40)}\x1b[32mserver\x1b[0m is \x1b[1mup\x1b[0m${' noise'.repeat(40)}`
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 30, maxLength: 60 }), async (lengths) => {
      const pieces: string[] = []
      let rest = output
      for (const length of lengths) {
        pieces.push(rest.slice(0, length))
        rest = rest.slice(length)
      }
      assert.equal(await found({ text: 'server is up' }, { pieces: [...pieces, rest] }), true)
    }),
  )
})

const foundInTheEnd = (pattern: string, output: string) => found({ pattern }, { pieces: [output] })

test('a pattern is searched for piece by piece in output that came in one piece', async () => {
  const noise = 'noise\r\n'.repeat(100_000)
  assert.equal(await foundInTheEnd('^port \\d+$', `${noise}port 80\r\n${noise}`), true)
  assert.equal(await foundInTheEnd('^port \\d+$', noise), false)
})

test('a pattern that backtracks for ever fails its own search', async () => {
  await assert.rejects(foundInTheEnd('^(a+)+$', `${'a'.repeat(40)}!\r\n`), /takes longer/)
})
