/** The screen: its contents for any division of the input, its memory, and how long others wait while it is drawn. */

import assert from 'node:assert/strict'
import { Screen } from '@agentpty/engine/screen'
import { systemClock } from '@agentpty/engine/system-clock'
import { clusterCharactersMax, parseSliceMicros, sequenceStringBytesMax } from '@agentpty/protocol'
import { cutsOf, type Target } from '../target.ts'
import { MemoryToll, neighbourWaits } from '../toll.ts'

const size = { cols: 40, rows: 10 }
/** Small inputs are played repeatedly: programs print for long. */
const outputBytes = 2_560
/** The longest wait of another session; ordinary slices take two milliseconds, and this machine may be busy. */
const sliceMsMax = 1_000
/** Another session's screen drawn meanwhile, and the work allowed in that time: two turns of each, and much garbage. */
const floodBytes = 32 * 1_024
const neighbourMsMax = 500
/** Played three times, an input allocates some megabytes; two screens of this size need a fraction of one. */
const memory = new MemoryToll({ peakMb: 96, keptMb: 48, every: 128 })

export const screen: Target = {
  name: 'screen',
  covers: ['engine/src/screen/'],
  words: [
    ...[
      '\x1bc',
      '\x1b#8',
      '\x1b[2J',
      '\x1b[H',
      '\x1b[?1049h',
      '\x1b[?1049l',
      '\x1b[?47h',
      '\x1b[?3h',
      '\x1b7',
      '\x1b8',
    ],
    ...['\x1b[1000L', '\x1b[999M', '\x1b[500S', '\x1b[77T', '\x1b[99b', '\x1b[2;5r', '\x1b[4h', '\x1b[c', '\x1b[6n'],
    ...['\x1b]2;', '\x1b]8;;a\x07', '\x1b]8;id=1;b\x1b\\', '\x1bPq', '\x1b_', '\x07', '\x1b\\', '\x1b[22t', '\x1b[23t'],
    ...[
      '\u0301',
      '\u200d',
      '\u{1f468}',
      '漢',
      'text',
      '\r\n',
      '\n',
      '\t',
      '\x0e',
      '\x1b[38;2;1;2;3m',
      '\x1b[4:3m',
      '\x1b[m',
    ],
  ],
  bytesMax: 512,
  async check(input) {
    const { bytes, pieces } = cutsOf(input)
    const output = repeated(bytes, outputBytes)
    await memory.during(() => sameHoweverFed(bytes, pieces, output))
    const cpuMs = await neighbourWaits(repeated(bytes, floodBytes))
    assert.ok(cpuMs < neighbourMsMax, `another session waits for ${Math.round(cpuMs)} ms of work`)
  },
}

async function sameHoweverFed(bytes: Uint8Array, pieces: readonly Uint8Array[], output: Uint8Array): Promise<void> {
  const whole = open()
  const cut = open()
  try {
    for (const piece of [...pieces, output.subarray(bytes.length)]) await feed(whole, piece)
    playInSlices(cut, output)
    assert.equal(cut.parsedTo, output.length, 'all of it is on the screen')
    assert.deepEqual(cut.snapshot(), whole.snapshot(), 'the same screen however it is fed')
    const { text, title } = cut.snapshot()
    for (const row of [...text, ...cut.scrollbackText(100)])
      assert.ok(row.length <= size.cols * (clusterCharactersMax + 2), 'a cell has a bounded number of characters')
    assert.ok(title.length <= sequenceStringBytesMax, 'a title is bounded')
  } finally {
    for (const each of [whole, cut]) each.dispose()
  }
}

function open(): Screen {
  return new Screen({ ...size, scrollbackRows: 50, offset: 0, version: '', onReply: () => undefined })
}

function repeated(bytes: Uint8Array, length: number): Buffer {
  return Buffer.concat(Array.from({ length: Math.ceil(length / Math.max(16, bytes.length)) }, () => bytes))
}

function feed(on: Screen, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => on.feed(bytes, resolve))
}

/** Feeds it like a session that is behind. */
function playInSlices(on: Screen, output: Uint8Array): void {
  for (let at = 0; at < output.length; ) {
    at += on.skim(output.subarray(at))
    const rest = output.subarray(at)
    const slice = rest.subarray(0, on.sliceWithin(rest, parseSliceMicros))
    assert.ok(slice.length > 0 || rest.length === 0, 'a slice is some of it')
    const startedAt = systemClock.now()
    assert.ok(on.play(slice), 'the emulator plays at once')
    assert.ok(systemClock.now() - startedAt < sliceMsMax, 'a slice is short')
    at += slice.length
  }
}
