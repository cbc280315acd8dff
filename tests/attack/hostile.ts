/** A real daemon with a small heap, a program that prints arbitrary output for a moment, and the effect on other clients. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { systemClock } from '@agentpty/engine/system-clock'
import type { WireClient } from '@agentpty/protocol/wire'
import { Instance } from '../harness/instance.ts'

/** An idle daemon has 80 MB, a third of it heap; work needs twice that heap. */
const heapMb = 192

/** On two cores, the median of 200 was 7.2 ms, and a tenth took more than 11.8 ms. A throttled machine needs several times as much. */
const usualCommandMs = 8

export interface Toll {
  /**
   * How much slower a command in another terminal was at most than one at the same time in an undisturbed daemon, in the milliseconds of a
   * machine on which the latter takes {@link usualCommandMs}.
   */
  readonly heldUpMs: number
  /** The number of commands. */
  readonly commands: number
  /** The daemon's additional memory: at most, and after the session was closed. */
  readonly peakMb: number
  readonly keptMb: number
  /** The duration of a screenshot of the printing terminal. */
  readonly screenshotMs: number
}

export interface Hostility {
  /** Printed once. */
  readonly begin?: string
  /** Printed repeatedly, as fast as it is read. */
  readonly output: string
  /** The size of each write in bytes; large by default. */
  readonly pieceBytes?: number
  readonly forMs: number
}

export type Watched = Pick<Toll, 'heldUpMs' | 'commands'> & { readonly rssMb: number }

/** A terminal in which commands run in sequence, to measure their duration. */
class Shell {
  readonly #rpc: WireClient
  readonly #terminalId: string

  private constructor(rpc: WireClient, terminalId: string) {
    this.#rpc = rpc
    this.#terminalId = terminalId
  }

  static async open(rpc: WireClient): Promise<Shell> {
    const shell = new Shell(rpc, (await rpc.call('create', { name: 'neighbour' })).terminalId)
    await shell.commandMs()
    return shell
  }

  async commandMs(): Promise<number> {
    const startedAt = performance.now()
    const { output } = await this.#rpc.call('run', { terminalId: this.#terminalId, command: 'echo $((40+2))' })
    assert.equal(output, '42')
    return performance.now() - startedAt
  }
}

export class Victim {
  readonly instance = new Instance({ NODE_OPTIONS: `--max-old-space-size=${heapMb}` })
  /** Measured on the same machine, which may be busy: that delay is not the fault of the attacked daemon. */
  readonly #other = new Instance()
  #rpc: WireClient | null = null
  #daemonPid = 0
  #neighbour: Shell | null = null
  #unharmed: Shell | null = null

  async open(): Promise<void> {
    this.#rpc = await this.instance.rpc()
    this.#daemonPid = (await this.instance.status()).daemon.pid
    this.#neighbour = await Shell.open(this.#rpc)
    this.#unharmed = await Shell.open(await this.#other.rpc())
  }

  get rpc(): WireClient {
    assert.ok(this.#rpc)
    return this.#rpc
  }

  get rssMb(): number {
    const status = readFileSync(`/proc/${this.#daemonPid}/status`, 'utf8')
    return Number(/VmRSS:\s*(\d+)/.exec(status)?.[1]) / 1024
  }

  async close(): Promise<void> {
    // The attacked daemon is the one that still answers.
    assert.equal((await this.instance.status()).daemon.pid, this.#daemonPid)
    assert.deepEqual([await this.instance.stop(), await this.#other.stop()], [[], []])
  }

  /** The cost of a printing program until its screen has been read and it is closed. */
  async suffer(hostility: Hostility): Promise<Toll> {
    const { forMs } = hostility
    const before = this.rssMb
    const { terminalId } = await this.rpc.call('create', {
      command: [process.execPath, '-e', printing(hostility)],
      waitFor: 'none',
    })
    const { heldUpMs, commands, ...during } = await this.watch(
      new Promise((over) => systemClock.callAt(systemClock.now() + forMs, () => over(null))),
    )
    const startedAt = performance.now()
    await this.rpc.call('screenshot', { terminalId })
    const screenshotMs = performance.now() - startedAt
    const peakMb = Math.max(during.rssMb, this.rssMb) - before
    await this.rpc.call('close', { terminalId })
    await this.#neighbour?.commandMs()
    return { heldUpMs, commands, peakMb, keptMb: this.rssMb - before, screenshotMs }
  }

  /**
   * Runs commands in sequence during an action, and at least so many, in the other terminal and beside it in that of a daemon
   * without attack, which a busy machine delays as much. Returns by how much one was slower at most, and the highest memory.
   */
  async watch(going: Promise<unknown>, commandsMin = 1): Promise<Watched> {
    assert.ok(this.#neighbour && this.#unharmed)
    let isOver = false
    const over = going.finally(() => {
      isOver = true
    })
    const slowerByMs: number[] = []
    const usualMs: number[] = []
    let rssMb = 0
    do {
      const [ms, unharmedMs] = await Promise.all([this.#neighbour.commandMs(), this.#unharmed.commandMs()])
      slowerByMs.push(ms - unharmedMs)
      usualMs.push(unharmedMs)
      rssMb = Math.max(rssMb, this.rssMb)
    } while (!isOver || slowerByMs.length < commandsMin)
    await over
    const median = usualMs.toSorted((one, other) => one - other)[Math.floor(usualMs.length / 2)] ?? 0
    const slowness = Math.max(1, median / usualCommandMs)
    return { heldUpMs: Math.max(...slowerByMs) / slowness, commands: slowerByMs.length, rssMb }
  }
}

/** Its answers from the terminal are never read. */
function printing({ begin = '', output, pieceBytes = 16_384, forMs }: Hostility): string {
  return `
    const piece = Buffer.from(${JSON.stringify(output)}.repeat(${Math.ceil(pieceBytes / output.length)}))
    const end = Date.now() + ${forMs}
    const next = () => Date.now() < end ? process.stdout.write(piece, next) : setInterval(() => {}, 1000)
    process.stdout.write(${JSON.stringify(begin)}, next)
  `
}
