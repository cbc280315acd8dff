/** Kills a daemon and lets the next one take over its terminals. */

import { isDeepStrictEqual } from 'node:util'
import { Random } from '../harness/random.ts'
import { Broken, must } from './broken.ts'
import { referenceOf, stateOf } from './reference-session.ts'
import type { SimTerminal } from './sim-terminal.ts'
import type { World } from './world.ts'

export interface Restart {
  /** The next daemon reads the retained output in pieces of this size. */
  readonly bytes: number
  readonly seed: number
  /** Compare every screen afterwards. */
  readonly compare: boolean
}

export async function restart(world: World, { bytes, seed, compare }: Restart): Promise<void> {
  const random = new Random(seed)
  const daemon = world.replaceDaemon()
  for (const terminal of world.terminals) {
    terminal.outlivedDaemon = true
    // No daemon is connected: programs keep printing.
    if (random.chance(0.5)) terminal.print(random, 1 + random.below(4))
    terminal.isCut ||= terminal.pty.start > 0
  }
  let isRestored = false
  daemon.host.restore().then(
    () => {
      isRestored = true
    },
    (error: unknown) => world.broke(error),
  )
  await world.settle()
  while (!isRestored) {
    const news = world.terminals.filter(({ pty }) => pty.hasNews)
    const isGoingOn = news.length > 0 || world.timers.pending > 0
    must(isGoingOn && world.broken === null, 'settles', () => 'the next daemon never takes the terminals over')
    for (const terminal of news) world.deliver(terminal, bytes)
    if (news.length === 0) world.parse()
    await world.settle()
  }
  daemon.deliverMessages()
  if (compare) await compareWithReferences(world)
}

/** Each session must equal one that was never restarted, unless bytes of its output were evicted. */
export async function compareWithReferences(world: World): Promise<void> {
  for (const terminal of world.terminals) {
    const session = world.sessionOf(terminal)
    if (session === null || terminal.isCut || terminal.pty.resizes.length >= 64) continue
    const drain = () => parseAll(world)
    const reference = await referenceOf(terminal, session, drain)
    const states = Promise.all([stateOf(session), stateOf(reference)])
    await drain()
    const [got, want] = await states
    reference.abandon()
    if (!isDeepStrictEqual(got, want)) throw new Broken('restart', `${terminal.id}: ${difference(got, want)}`)
  }
}

async function parseAll(world: World): Promise<void> {
  await world.settle()
  while (world.timers.pending > 0) {
    world.parse()
    await world.settle()
  }
}

/** The first field that differs. */
function difference(got: unknown, want: unknown): string {
  const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
  if (isObject(got) && isObject(want)) {
    for (const key of new Set([...Object.keys(got), ...Object.keys(want)])) {
      if (!isDeepStrictEqual(got[key], want[key])) return `${key}.${difference(got[key], want[key])}`
    }
  }
  return `${JSON.stringify(got)}, not ${JSON.stringify(want)}`
}

/**
 * Runs until nothing is pending: the host has sent everything, the emulator has parsed it, and every wait has ended.
 */
export async function runToEnd(world: World, check: () => void): Promise<void> {
  const unfinished = (terminal: SimTerminal) => terminal.pty.hasNews
  for (const { pty } of world.terminals) pty.readsAgain()
  const rounds = 600
  for (let round = 0; round < rounds; round++) {
    for (const terminal of world.terminals) world.deliver(terminal)
    for (const follower of world.followers) follower.fetch(10)
    await parseAll(world)
    check()
    if (world.terminals.some(unfinished)) continue
    const waits = world.terminals.find(({ pty }) => pty.printedTo > pty.end)
    must(waits === undefined, 'flow', () => `${waits?.id} waits for room, and all has been dealt with`)
    if (world.calls.open.length === 0) return
    await world.advance(250)
  }
  const [call] = world.calls.open
  must(call === undefined, 'settles', () => `call ${call?.number} ${call?.name} has never settled`)
  must(!world.terminals.some(unfinished), 'settles', () => 'the host never comes to an end')
}
