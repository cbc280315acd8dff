/** The line at the cursor, read from the log alone; if it reports certainty, the emulator must agree. */

import assert from 'node:assert/strict'
import { OutputLog } from '@agentpty/engine/log'
import { Screen } from '@agentpty/engine/screen'
import { cursorLine } from '@agentpty/engine/testing'
import { columnsMax } from '@agentpty/protocol'
import { cutsOf, type Target } from '../target.ts'

/** Sequences that move within the line or draw on it, as line editors send them. */
const withinLine = /[ -~]|\r|\x08|\x1b\[\d?[CDGP]|\x1b\[[012]?K|\x1b\[[\d;]*m|\x1b\][02];[ -~]*\x07/g
/** The emulator's row must be longer than any result. */
const stepsMax = 60

export const cursorLineTarget: Target = {
  name: 'cursor-line',
  covers: ['engine/src/turn/prompt-shape.ts'],
  words: [
    '\x1b[',
    '\x1b]0;t\x07',
    '\x1b]',
    '\x1b\\',
    '\x1bP',
    '\x07',
    '\r',
    '\b',
    '\n',
    '\t',
    '\x7f',
    '$ ',
    'Name: ',
    'abcdef\x1b[5D',
    '\xc3\xa9',
    '\xe4\xb8\xad',
    '\x1b[K',
    '\x1b[1K',
    '\x1b[2K',
    '\x1b[J',
    '\x1b[C',
    '\x1b[5C',
    '\x1b[D',
    '\x1b[9D',
    '\x1b[G',
    '\x1b[4G',
    '\x1b[P',
    '\x1b[3P',
    '\x1b[A',
    '\x1b[2;3H',
    '\x1b[31m',
    '\x1b[?25l',
    '\x1b(B',
    '\x1b7',
    '\x1b[999999999C',
    '\x1b[2147483648G',
  ],
  bytesMax: 1_500,
  async check(input) {
    const { bytes, pieces } = cutsOf(input)
    const { before, line, drawn } = lineOf(pieces)
    assert.ok(!/[\x00-\x1f\x7f]/.test(line), `no controls in ${JSON.stringify(line)}`)
    assert.ok(line.startsWith(before), `${JSON.stringify(line)} begins with what is before the cursor`)
    assert.ok(before.length <= columnsMax + 1_024, `a line is bounded: ${before.length}`)
    const prefix = Buffer.alloc(3_000, 'other output ')
    const whole = lineOf([prefix, Buffer.from('\n'), bytes])
    assert.deepEqual(whole, { before, line, drawn }, 'what stands before the line and how it is cut do not matter')
    await checkByEmulator(Buffer.from(bytes).toString('latin1'))
  },
}

/** For any bytes, the sequences that make a line are drawn by both. */
async function checkByEmulator(text: string): Promise<void> {
  const line = (text.match(withinLine) ?? []).slice(0, stepsMax).join('')
  const { before, drawn } = lineOf([Buffer.from(line)])
  assert.equal(drawn, false)
  if (line.length < 1_000)
    assert.equal(before.trimEnd(), (await onScreen(line)).trimEnd(), `the emulator agrees on ${line}`)
}

function lineOf(pieces: readonly Uint8Array[]): ReturnType<typeof cursorLine> {
  const log = new OutputLog({ capacityBytes: 10_000 })
  for (const piece of pieces) log.append(piece)
  return cursorLine(log)
}

async function onScreen(line: string): Promise<string> {
  const screen = new Screen({ cols: columnsMax, rows: 2, scrollbackRows: 0, offset: 0, version: '', onReply: () => {} })
  await new Promise<void>((resolve) => screen.feed(Buffer.from(line), resolve))
  const text = screen.cursorRow().before
  screen.dispose()
  return text
}
