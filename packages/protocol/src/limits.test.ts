import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'vitest'
import { configDefaults } from './home/config.ts'
import * as limits from './limits.ts'

const headers = ['limits.h', 'protocol.h']
  .map((name) => readFileSync(new URL(`../../../native/ptyhost/src/${name}`, import.meta.url), 'utf8'))
  .join('\n')

/** A number as the header writes it: `4096`, `131071u`, `(2u << 20)`. */
function inHeader(name: string): number {
  const [, base, , shift] = new RegExp(`#define ${name} \\(?(\\d+)u?( << (\\d+)\\))?`).exec(headers) ?? []
  assert.ok(base !== undefined, `${name} stands in no header`)
  return Number(base) * 2 ** Number(shift ?? 0)
}

test.each<[string, number]>([
  ['FRAME_BYTES_MAX', limits.frameBytesMax],
  ['ARGUMENTS_MAX', limits.argumentsMax],
  ['ARGUMENT_BYTES_MAX', limits.argumentBytesMax],
  ['START_BYTES_MAX', limits.startBytesMax],
  ['START_BYTES_EACH', limits.startBytesEach],
  ['PATH_BYTES_MAX', limits.pathBytesMax],
  ['META_BYTES_MAX', limits.notesBytesMax],
  ['SESSIONS_MAX', limits.keptSessionsMax],
  ['RING_BYTES_MIN', limits.logBytesMin],
  ['RING_BYTES_MAX', limits.logBytesMax],
  ['UNACKED_BYTES_MAX', limits.unparsedBytesMax],
  ['INPUT_BYTES_MAX', limits.inputBytesMax],
])('%s of ptyhost is the bound that the engine and the schemas have', (name, bound) => {
  assert.equal(inHeader(name), bound)
})

test('the largest start of a program fits one frame with its notes and paths', () => {
  const { startBytesMax, notesBytesMax, pathBytesMax, frameBytesMax } = limits
  assert.ok(startBytesMax + notesBytesMax + pathBytesMax + 1_024 <= frameBytesMax)
})

test('input goes out in pieces that fit a frame, and no call types more than the host queues', () => {
  assert.ok(limits.writePieceBytes + 1_024 <= limits.frameBytesMax)
  assert.ok(limits.sendBytesMax <= limits.inputBytesMax)
})

const sumOf = (size: Parameters<typeof limits.sessionShares>[0]) =>
  Object.values(limits.sessionShares(size)).reduce((sum, bytes) => sum + bytes, 0)

test('all that is kept of a session comes to no more than is promised, whatever its program and its clients do', () => {
  const { logBytes, cols, rows } = configDefaults
  const { logBytesMax, columnsMax, rowsMax } = limits
  const ordinary = sumOf({ logBytes, cols, rows })
  const largest = sumOf({ logBytes: logBytesMax, cols: columnsMax, rows: rowsMax })
  assert.ok(ordinary <= limits.sessionBytesMax, `${ordinary} bytes`)
  assert.ok(largest <= limits.largestSessionBytesMax, `${largest} bytes`)
  // A promise that is far from what it is made of would hide the next list without a bound.
  assert.ok(ordinary > 0.7 * limits.sessionBytesMax && largest > 0.7 * limits.largestSessionBytesMax)
})
