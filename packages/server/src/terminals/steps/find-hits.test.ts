import assert from 'node:assert/strict'
import { openFakeSession } from '@agentpty/engine/testing'
import { searchableText } from '@agentpty/engine/waits'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Secrets } from '../../secrets/secrets.ts'
import { findHits, type HitsOptions } from './find-hits.ts'

async function printed(output: string, { logBytes = 4_000_000 } = {}) {
  const { pty, session } = openFakeSession({ info: { logBytes } })
  for (let at = 0; at < output.length; at += 200_000) {
    pty.prints(output.slice(at, at + 200_000))
    await session.screen()
  }
  return session
}

type Session = Awaited<ReturnType<typeof printed>>

function find(session: Session, pattern: string, rest: Partial<HitsOptions> = {}) {
  const range = { since: 0, until: session.parsedTo, backward: true, limit: 10_000, maxBytes: 10_000, secrets: null }
  return findHits(session, { ...range, sought: { pattern }, ...rest })
}

/** All lines of the output by the text of the whole of it, without pieces and without a filter. */
function linesOfAll(bytes: Buffer) {
  const texts = searchableText(bytes).split('\n')
  let begin = 0
  return texts.map((text) => {
    const line = { text, offset: begin }
    const end = bytes.indexOf(0x0a, begin)
    begin = end < 0 ? bytes.length : end + 1
    return line
  })
}

test('the nearest line comes first, in both directions, and the next search continues from it', async () => {
  const session = await printed(Array.from({ length: 20_000 }, (_, at) => `line ${at}\r\n`).join(''))
  const nearest = await find(session, '0000$', { limit: 1 })
  expect(nearest.output).toMatch(/^\d+: line 10000$/)
  const [until = 0] = nearest.hits
  expect((await find(session, '0000$', { limit: 1, until })).output).toBe('')
  const forward = await find(session, 'line 1.*000$', { backward: false, limit: 2, since: until })
  expect(forward.output.split('\n').map((text) => text.replace(/^\d+: /, ''))).toEqual(['line 10000', 'line 11000'])
  const after = await find(session, 'line 1.*000$', { backward: false, limit: 1, since: until + 1 })
  expect(after.output).toMatch(/: line 11000$/)
})

test('a line counts by where it begins, and with all of its text', async () => {
  const session = await printed('first word\r\nsecond word\r\nlast wo')
  const until = 'first word\r\nsec'.length
  expect((await find(session, 'word$', { until })).hits).toEqual([12, 0])
  expect((await find(session, 'word$', { until: 12 })).hits).toEqual([0])
  expect((await find(session, 'word$', { since: 1, backward: false })).hits).toEqual([12])
  expect((await find(session, 'wo', { since: 12, backward: false })).hits).toEqual([12, 25])
  expect((await find(session, 'wo$')).hits).toEqual([25])
})

test('escape sequences and control characters between the letters hide no line', async () => {
  const session = await printed('\x1b[31mer\x1b[1mr\x1b]0;t\x07\x1b(Bor\x1b[0m: x\r\nerr\r\n')
  expect((await find(session, 'error: x')).hits).toEqual([0])
})

test('a sequence that ends with a letter of the text hides no line', async () => {
  const session = await printed('nee\x1b[0;1edle\r\nne\x1b[2eedl\x1bee\r\n')
  expect((await find(session, 'needle')).hits).toEqual([14, 0])
})

test('a sequence with many parameters hides no line', async () => {
  const session = await printed(`nee\x1b[${'1;'.repeat(100)}1mdle\r\n${'5'.repeat(60_000)}\r\n`)
  expect((await find(session, 'needle')).hits).toEqual([0])
  expect((await find(session, 'b5')).hits).toEqual([])
})

