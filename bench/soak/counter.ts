/**
 * A terminal whose program prints numbered lines on request; a reader that gets them all in order has
 * lost nothing. At intervals its screen is read, or it is resized, or closed and reopened.
 */

import { Random } from '../../tests/harness/random.ts'
import type { Reach } from './reach.ts'

/** Reads a number and prints that many lines. */
const program =
  'stty -echo; n=0; echo up; while IFS= read -r k; do for ((i = 0; i < k; i++)); do echo "$((n++)) xxxxxxxxxxxxxxxxxxxxxxxxxxxx"; done; done'
const numbered = /^(\d+) x{28}$/
const pauseMsMax = 4_000

export class Counter {
  lines = 0
  bytes = 0
  reopened = 0
  readonly #reach: Reach
  readonly #random: Random
  readonly #number: number
  #terminalId = ''
  #cursor = 0
  #next = 0
  #rest = ''

  private constructor(reach: Reach, number: number, random: Random) {
    this.#reach = reach
    this.#number = number
    this.#random = random
  }

  static async openAll(reach: Reach, count: number, random: Random): Promise<readonly Counter[]> {
    const counters = Array.from({ length: count }, (_, at) => new Counter(reach, at, new Random(random.seed())))
    for (const counter of counters) await counter.#open()
    return counters
  }

  /** One piece of work, and a pause. Errors: throws if output was lost, duplicated or changed. */
  async work(): Promise<void> {
    const dice = this.#random.below(100)
    if (dice < 70) await this.#print(1 + this.#random.below(dice < 5 ? 3_000 : 40))
    else if (dice < 80) await this.#reach.ask((client) => client.call('screenshot', { terminalId: this.#terminalId }))
    else if (dice < 90) await this.#resize()
    else if (dice < 92) await this.#reopen()
    await this.#read()
    await new Promise((resolve) => setTimeout(resolve, this.#random.below(pauseMsMax)))
  }

  /** Reads all remaining output. */
  async finish(): Promise<void> {
    await this.#print(1)
    for (let before = -1; before !== this.#cursor; ) {
      before = this.#cursor
      await this.#read({ quietMs: 500 })
    }
    if (this.#rest !== '') throw this.#lost(`a line without an end: ${JSON.stringify(this.#rest)}`)
  }

  async #open(): Promise<void> {
    const name = `counter-${this.#number}-${this.reopened}`
    const command = ['bash', '--norc', '-c', program]
    // A name is used once: it finds a terminal that a killed daemon may have opened.
    const made = await this.#reach.try((client) => client.call('create', { name, command, waitFor: { text: 'up' } }))
    this.#terminalId = made?.terminalId ?? (await this.#find(name)) ?? ''
    if (this.#terminalId === '') return this.#open()
    this.#cursor = 0
    this.#next = 0
    this.#rest = ''
  }

  async #find(name: string): Promise<string | null> {
    const { terminals } = await this.#reach.ask((client) => client.call('list', {}))
    return terminals.find((one) => one.name === name)?.terminalId ?? null
  }

  async #reopen(): Promise<void> {
    await this.#read()
    const { terminalId } = this.#terminal
    await this.#reach.try((client) => client.call('close', { terminalId }))
    if ((await this.#find(`counter-${this.#number}-${this.reopened}`)) !== null)
      await this.#reach.ask((client) => client.call('close', { terminalId }).catch(() => ({ closed: [] })))
    this.reopened++
    await this.#open()
  }

  get #terminal(): { readonly terminalId: string } {
    return { terminalId: this.#terminalId }
  }

  /** After a kill of the daemon it is unknown whether the text was typed; both are correct. */
  async #print(count: number): Promise<void> {
    await this.#reach.try((client) =>
      client.call('send', { ...this.#terminal, text: String(count), waitFor: { quietMs: 20 } }),
    )
  }

  async #resize(): Promise<void> {
    const size = { cols: 40 + this.#random.below(100), rows: 5 + this.#random.below(50) }
    await this.#reach.ask((client) => client.call('resize', { ...this.#terminal, ...size }))
  }

  async #read(waitFor: { readonly quietMs: number } | 'none' = 'none'): Promise<void> {
    for (;;) {
      const seen = await this.#reach.ask((client) =>
        client.call('read', { ...this.#terminal, since: this.#cursor, raw: true, maxBytes: 1 << 20, waitFor }),
      )
      if (seen.missedBytes) throw this.#lost(`${seen.missedBytes} bytes were given up`)
      if (seen.cursor === this.#cursor) return
      this.#take(seen.output)
      this.#cursor = seen.cursor
    }
  }

  #take(output: string): void {
    this.bytes += output.length
    const lines = (this.#rest + output).split('\r\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === 'up' && this.#next === 0) continue
      const [, number] = numbered.exec(line) ?? []
      if (Number(number) !== this.#next) throw this.#lost(`line ${this.#next} is ${JSON.stringify(line.slice(0, 80))}`)
      this.#next++
      this.lines++
    }
  }

  #lost(what: string): Error {
    return new Error(`${this.#terminalId} (counter ${this.#number}) at offset ${this.#cursor}: ${what}`)
  }
}
