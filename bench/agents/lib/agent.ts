/** One agent CLI in one agentpty session, with its own home and its own scripted model. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Engine } from 'agentpty'
import type { LogEvent } from '../../../tools/fake-model/event-log.ts'
import type { WrittenScript } from '../../../tools/fake-model/script.ts'
import { type FakeModel, startFakeModel } from '../../../tools/fake-model/server.ts'
import type { AgentClient, Keys } from '../clients/client.ts'
import { programOf } from './install.ts'
import { openBuiltEngine } from './library.ts'
import { now, poll, sleep } from './time.ts'
import { type Verdict, VerdictSampler } from './verdict.ts'

/** The options of `send`; `instruct` types only when the agent is idle. */
interface Sending {
  readonly terminalId: string
  readonly text: string
  readonly waitFor: 'none' | 'ready'
  readonly waitTimeoutMs?: number
  readonly instruct?: boolean
}

/** The pause between two keys that a program must not merge. */
const keyPauseMs = 400

export interface Mark {
  readonly t: number
  readonly what: string
}

export class Agent {
  readonly client: AgentClient
  readonly model: FakeModel
  readonly engine: Engine
  readonly terminalId: string
  readonly pid: number
  readonly sampler: VerdictSampler
  /** The actions and observations, for readers of the recording. */
  readonly marks: Mark[] = []
  readonly #home: string

  private constructor(options: Pick<Agent, 'client' | 'model' | 'engine' | 'terminalId' | 'pid'> & { home: string }) {
    this.client = options.client
    this.model = options.model
    this.engine = options.engine
    this.terminalId = options.terminalId
    this.pid = options.pid
    this.#home = options.home
    this.sampler = new VerdictSampler(() => this.verdict())
    this.mark('spawn')
  }

  static async open(client: AgentClient, script: WrittenScript): Promise<Agent> {
    const home = mkdtempSync(path.join(tmpdir(), 'agentpty-agents-'))
    const cwd = path.join(home, 'work')
    mkdirSync(cwd)
    const model = await startFakeModel({ script })
    const launch = client.prepare({ home, cwd, modelUrl: model.url, program: programOf(client) })
    const engine = await openBuiltEngine()
    const { terminalId, pid } = await engine.client.call('create', {
      command: [...launch.command],
      env: { HOME: home, ...launch.env },
      cwd,
      cols: 110,
      rows: 36,
      waitFor: 'none',
    })
    return new Agent({ client, model, engine, terminalId, pid, home })
  }

  async close(): Promise<void> {
    await this.sampler.stop()
    await this.engine.close()
    await this.model.close()
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 5 })
  }

  mark(what: string): number {
    const t = now()
    this.marks.push({ t, what })
    return t
  }

  async verdict(): Promise<Verdict> {
    const { terminals } = await this.engine.client.call('list', {})
    const found = terminals.find(({ terminalId }) => terminalId === this.terminalId)
    if (found === undefined) throw new Error(`${this.terminalId} is not listed any more`)
    return found
  }

  async screen(): Promise<string> {
    const { screen } = await this.engine.client.call('screenshot', { terminalId: this.terminalId })
    return screen
  }

  /** Types a prompt and Enter. Resolves with the time when it was sent. */
  async type(text: string, options: Pick<Sending, 'instruct'> = {}): Promise<number> {
    const sending: Sending = { terminalId: this.terminalId, text, waitFor: 'none', ...options }
    await this.engine.client.call('send', sending)
    return this.mark(`typed ${text}`)
  }

  /** Resolves with the time after the last key. */
  async press(...sequence: readonly Keys[]): Promise<number> {
    let last = now()
    for (const [index, keys] of sequence.entries()) {
      if (index > 0) await sleep(keyPauseMs)
      if ((await this.verdict()).state === 'exited') return last
      await this.engine.client.call('sendKeys', { terminalId: this.terminalId, keys: [...keys], waitFor: 'none' })
      last = this.mark(`pressed ${keys.join(' ')}`)
    }
    return last
  }

  /** The time when the screen matched; null if it did not in time, or the program ended. */
  async screenShows(pattern: RegExp, timeoutMs: number): Promise<number | null> {
    const check = async () => {
      if (pattern.test(await this.screen())) return { seen: this.mark(`seen ${pattern.source}`) }
      return (await this.verdict()).state === 'exited' ? { seen: null } : null
    }
    return (await poll(check, timeoutMs, 50))?.seen ?? null
  }

  /** The first such event of the model since `since`; null if there is none in time. */
  modelSays(since: number, wanted: Partial<LogEvent>, timeoutMs = 20_000): Promise<LogEvent | null> {
    const fields = Object.entries(wanted)
    const fits = (event: LogEvent) => event.t >= since && fields.every(([name, value]) => event[name] === value)
    return poll(() => this.model.log.find(fits) ?? null, timeoutMs)
  }
}
