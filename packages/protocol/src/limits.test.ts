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

const mebibyte = 2 ** 20

/** A cell of a screen, and what it costs when it is no plain character: a whole cluster, and colours of its own. */
const cellBytes = 12
const richCellBytes = cellBytes + 2 * limits.clusterCharactersMax + 160
/** A cell in a frame: its cluster, and both its colours as an escape sequence. */
const drawnCellBytes = 2 * (limits.clusterCharactersMax + 48)
/** How many titles the emulator keeps, of windows and of icons. */
const titlesMax = 2 * 10 + 1
/** A question and its evidence: each is at most what a mark may say. Followers keep the same verdicts. */
const verdictBytes = 2 * limits.markBytesMax

/**
 * The most that is kept of one session, by ptyhost too: each bound at its worst, all at the same moment. A program that means
 * well fills its log, and little else. Characters of strings count twice.
 */
function sessionShares({ logBytes, cols, rows }: { readonly [Key in 'logBytes' | 'cols' | 'rows']: number }) {
  return {
    log: logBytes,
    logAtHost: logBytes,
    /** While a late screen catches up. */
    logNotDrawn: logBytes,
    unparsed: 2 * limits.unparsedBytesMax,
    notRead: limits.inputBytesMax,
    replies: limits.replyBytesMax,
    screen: (limits.scrollbackRows + 2 * rows) * cols * richCellBytes,
    strings: 2 * limits.sequenceStringBytesMax * titlesMax,
    /** Each with its line and its folder. */
    commands: limits.commandsMax * 2 * 2 * limits.markBytesMax,
    times: limits.momentsMax * 80 + limits.sizesMax * 80,
    waits: limits.waitsPerSessionMax * limits.patternTextBytesMax,
    followers: limits.subscribersPerSessionMax * limits.followPieceBytes,
    verdicts: limits.turnsPerFollowerMax * (verdictBytes + limits.subscribersPerSessionMax * 80),
    windows: limits.windowsPerSessionMax * rows * cols * drawnCellBytes,
  } as const
}

/** Sum of these limits for a terminal with the defaults, and for the largest that can be requested. */
const sessionBytesMax = 128 * mebibyte
const largestSessionBytesMax = 3_072 * mebibyte

const sumOf = (size: Parameters<typeof sessionShares>[0]) =>
  Object.values(sessionShares(size)).reduce((sum, bytes) => sum + bytes, 0)

test('all that is kept of a session comes to no more than is promised, whatever its program and its clients do', () => {
  const { logBytes, cols, rows } = configDefaults
  const { logBytesMax, columnsMax, rowsMax } = limits
  const ordinary = sumOf({ logBytes, cols, rows })
  const largest = sumOf({ logBytes: logBytesMax, cols: columnsMax, rows: rowsMax })
  assert.ok(ordinary <= sessionBytesMax, `${ordinary} bytes`)
  assert.ok(largest <= largestSessionBytesMax, `${largest} bytes`)
  // A promise that is far from what it is made of would hide the next list without a bound.
  assert.ok(ordinary > 0.7 * sessionBytesMax && largest > 0.7 * largestSessionBytesMax)
})