test('a row of a full-screen program is no line', async () => {
  const session = await printed('vi\r\n\x1b[?1049h\x1b[2Jneedle\r\nneedle\r\n\x1b[?1049l$ needle here\r\n')
  const { output } = await find(session, 'needle')
  expect(output.split('\n').map((text) => text.replace(/^\d+: /, ''))).toEqual(['$ needle here'])
})

test('a limit ends the search, and maxBytes limits only the text', async () => {
  const session = await printed('same line\r\n'.repeat(1_000))
  const found = await find(session, 'same', { limit: 300, maxBytes: 256 })
  expect(found.hits).toHaveLength(300)
  expect(Buffer.byteLength(found.output)).toBeLessThanOrEqual(256)
  expect(found.output.startsWith(`${999 * 11}: same line\n`)).toBe(true)
})

test('secrets are masked before they are searched', async () => {
  const secrets = new Secrets()
  secrets.add('hunter22')
  const session = await printed('password hunter22\r\n')
  expect((await find(session, 'hunter', { secrets })).hits).toEqual([])
  expect((await find(session, 'password', { secrets })).output).not.toContain('hunter')
  expect((await find(session, 'hunter')).hits).toEqual([0])
})

test('a search that its caller has given up ends', async () => {
  const session = await printed('noise noise\r\n'.repeat(100_000))
  const search = find(session, 'x', { signal: AbortSignal.abort() })
  await expect(search).rejects.toMatchObject({ code: 'cancelled' })
})

test('a pattern that backtracks without end is refused', async () => {
  const session = await printed(`${'a'.repeat(40)}!\r\n`)
  await expect(find(session, '^(a+)+$')).rejects.toMatchObject({ code: 'invalid_input' })
})

const sequences = [
  '\x1b[31m',
  '\x1b[0m',
  '\x1b[38;5;4m',
  '\x1b]0;ab\x07',
  '\x1b]8;;a\x1b\\',
  '\x1b(B',
  '\x1b',
  '\x1b]b',
  '\x07',
  // Their last bytes are letters of the words.
  '\x1b[1e',
  '\x1b[d',
  '\x1bn',
  '\x1b[a',
]
const words = ['a', 'b', 'ab', 'needle', 'NEEDLE', 'é', '漢字', '💾', ' ', '.', '7', '\ufeff']
const part = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...words) },
  { weight: 3, arbitrary: fc.constantFrom(...sequences) },
  { weight: 2, arbitrary: fc.constantFrom('\r\n', '\n', '\r', '\t', '\b') },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 3 }).map((noise) => Buffer.from(noise).toString('latin1')) },
)
const output = fc.array(part, { maxLength: 80 }).map((parts) => parts.join(''))
const sought = fc.oneof(
  fc
    .array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join('').replaceAll('.', '\\.')),
  fc.constantFrom('n.*le', '^a', 'b$', '(ab)+', 'ne{2}dle', 'a|é', '\\d', 'needle *7', '漢?字'),
)

test('no line is lost that a search of the whole decoded output finds', async () => {
  await fc.assert(
    fc.asyncProperty(output, sought, fc.boolean(), fc.nat(3), async (text, pattern, ignoreCase, repeated) => {
      // Longer than a piece, so that lines at the borders of pieces count, too.
      const filler = 'filler line\r\n'.repeat(repeated * 3_000)
      const session = await printed(`${text}\n${filler}${text}\n${filler}${text}`)
      const bytes = Buffer.from(session.log.read({ since: 0 }).bytes)
      const expression = new RegExp(pattern, ignoreCase ? 'i' : '')
      const want = linesOfAll(bytes)
        .filter((line) => line.offset < bytes.length && expression.test(line.text))
        .map(({ offset }) => offset)
      const options = { sought: { pattern, ignoreCase }, limit: 1_000_000 }
      assert.deepEqual((await find(session, pattern, { ...options, backward: false })).hits, want)
      assert.deepEqual((await find(session, pattern, options)).hits, want.toReversed())
    }),
    { numRuns: 300 },
  )
})
