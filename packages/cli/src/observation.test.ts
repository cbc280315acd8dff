import { parseStatusReport } from '@agentpty/engine/testing'
import { expect, test } from 'vitest'
import { formatReport, parseWaitFor, waitForChoices } from './observation.ts'

test.each([
  [['ready'], 'ready'],
  [['ready:high'], { ready: 'high' }],
  [['text:Listening on: 80'], { text: 'Listening on: 80' }],
  [['pattern:a|b'], { pattern: 'a|b' }],
  [['quiet:500'], { quietMs: 500 }],
  [
    ['stable:80', 'exit'],
    [{ stableMs: 80 }, 'exit'],
  ],
  [[], undefined],
])('%j', (words, want) => {
  expect(parseWaitFor(words)).toEqual(want)
})

test.each(['soon', 'ready:sure', 'text:', 'quiet:long', ':'])(
  '%j is nothing to wait for, and the error lists the choices',
  (word) => {
    expect(() => parseWaitFor([word])).toThrow(/nothing to wait for/)
  },
)

test('every condition that completion offers can be parsed', () => {
  for (const choice of waitForChoices) parseWaitFor([choice.endsWith(':') ? `${choice}1` : choice])
})

/** Reads the part between the introducer and the terminator. */
const read = (report: string) => parseStatusReport(report.slice('\x1b]7501;'.length, -'\x1b\\'.length))

test.each([
  ['a plain one', 'Run ls?', 'Run ls?'],
  ['one of several lines', 'Run\r\n\tls?', 'Run ls?'],
  ['one that would end the sequence', 'a\x1b\\b\x07', 'a \\b'],
  ['one of other scripts', 'Ausführen? 実行 🚀', 'Ausführen? 実行 🚀'],
  ['one that is too long, cut between characters', '実'.repeat(2_000), '実'.repeat(682)],
])('a message is read back: %s', (_name, message, expected) => {
  expect(read(formatReport('blocked', message))).toMatchObject({ record: { state: 'blocked', message: expected } })
})

test('an unknown state is refused with a list of the known ones', () => {
  expect(() => formatReport('bussy', undefined)).toThrow('"bussy" is no state.')
})
