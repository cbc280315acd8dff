/** One run: takes steps, returns a trace and the first violation. The same seed and steps give the same trace. */

import { createHash } from 'node:crypto'
import process from 'node:process'
import { Broken, type Invariant, must } from './broken.ts'
import { perform } from './perform.ts'
import { compareWithReferences, runToEnd } from './restart.ts'
import { advance, checkRaw } from './results.ts'
import type { Step } from './steps.ts'
import { World } from './world.ts'

export interface Failure {
  /** Null for an unexpected error. */
  readonly invariant: Invariant | null
  readonly message: string
  /** The number of the step after which it was violated; the number of steps if it was found at the end. */
  readonly step: number
}

export interface Run {
  readonly trace: readonly string[]
  /** The hash of the trace: any difference between two runs changes it. */
  readonly fingerprint: string
  readonly failure: Failure | null
}

/** The seed decides what the steps do not: the amount of retained data. */
export async function simulate(seed: number, steps: readonly Step[]): Promise<Run> {
  const world = new World(seed)
  const unheard = (error: unknown) => world.broke(error)
  process.on('unhandledRejection', unheard)
  world.timers.takeOver()
  let step = 0
  let failure: Failure | null = null
  try {
    for (; step < steps.length; step++) await take(world, step, steps[step])
    await finish(world)
  } catch (error) {
    failure = failureOf(error, step)
  } finally {
    world.daemon.kill()
    world.timers.giveBack()
    process.off('unhandledRejection', unheard)
  }
  if (failure !== null) world.trace.push(`broken: ${failure.message}`)
  const fingerprint = createHash('sha256').update(world.trace.join('\n')).digest('hex').slice(0, 16)
  return { trace: world.trace, fingerprint, failure }
}

async function take(world: World, number: number, step: Step | undefined): Promise<void> {
  if (step === undefined) return
  world.trace.push(`${number} ${JSON.stringify(step)}`)
  await perform(world, step)
  await world.settle()
  if (world.broken !== null) throw world.broken
  world.check()
  world.trace.push(`  = ${world.state()}`)
}

/** The checks at the end: everything settles, every byte could be read, and nothing is left behind. */
async function finish(world: World): Promise<void> {
  const check = () => {
    if (world.broken !== null) throw world.broken
    world.check()
  }
  await runToEnd(world, check)
  readToTheEnd(world)
  await compareWithReferences(world)
  checkAnswers(world)
  for (const follower of world.followers) follower.end()
  for (const terminal of world.terminals) {
    const ids = { terminals: [terminal], sessions: [], waitFor: 'none' as const, timeoutMs: 0, since: null }
    world.calls.start(world.daemon, 'close', { terminalId: terminal.id }, { ...ids, check: () => {} })
    world.deliver(terminal)
  }
  await runToEnd(world, check)
  await world.advance(1_000)
  check()
  must(
    world.followers.every(({ isOver }) => isOver),
    'left',
    () => 'a client still follows a closed terminal',
  )
  // The host's next sweep of expired sessions is always pending.
  const { pending } = world.daemon.clock
  must(pending <= 1, 'left', () => `${pending - 1} timers are set without a waiter`)
}

function readToTheEnd(world: World): void {
  for (const terminal of world.terminals) {
    const session = world.sessionOf(terminal)
    if (session === null) continue
    for (const reader of terminal.readers.values()) {
      const { bytes, from, next, missedBytes } = session.log.read({ since: reader.next, until: session.parsedTo })
      const shown = { output: Buffer.from(bytes).toString('utf8'), cursor: next, missedBytes }
      checkRaw(terminal, session, shown, reader.next)
      must(from === reader.next + missedBytes, 'chain', () => `${terminal.id} reads from ${from}`)
      advance(reader, shown)
      const { visited, missed } = reader
      const all = session.parsedTo
      must(visited + missed === all, 'chain', () => `${terminal.id}: ${visited} read and ${missed} missed of ${all}`)
    }
  }
}

/** With the same daemon throughout and a program that still listens, every query has its answer. */
function checkAnswers(world: World): void {
  for (const { id, program, outlivedDaemon, pty, questions, answers } of world.terminals) {
    if (program !== 'asking' || outlivedDaemon || pty.exit !== null) continue
    must(answers === questions, 'answers', () => `${id}: ${answers} answers to ${questions} questions`)
  }
}

function failureOf(error: unknown, step: number): Failure {
  if (error instanceof Broken) return { invariant: error.invariant, message: error.message, step }
  return { invariant: null, message: error instanceof Error ? (error.stack ?? error.message) : String(error), step }
}
