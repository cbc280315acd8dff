import { castHeader, castLine } from '@agentpty/protocol/recording'
import { expect, test } from 'vitest'
import { itemsIn } from './kept-timeline.ts'
import { CastInParts } from './load-kept.ts'

const header = castHeader({ size: { cols: 80, rows: 24 }, startedAt: 1_000_000, command: 'bash', title: 'build' })
const text = [
  header,
  castLine(100, 'm', '$ make'),
  castLine(100, 'o', 'äöü 😀\r\n'),
  '# agentpty 12 1000200\n',
  castLine(300, 'm', 'exit code 2'),
  castLine(500, 'r', '100x30'),
  castLine(0, 'm', 'Ada has taken it over'),
  castLine(0, 'm', 'agents may type again'),
  castLine(0, 'm', '12 bytes are missing here: they came too fast'),
  castLine(0, 'm', '$ sleep 9'),
  castLine(250, 'x', '129'),
].join('')

function inParts(length: number) {
  const read = new CastInParts()
  for (let at = 0; at < text.length; at += length) read.add(text.slice(at, at + length))
  return read.whole()
}

test('the recording is the same for any division into parts', () => {
  const whole = inParts(text.length)
  expect(whole).toMatchObject({ title: 'build', size: { cols: 80, rows: 24 }, durationMs: 1_250, header })
  expect(whole.commands.map(({ at, label }) => [at, label])).toEqual([
    [100, 'make'],
    [1_000, 'sleep 9'],
  ])
  for (const length of [1, 2, 7, 64, 150]) expect(inParts(length)).toEqual(whole)
})

test('its markers report commands with their ends, take-overs, sizes, gaps and the exit', () => {
  expect(itemsIn(inParts(text.length).events)).toMatchObject([
    { kind: 'command', at: 100, line: 'make', endedAt: 500, exitCode: 2 },
    { kind: 'size', at: 1_000, cols: 100, rows: 30 },
    { kind: 'lease', event: 'taken', who: 'Ada' },
    { kind: 'lease', event: 'released' },
    { kind: 'note', text: '12 bytes are missing here: they came too fast' },
    { kind: 'command', line: 'sleep 9', endedAt: 1_250, exitCode: null },
    { kind: 'exit', at: 1_250, exitCode: 129 },
  ])
})
