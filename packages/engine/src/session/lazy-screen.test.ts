import assert from 'node:assert/strict'
import { sizesMax } from '@agentpty/protocol'
import { FakeClock } from '@agentpty/protocol/testing'
import { test } from 'vitest'
import { OutputLog } from '../log/output-log.ts'
import { LazyScreen } from './lazy-screen.ts'

function open() {
  const log = new OutputLog({ capacityBytes: 1_000_000 })
  const screen = new LazyScreen({
    clock: new FakeClock(),
    log,
    sizes: [{ offset: 0, cols: 80, rows: 24 }],
    answerFrom: 0,
    version: '',
    onReply: () => undefined,
    onParsed: () => undefined,
  })
  return { log, screen }
}

test('sizes that change with no output between them need no screen: the last one counts', async () => {
  const { log, screen } = open()
  for (let at = 0; at < 10 * sizesMax; at += 1) screen.resize({ offset: log.end, cols: 40 + (at % 9), rows: 10 })
  assert.deepEqual([screen.exists, screen.size], [false, { cols: 40 + ((10 * sizesMax - 1) % 9), rows: 10 }])
})

test('a screen is made before more changes of its size are kept than may wait, and has the last one', async () => {
  const { log, screen } = open()
  for (let at = 0; at < 3 * sizesMax; at += 1) {
    log.append(Buffer.from('x'))
    screen.resize({ offset: log.end, cols: 40 + (at % 9), rows: 10 })
  }
  assert.equal(screen.exists, true)
  const drawn = await screen.at(log.end)
  assert.deepEqual(drawn.size, screen.size)
})
