/** A real daemon with a small heap, a program that prints what it likes for a moment, and what others notice of it. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { systemClock } from '@agentpty/engine/host'
import type { WireClient } from '@agentpty/protocol/wire'
import { Instance } from '../harness/instance.ts'

/** A daemon at rest has 80 MB, of which a third is heap; twice that heap is what work needs. */
const heapMb = 192

export interface Toll {
  /** How much longer the slowest command in another terminal took meanwhile than the slowest in a daemon that nobody attacks. */
  readonly heldUpMs: number
  /** How many commands there were. */
  readonly commands: number
  /** Memory of the daemon beyond what it had before: at most, and when the session was closed. */
  readonly peakMb: number
  readonly keptMb: number
  /** How long a screenshot of the printing terminal took. */
  readonly screenshotMs: number
}

export interface Hostility {
  /** Printed once. */
  readonly begin?: string
  /** Printed again and again, as fast as it is taken. */
  readonly output: string
  /** In writes of so many bytes; without it large ones. */
  readonly pieceBytes?: number
  readonly forMs: number
}

export type Watched = Pick<Toll, 'heldUpMs' | 'commands'> & { readonly rssMb: number }

/** A terminal in which one command after the other is run, to see how long each takes. */
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
    const begun = performance.now()
    const { output } = await this.#rpc.call('run', { terminalId: this.#terminalId, command: 'echo $((40+2))' })
    assert.equal(output, '42')
    return performance.now() - begun
  }
}

export class Victim {
  readonly instance = new Instance({ NODE_OPTIONS: `--max-old-space-size=${heapMb}` })
  /** On the same machine, which may be busy: how long a command takes there is no fault of the attacked daemon. */
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
    // The daemon that was attacked is the one that still answers.
    assert.equal((await this.instance.status()).daemon.pid, this.#daemonPid)
    assert.deepEqual([await this.instance.stop(), await this.#other.stop()], [[], []])
  }

  /** What a program that prints costs until its screen has been read and it is closed. */
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
    const begun = performance.now()
    await this.rpc.call('screenshot', { terminalId })
    const screenshotMs = performance.now() - begun
    const peakMb = Math.max(during.rssMb, this.rssMb) - before
    await this.rpc.call('close', { terminalId })
    await this.#neighbour?.commandMs()
    return { heldUpMs, commands, peakMb, keptMb: this.rssMb - before, screenshotMs }
  }

  /** Commands in the neighbour, one after the other, while something goes on: the slowest, and the most memory. */
  async watch(going: Promise<unknown>): Promise<Watched> {
    assert.ok(this.#neighbour && this.#unharmed)
    let isOver = false
    const over = going.finally(() => {
      isOver = true
    })
    let [slowestMs, slowestUnharmedMs, rssMb, commands] = [0, 0, 0, 0]
    do {
      slowestMs = Math.max(slowestMs, await this.#neighbour.commandMs())
      slowestUnharmedMs = Math.max(slowestUnharmedMs, await this.#unharmed.commandMs())
      rssMb = Math.max(rssMb, this.rssMb)
      commands += 1
    } while (!isOver)
    await over
    return { heldUpMs: slowestMs - slowestUnharmedMs, commands, rssMb }
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
