/** The cost of an input besides correctness: memory, and the waiting time of other sessions. */

import assert from 'node:assert/strict'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { OutputLog } from '@agentpty/engine/log'
import { systemClock } from '@agentpty/engine/system-clock'
import { LazyScreen } from '@agentpty/engine/testing'

const MiB = 1_024 * 1_024

/** The live memory, without garbage. Takes some milliseconds. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  const { used_heap_size, external_memory } = getHeapStatistics()
  return used_heap_size + external_memory
}

/** Bytes of the heap, garbage included. */
function heapNow(): number {
  const { used_heap_size, external_memory } = getHeapStatistics()
  return used_heap_size + external_memory
}

export interface MemoryBounds {
  /** The most that one input may allocate, garbage included. */
  readonly peakMb: number
  /** The most that may be left after all inputs so far, including the fuzzer's own data. */
  readonly keptMb: number
  /** How many inputs run between two measurements of what is left. */
  readonly every: number
}

/** Fails if inputs allocate or leave more than the limits. */
export class MemoryToll {
  readonly #bounds: MemoryBounds
  #first: number | null = null
  #inputs = 0

  constructor(bounds: MemoryBounds) {
    this.#bounds = bounds
  }

  async during(play: () => Promise<void>): Promise<void> {
    const { peakMb, keptMb, every } = this.#bounds
    const before = heapNow()
    await play()
    const made = heapNow() - before
    assert.ok(made < peakMb * MiB, `one input makes ${Math.round(made / MiB)} MB`)
    if (this.#inputs++ % every !== 0) return
    const left = heapBytes()
    this.#first ??= left
    assert.ok(left - this.#first < keptMb * MiB, `${Math.round((left - this.#first) / MiB)} MB are left of the inputs`)
  }
}

/**
 * CPU time that passes while a client waits for another session's screen and one session has all of this to draw. It does
 * not depend on how busy the machine is.
 */
export async function neighbourWaits(output: Uint8Array): Promise<number> {
  const busy = open(output)
  const neighbour = open(Buffer.from('a line\r\n'))
  try {
    busy.screen.ensure()
    const before = process.cpuUsage()
    const screen = await neighbour.screen.at(neighbour.log.end)
    const { user, system } = process.cpuUsage(before)
    assert.equal(screen.parsedTo, neighbour.log.end, 'the neighbour’s screen is drawn')
    return (user + system) / 1_000
  } finally {
    busy.screen.dispose()
    neighbour.screen.dispose()
  }
}

function open(output: Uint8Array) {
  const log = new OutputLog({ capacityBytes: Math.max(output.length, 1_024) })
  log.append(output)
  const screen = new LazyScreen({
    clock: systemClock,
    log,
    sizes: [{ offset: 0, cols: 80, rows: 24 }],
    answerFrom: 0,
    version: '',
    onReply: () => undefined,
    onParsed: () => undefined,
  })
  return { log, screen }
}
