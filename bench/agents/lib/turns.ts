/**
 * Many turns in which the model asks for permissions at random, while an impatient driver gives instructions with
 * `instruct: true`. The number of instructions typed into a dialog must be 0.
 */

import type { Agent } from './agent.ts'
import { turnPrompt } from './scripted-prompts.ts'
import { seededRandom } from './seeded-random.ts'
import { now, poll, sleep } from './time.ts'
import { type Answered, countTurns, type TurnsResult, type Typed } from './turns-truth.ts'

export interface TurnsOptions {
  readonly turns: number
  readonly seed: number
  /** Waits for ready and types then, like a caller without `instruct`. */
  readonly plain: boolean
}

interface Turns {
  readonly agent: Agent
  readonly random: () => number
  readonly plain: boolean
  readonly typed: Typed[]
  readonly answered: Answered[]
  readonly faults: string[]
  refused: number
  refusedWrongly: number
}

const instructionMs = 60_000
/** A turn takes about half a second, so that pauses up to here meet an agent that works, asks or is idle. */
const pauseMaxMs = 1_200
/** The longest time until a turn without further model output is over. */
const settleMs = 4_000

export async function runTurns(agent: Agent, { turns: count, seed, plain }: TurnsOptions): Promise<TurnsResult> {
  const random = seededRandom(seed)
  const turns: Turns = { agent, random, plain, typed: [], answered: [], faults: [], refused: 0, refusedWrongly: 0 }
  for (let turn = 1; turn <= count && turns.faults.length === 0; turn++) {
    await instruct(turns, turn, turnPrompt(turn, random() < 0.5))
    await sleep(random() * pauseMaxMs)
  }
  await settle(turns)
  const { typed, answered, faults, refused, refusedWrongly } = turns
  const truth = countTurns({ log: agent.model.log, typed, answered })
  return { client: agent.client.name, ...truth, refused, refusedWrongly, faults }
}

/** Gives one instruction, and answers all dialogs before it. */
async function instruct(turns: Turns, turn: number, prompt: string): Promise<void> {
  const deadline = now() + instructionMs
  while (now() < deadline) {
    const refusal = await tryInstruct(turns, prompt)
    if (refusal === null) {
      turns.typed.push({ prompt, t: now() })
      return
    }
    if (refusal !== 'needs_answer') {
      turns.faults.push(`turn ${turn} was refused: ${refusal}`)
      return
    }
    turns.refused++
    await answerDialog(turns)
  }
  turns.faults.push(`turn ${turn} was not taken within ${instructionMs} ms`)
}

/** Null when it was typed, else the code of the refusal. */
async function tryInstruct({ agent, plain }: Turns, prompt: string): Promise<string | null> {
  const { engine, terminalId } = agent
  if (plain) await engine.client.call('wait', { terminalIds: [terminalId], waitFor: 'ready' })
  return agent.type(prompt, plain ? {} : { instruct: true }).then(() => null, refusalOf)
}

function refusalOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'code' in error) return String(error.code)
  throw error
}

async function answerDialog(turns: Turns): Promise<void> {
  const { agent, random } = turns
  const { shows, answer } = agent.client.permission
  if ((await agent.screenShows(shows, 2_000)) === null) {
    turns.refusedWrongly++
    return
  }
  await sleep(random() * 500)
  turns.answered.push({ t: now() })
  await agent.press(...answer)
  await poll(async () => (shows.test(await agent.screen()) ? null : true), 3_000)
}

/** The last turn may still be running, or ask for something. */
async function settle(turns: Turns): Promise<void> {
  const { agent } = turns
  const isOver = () => {
    const last = agent.model.log.findLast(({ ev, kind }) => ev === 'request' && kind === 'main')
    const done = agent.model.log.some(({ ev, id, final }) => ev === 'done' && final === true && id === last?.id)
    return done ? true : null
  }
  for (let round = 0; round < 3; round++) {
    if ((await poll(isOver, settleMs)) !== null) break
    if (agent.client.permission.shows.test(await agent.screen())) await answerDialog(turns)
  }
  // The last instruction may wait in the input box; a client that processes such a queue gets time for it.
  await sleep(settleMs / 2)
}
