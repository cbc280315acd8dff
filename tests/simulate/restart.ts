/** The death of a daemon, and the next one that takes its terminals over. */

import { isDeepStrictEqual } from 'node:util'
import { Broken, must } from './broken.ts'
import { Random } from './random.ts'
import type { SimTerminal } from './sim-terminal.ts'
import { story, twinOf } from './twin.ts'
import type { World } from './world.ts'

export interface Death {
  /** The next daemon reads what is kept in pieces of so many bytes. */
  readonly bytes: number
  readonly seed: number
  /** Look at every picture afterwards. */
  readonly compare: boolean
}

export async function restart(world: World, { bytes, seed, compare }: Death): Promise<void> {
  const random = new Random(seed)
  const daemon = world.replaceDaemon()
  for (const terminal of world.terminals) {
    terminal.outlivedDaemon = true
    // Nobody listens: programs print on.
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
  if (compare) await compareWithTwins(world)
}

/** Each session is what a session would be that was never killed, as far as no byte has been lost on the way. */
export async function compareWithTwins(world: World): Promise<void> {
  for (const terminal of world.terminals) {
    const session = world.sessionOf(terminal)
    if (session === null || terminal.isCut || terminal.pty.resizes.length >= 64) continue
    const drain = () => parseAll(world)
    const twin = await twinOf(terminal, session, drain)
    const telling = Promise.all([story(session), story(twin)])
    await drain()
    const [got, want] = await telling
    twin.abandon()
    if (!isDeepStrictEqual(got, want)) throw new Broken('twin', `${terminal.id}: ${difference(got, want)}`)
  }
}

async function parseAll(world: World): Promise<void> {
  await world.settle()
  while (world.timers.pending > 0) {
    world.parse()
    await world.settle()
  }
}

/** The first field that is not the same. */
function difference(got: unknown, want: unknown): string {
  const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
  if (isObject(got) && isObject(want)) {
    for (const key of new Set([...Object.keys(got), ...Object.keys(want)])) {
      if (!isDeepStrictEqual(got[key], want[key])) return `${key}.${difference(got[key], want[key])}`
    }
  }
  return `${JSON.stringify(got)}, not ${JSON.stringify(want)}`
}

/** All that is under way comes to its end: the host tells everything, the emulator parses it, and every wait runs out. */
export async function comeToRest(world: World, look: () => void): Promise<void> {
  const unfinished = (terminal: SimTerminal) => terminal.pty.hasNews
  for (const { pty } of world.terminals) pty.readsAgain()
  const rounds = 600
  for (let round = 0; round < rounds; round++) {
    for (const terminal of world.terminals) world.deliver(terminal)
    for (const follower of world.followers) follower.fetch(10)
    await parseAll(world)
    look()
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
