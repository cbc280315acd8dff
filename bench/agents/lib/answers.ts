/**
 * Many tasks, each with a fenced answer: the time from the instruction to the model, the time from its last byte to the
 * caller, and whether each answer belongs to its task.
 */

import type { WrittenScript } from '../../../tools/fake-model/script.ts'
import type { Agent } from './agent.ts'
import { now, poll } from './time.ts'

export interface AnswersResult {
  readonly client: string
  readonly tasks: number
  /** In ms, sorted. */
  readonly toModel: readonly number[]
  readonly toCaller: readonly number[]
  /** From the agent's last printed byte when the caller was woken. */
  readonly ownToCaller: readonly number[]
  /** Without an answer; with another task's; with other words. */
  readonly lost: number
  readonly earlier: number
  readonly changed: number
  /** Instructions that the model never saw, or saw twice. */
  readonly untaken: number
  readonly doubled: number
  readonly faults: readonly string[]
}

const answerMs = 60_000
const logMs = 5_000

export function answersScript(): WrittenScript {
  const fence = (word: string) => `{{prompt:/${word}-RESPONSE-[a-z0-9]+/}}`
  const text = [fence('BEGIN'), ...linesOf('{{prompt:/TASK-(\\d+)/}}'), fence('END')].join('\n')
  return { turns: [{ match: 'TASK-\\d+', steps: [{ text: `All done.\n\n${text}`, delayMs: 150 }] }] }
}

/** The answer to the task with this number, long enough for several rows. */
function linesOf(number: string): readonly string[] {
  const words = Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ')
  return [`Result ${number}:`, '', `${words}.`, '', `    if (x) return ${number}`]
}

export async function runAnswers(agent: Agent, count: number): Promise<AnswersResult> {
  const [toModel, toCaller, ownToCaller, faults]: [number[], number[], number[], string[]] = [[], [], [], []]
  const printed = new LastPrinted(agent)
  const counts = { lost: 0, earlier: 0, changed: 0, untaken: 0, doubled: 0 }
  for (let number = 1; number <= count && faults.length < 5; number++) {
    try {
      const { modelAt, doneAt, printedAt, calledAt, wokenAt, asked, output } = await giveTask(agent, number, printed)
      if (modelAt === null) counts.untaken += 1
      else toModel.push(modelAt - calledAt)
      if (asked > 1) counts.doubled += 1
      if (doneAt !== null) toCaller.push(wokenAt - doneAt)
      ownToCaller.push(wokenAt - printedAt)
      if (output === null) counts.lost += 1
      else if (!output.includes(`Result ${number}:`)) counts.earlier += 1
      else if (bare(output) !== bare(linesOf(String(number)).join('\n'))) counts.changed += 1
    } catch (error) {
      faults.push(`task ${number}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  printed.stop()
  const byTime = (values: readonly number[]) => values.map(Math.round).toSorted((a, b) => a - b)
  return {
    client: agent.client.name,
    tasks: count,
    toModel: byTime(toModel),
    toCaller: byTime(toCaller),
    ownToCaller: byTime(ownToCaller),
    ...counts,
    faults,
  }
}

/** The program decides where rows break. */
const bare = (text: string) => text.replaceAll(/\s+/g, '')

/** The time of the agent's last output. */
class LastPrinted {
  at = now()
  readonly #over = new AbortController()

  constructor({ engine, terminalId }: Agent) {
    void this.#follow(engine.client.follow(terminalId, { output: { since: 0 }, signal: this.#over.signal }))
  }

  stop(): void {
    this.#over.abort()
  }

  async #follow(events: AsyncIterable<{ readonly type: string }>): Promise<void> {
    for await (const { type } of events) if (type === 'output') this.at = now()
  }
}

async function giveTask(agent: Agent, number: number, printed: LastPrinted) {
  const { client } = agent.engine
  const { terminalId, model } = agent
  const calledAt = now()
  await client.call('instruct', { terminalId, text: `TASK-${number} do it`, asksForAnswer: true })
  await client.call('awaitAgents', { terminalIds: [terminalId], waitTimeoutMs: answerMs })
  const wokenAt = now()
  const printedAt = printed.at
  const { artifact } = await client.call('artifact', { terminalId, capture: 'answer' })
  const requests = () =>
    model.log.filter(
      ({ ev, kind, prompt }) => ev === 'request' && kind === 'main' && prompt?.includes(`TASK-${number} `),
    )
  const first = requests()[0] ?? (await poll(async () => requests()[0] ?? null, logMs))
  const done = model.log.find(({ ev, id, final }) => ev === 'done' && final === true && id === first?.id)
  return {
    calledAt,
    wokenAt,
    printedAt,
    asked: requests().length,
    modelAt: first?.t ?? null,
    doneAt: done?.t ?? null,
    output: artifact?.output ?? null,
  }
}
