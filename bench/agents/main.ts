/**
 * Real agent CLIs, driven through agentpty itself with a scripted model, and agentpty's verdicts against the truth.
 *
 *   node --import tsx bench/agents/main.ts                          each client through all its states; a table each
 *   node --import tsx bench/agents/main.ts --clients claude,codex   some of them
 *   node --import tsx bench/agents/main.ts --turns 200 --seed 7     many instructions; none may end up in a dialog
 *   node --import tsx bench/agents/main.ts --answers 500           many tasks; each must get its own answer
 *   node --import tsx bench/agents/main.ts --many 100              many small agents at the same time; each must get its own answer
 *   ... --json FILE      all rows, for machines
 *   ... --record FOLDER  the programs' output with times, and the true states: <client>.raw, .timing.jsonl, .truth.json
 *
 * Exit code 1 on any error. The clients are installed on first use. README.md describes the measurements.
 */

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { AgentClient } from './clients/client.ts'
import { clients } from './clients/index.ts'
import { Agent } from './lib/agent.ts'
import { answersScript, runAnswers } from './lib/answers.ts'
import { installClients, versionOf } from './lib/install.ts'
import type { Row } from './lib/judge.ts'
import { runMany } from './lib/many.ts'
import { Recorder } from './lib/recorder.ts'
import { phaseScript, turnScript } from './lib/scripted-prompts.ts'
import { phaseTable } from './lib/table.ts'
import { sleep } from './lib/time.ts'
import { runTurns } from './lib/turns.ts'
import type { TurnsResult } from './lib/turns-truth.ts'
import { walkThrough } from './lib/walk.ts'

const options = readArguments()
if (options.many === null) installClients()
const results: unknown[] = []
let allRight = true
if (options.many !== null) await showMany(options.many)
for (const client of options.many === null ? options.clients : []) {
  const title = `${client.name} ${versionOf(client)}`
  if (options.answers !== null) await showAnswers(client, title, options.answers)
  else if (options.turns === null) await showWalk(client, title)
  else await showTurns(client, title, Math.ceil(options.turns / options.clients.length))
}
if (options.json !== null) writeFileSync(options.json, `${JSON.stringify(results, null, 1)}\n`)
process.exit(allRight ? 0 : 1)

async function showWalk(client: AgentClient, title: string): Promise<void> {
  const rows = await withAgent(client, phaseScript(client), walkThrough)
  const isRight = (row: Row) => row.ok
  allRight &&= rows.every(isRight)
  results.push({ client: client.name, rows })
  process.stdout.write(`\n${phaseTable(`${title}: ${rows.filter(isRight).length} of ${rows.length} right`, rows)}\n`)
}

async function showTurns(client: AgentClient, title: string, turns: number): Promise<void> {
  const { seed, plain } = options
  const result = await withAgent(client, turnScript(client), async (agent) => {
    await startUp(agent)
    return runTurns(agent, { turns, seed, plain })
  })
  const { intoDialog, answeredByOthers, lost, doubled, faults, dialogs, refused, refusedWrongly } = result
  allRight &&= isFaultless(result)
  results.push(result)
  process.stdout.write(
    `${title}: ${result.turns} turns, ${dialogs} dialogs, ${refused} refused (${refusedWrongly} without a dialog); ` +
      `into a dialog ${intoDialog} (${answeredByOthers} answered by it), lost ${lost}, doubled ${doubled}${faults.map((fault) => `\n  ${fault}`).join('')}\n`,
  )
}

async function showAnswers(client: AgentClient, title: string, tasks: number): Promise<void> {
  const result = await withAgent(client, answersScript(), async (agent) => {
    await startUp(agent)
    return runAnswers(agent, tasks)
  })
  const { toModel, toCaller, ownToCaller, lost, earlier, changed, untaken, doubled, faults } = result
  const wrong = lost + earlier + changed + untaken + doubled + faults.length
  allRight &&= wrong === 0
  results.push(result)
  process.stdout.write(
    `${title}: ${result.tasks} tasks; to the model ${times(toModel)} ms, to the caller ${times(toCaller)} ms, from its own last byte ${times(ownToCaller)} ms (p50/p90/p99); ` +
      `lost ${lost}, of another task ${earlier}, changed ${changed}, not taken ${untaken}, doubled ${doubled}${faults.map((fault) => `\n  ${fault}`).join('')}\n`,
  )
}

/** p50/p90/p99 of values that are sorted. */
function times(values: readonly number[]): string {
  const shares = [0.5, 0.9, 0.99]
  return shares.map((share) => values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? '-').join('/')
}

async function showMany(count: number): Promise<void> {
  const result = await runMany(count)
  const { woken, lost, mixed } = result
  allRight &&= lost + mixed === 0
  results.push(result)
  process.stdout.write(
    `${count} agents at once: answer → caller ${times(woken)} ms (p50/p90/p99); lost ${lost}, of another ${mixed}\n`,
  )
}

function isFaultless(result: TurnsResult): boolean {
  const { intoDialog, answeredByOthers, lost, doubled, refusedWrongly, faults } = result
  return intoDialog + answeredByOthers + lost + doubled + refusedWrongly + faults.length === 0
}

async function startUp(agent: Agent): Promise<void> {
  const { firstQuestion, started } = agent.client
  if (firstQuestion !== undefined && (await agent.screenShows(firstQuestion.shows, 60_000)) !== null) {
    for (let times = 0; times < 5 && firstQuestion.shows.test(await agent.screen()); times++) {
      // Keys directly after a dialog may be ignored on purpose.
      await sleep(1_000)
      await agent.press(...firstQuestion.answer)
      await sleep(1_000)
    }
  }
  if ((await agent.screenShows(started, 90_000)) === null) throw new Error(`${agent.client.name} did not start`)
}

async function withAgent<T>(
  client: AgentClient,
  script: Parameters<typeof Agent.open>[1],
  use: (agent: Agent) => Promise<T>,
): Promise<T> {
  const agent = await Agent.open(client, script)
  const recorder = options.record === null ? null : new Recorder(agent)
  try {
    return await use(agent)
  } finally {
    if (options.record !== null) await recorder?.save(options.record)
    await agent.close()
  }
}

function readArguments() {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: {
      clients: text,
      turns: text,
      answers: text,
      many: text,
      seed: text,
      json: text,
      record: text,
      plain: { type: 'boolean' },
    },
  })
  const names = values.clients?.split(',') ?? clients.map(({ name }) => name)
  const unknown = names.filter((name) => !clients.some((client) => client.name === name))
  if (unknown.length > 0)
    throw new Error(`no client ${unknown.join(', ')}; ${clients.map(({ name }) => name).join(', ')}`)
  return {
    clients: clients.filter(({ name }) => names.includes(name)),
    turns: values.turns === undefined ? null : Number(values.turns),
    answers: values.answers === undefined ? null : Number(values.answers),
    many: values.many === undefined ? null : Number(values.many),
    seed: Number(values.seed ?? 1),
    plain: values.plain ?? false,
    json: values.json === undefined ? null : path.resolve(values.json),
    record: values.record === undefined ? null : path.resolve(values.record),
  }
}
