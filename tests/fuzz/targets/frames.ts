/**
 * The wire from ptyhost: the same frames for any division, none longer than the protocol allows, and each payload either
 * has all fields of its row or is refused.
 */

import assert from 'node:assert/strict'
import {
  answers,
  decodePayload,
  encodeFrame,
  type Frame,
  type FrameRow,
  FrameSplitter,
  FrameWriter,
} from '@agentpty/engine/testing'
import { frameBytesMax } from '@agentpty/protocol'
import { cutsOf, type Target } from '../target.ts'

export const frames: Target = {
  name: 'frames',
  covers: ['engine/src/ptyhost/frames.ts'],
  words: [
    '\x00',
    '\x00\x00\x00',
    '\x01\x00\x00\x00',
    '\x05\x00\x00\x00',
    '\x45\x00\x00\x00',
    '\x00\x00\x20\x00',
    '\x01\x00\x20\x00',
    '\x00\x00\x00\x00\x00\x00\x00\x00\x48\x00\x00\x00',
    '\x03\x00\x00\x00\x01\x00\x00\x00\x45\x00\x00\x00abc',
    '\xff\xff\xff\xff',
  ],
  bytesMax: 1_000,
  check(input) {
    const { bytes, pieces } = cutsOf(input)
    const whole = framesOf([bytes])
    assert.deepEqual(framesOf(pieces), whole, 'the same frames however they are cut')
    if (whole === null) return
    const written = whole.map(({ type, session, payload }) => new FrameWriter(type, session).bytes(payload).finish())
    const again = framesOf(written)
    assert.deepEqual(again, whole, 'written again they are the same')
    assert.ok(whole.every(({ payload }) => payload.length <= frameBytesMax))
    for (const frame of whole) assertDecoded(frame)
  },
}

const rows: readonly FrameRow[] = Object.values(answers)

function assertDecoded({ type, payload }: Frame): void {
  const row = rows.find((one) => one.type === type)
  if (row === undefined) return
  try {
    const values = decodePayload(row, payload)
    assert.deepEqual(Object.keys(values), Object.keys(row.fields))
    const [frame] = new FrameSplitter().push(encodeFrame(row, 0, values))
    const again = decodePayload(row, frame?.payload ?? Buffer.alloc(0))
    assert.deepEqual(again, values, 'encoded and decoded again they are the same')
  } catch (error) {
    // Numbers above 2^53 are rounded, and 2^64 is invalid.
    const isPlanned = error instanceof Error && /is cut short$|is out of range/.test(error.message)
    assert.ok(isPlanned, String(error))
  }
}

/** Null when the stream is invalid. */
function framesOf(pieces: readonly Uint8Array[]): readonly Frame[] | null {
  const splitter = new FrameSplitter()
  const found: Frame[] = []
  try {
    for (const piece of pieces) {
      for (const { type, session, payload } of splitter.push(Buffer.from(piece))) {
        found.push({ type, session, payload: Buffer.from(payload) })
      }
    }
  } catch (error) {
    assert.ok(error instanceof Error && /^frame of \d+ bytes/.test(error.message), String(error))
    return null
  }
  return found
}
