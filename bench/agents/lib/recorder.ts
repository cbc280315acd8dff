/** The program's output in the form of a recording: bytes, their times, and the true state meanwhile. */

import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Agent } from './agent.ts'
import { now, sleep } from './time.ts'

interface Piece {
  readonly t: number
  readonly off: number
  readonly n: number
}

const readEveryMs = 10

export class Recorder {
  readonly #agent: Agent
  readonly #pieces: Piece[] = []
  readonly #chunks: Buffer[] = []
  readonly #running: Promise<void>
  #length = 0
  #isStopped = false

  constructor(agent: Agent) {
    this.#agent = agent
    this.#running = this.#run()
  }

  /** Writes <client>.raw, <client>.timing.jsonl and <client>.truth.json. */
  async save(folder: string): Promise<void> {
    this.#isStopped = true
    await this.#running
    mkdirSync(folder, { recursive: true })
    const { client, marks, model, sampler } = this.#agent
    const file = (ending: string) => path.join(folder, `${client.name}.${ending}`)
    writeFileSync(file('raw'), Buffer.concat(this.#chunks))
    writeFileSync(file('timing.jsonl'), this.#pieces.map((piece) => `${JSON.stringify(piece)}\n`).join(''))
    const note = 'times in ms since 1970; server: request = working, done final:true = turn over'
    const truth = { client: client.name, cols: 110, rows: 36, term: 'xterm-256color', note }
    const verdicts = sampler.samples.map(({ t, verdict: { state, kind, needs } }) => ({ t, state, kind, needs }))
    writeFileSync(file('truth.json'), JSON.stringify({ ...truth, marks, server: model.log, verdicts }, null, 1))
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      await this.#read()
      await sleep(readEveryMs)
    }
    await this.#read()
  }

  async #read(): Promise<void> {
    const { engine, terminalId } = this.#agent
    const { output } = await engine.client.call('read', {
      terminalId,
      since: this.#length,
      raw: true,
      maxBytes: 1 << 20,
    })
    const bytes = Buffer.from(output)
    if (bytes.length === 0) return
    this.#pieces.push({ t: Math.round(now()), off: this.#length, n: bytes.length })
    this.#chunks.push(bytes)
    this.#length += bytes.length
  }
}
