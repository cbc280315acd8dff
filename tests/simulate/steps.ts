/**
 * The steps of a simulation, as data: generated from a seed in advance and independent of events, so that any of them
 * can be left out. A terminal, reader or call is identified by a number modulo the current count.
 */

import { Random } from '../harness/random.ts'
import { type Program, tick } from './program-output.ts'

export type WaitFor =
  | 'none'
  | 'ready'
  | 'output'
  | 'command'
  | 'exit'
  | { readonly text: string }
  | { readonly quietMs: number }
  | { readonly stableMs: number }

interface OnTerminal {
  readonly terminal: number
}

interface Waiting {
  readonly waitFor: WaitFor
  readonly timeoutMs: number
}

export type Step =
  | ({ readonly do: 'create'; readonly program: Program | 'shell'; readonly cols: number } & Waiting)
  | ({ readonly do: 'print'; readonly pieces: number; readonly seed: number } & OnTerminal)
  /** The host sends its messages of one terminal, with at most this much output. */
  | ({ readonly do: 'deliver'; readonly bytes: number } & OnTerminal)
  /** The emulator has this many turns. */
  | { readonly do: 'parse'; readonly turns: number }
  | ({ readonly do: 'facts'; readonly sample: FactsSample } & OnTerminal)
  | { readonly do: 'advance'; readonly ms: number }
  | ({ readonly do: 'send' } & OnTerminal & Waiting)
  | ({ readonly do: 'press'; readonly key: Key } & OnTerminal & Waiting)
  | ({ readonly do: 'run'; readonly fresh: boolean; readonly timeoutMs: number } & OnTerminal)
  /** A read by a reader that continues at its position. */
  | ({ readonly do: 'read'; readonly reader: number; readonly raw: boolean; readonly maxBytes: number } & OnTerminal &
      Waiting)
  | ({ readonly do: 'wait'; readonly any: boolean; readonly second: number } & OnTerminal & Waiting)
  | ({ readonly do: 'screenshot' } & OnTerminal)
  | { readonly do: 'list' }
  | ({ readonly do: 'follow'; readonly since: number } & OnTerminal)
  /** A follower takes its next events. */
  | { readonly do: 'fetch'; readonly follower: number; readonly events: number }
  | ({ readonly do: 'resize'; readonly cols: number; readonly rows: number } & OnTerminal)
  | { readonly do: 'cancel'; readonly call: number }
  /** A message to this terminal from another one that has no children. */
  | ({ readonly do: 'message'; readonly from: number; readonly steer: boolean } & OnTerminal)
  /** Its messages are taken. */
  | ({ readonly do: 'take'; readonly what: 'steering' | 'all' } & OnTerminal)
  /** The program reports its own status. */
  | ({ readonly do: 'says'; readonly state: AgentState } & OnTerminal)
  | ({ readonly do: 'stop-reading' } & OnTerminal)
  | ({ readonly do: 'read-again' } & OnTerminal)
  | ({ readonly do: 'exit'; readonly code: number } & OnTerminal)
  | ({ readonly do: 'close' } & OnTerminal)
  /** The daemon is killed, programs keep printing, and the next daemon reads the retained output in pieces of this size. */
  | { readonly do: 'restart'; readonly bytes: number; readonly seed: number; readonly compare: boolean }

export const keys = { enter: '\r', a: 'a', escape: '\x1b', 'ctrl+c': '\x03', tab: '\t' } as const
export type Key = keyof typeof keys

export const factsSamples = ['waits', 'runs', 'draws', 'asks-raw', 'other-program'] as const
export type FactsSample = (typeof factsSamples)[number]

export const agentStates = ['idle', 'working', 'blocked', 'done'] as const
export type AgentState = (typeof agentStates)[number]

const delays = [1, 5, 20, 50, 150, 500, 2_000, 10_000]
const timeouts = [0, 10, 100, 1_000, 5_000, 20_000]
const pieceBytes = [0, 1, 2, 3, 7, 20, 64, 500, 4_000, 65_536]

type Draw = (random: Random) => Step

const terminal = (random: Random): OnTerminal => ({ terminal: random.below(12) })

function waiting(random: Random): Waiting {
  const waitFor = random.pick<WaitFor>([
    'none',
    'ready',
    'ready',
    'output',
    'command',
    'exit',
    { text: tick(random) },
    { text: tick(random) },
    { quietMs: random.pick([10, 200]) },
    { stableMs: random.pick([10, 200]) },
  ])
  return { waitFor, timeoutMs: random.pick(timeouts) }
}

const draws: readonly (readonly [weight: number, draw: Draw])[] = [
  [22, (random) => ({ do: 'print', ...terminal(random), pieces: 1 + random.below(6), seed: random.seed() })],
  [20, (random) => ({ do: 'deliver', ...terminal(random), bytes: random.pick(pieceBytes) })],
  [9, (random) => ({ do: 'parse', turns: 1 + random.below(3) })],
  [4, () => ({ do: 'parse', turns: 1_000 })],
  [9, (random) => ({ do: 'facts', ...terminal(random), sample: random.pick(factsSamples) })],
  [11, (random) => ({ do: 'advance', ms: random.pick(delays) })],
  [6, (random) => ({ do: 'send', ...terminal(random), ...waiting(random) })],
  [3, (random) => ({ do: 'press', ...terminal(random), key: random.pick(keyNames), ...waiting(random) })],
  [2, (random) => ({ do: 'run', ...terminal(random), fresh: random.chance(0.2), timeoutMs: random.pick(timeouts) })],
  [
    10,
    (random) => ({
      do: 'read',
      ...terminal(random),
      reader: random.below(3),
      raw: random.chance(0.6),
      maxBytes: 256 + random.below(2_000),
      ...(random.chance(0.6) ? { waitFor: 'none' as const, timeoutMs: 0 } : waiting(random)),
    }),
  ],
  [
    4,
    (random) => ({
      do: 'wait',
      ...terminal(random),
      any: random.chance(0.7),
      second: random.below(12),
      ...waiting(random),
    }),
  ],
  [3, (random) => ({ do: 'screenshot', ...terminal(random) })],
  [1, () => ({ do: 'list' })],
  [2, (random) => ({ do: 'follow', ...terminal(random), since: random.chance(0.5) ? 0 : random.below(20_000) })],
  [4, (random) => ({ do: 'fetch', follower: random.below(6), events: 1 + random.below(5) })],
  [2, (random) => ({ do: 'resize', ...terminal(random), cols: 2 + random.below(120), rows: 1 + random.below(50) })],
  [2, (random) => ({ do: 'cancel', call: random.below(20) })],
  [1, (random) => ({ do: 'stop-reading', ...terminal(random) })],
  [1, (random) => ({ do: 'read-again', ...terminal(random) })],
  [2, (random) => ({ do: 'create', program: random.pick(programs), cols: 40 + random.below(80), ...waiting(random) })],
  [0.7, (random) => ({ do: 'exit', ...terminal(random), code: random.below(4) })],
  [0.7, (random) => ({ do: 'close', ...terminal(random) })],
  [
    1.3,
    (random) => ({
      do: 'restart',
      bytes: random.pick([7, 500, 65_536]),
      seed: random.seed(),
      compare: random.chance(0.5),
    }),
  ],
]

const keyNames: readonly Key[] = ['enter', 'a', 'escape', 'ctrl+c', 'tab']
const programs: readonly (Program | 'shell')[] = ['plain', 'asking', 'wild', 'shell']
const weights = draws.reduce((sum, [weight]) => sum + weight, 0)

export function drawSteps(seed: number, count: number): readonly Step[] {
  const random = new Random(seed)
  const first: Step = { do: 'create', program: random.pick(programs), cols: 80, waitFor: 'none', timeoutMs: 0 }
  return [first, ...Array.from({ length: Math.max(0, count - 1) }, () => drawOne(random))]
}

function drawOne(random: Random): Step {
  let left = random.next() * weights
  for (const [weight, draw] of draws) {
    left -= weight
    if (left < 0) return draw(random)
  }
  return { do: 'list' }
}

const messageDraws: readonly Draw[] = [
  (random) => ({ do: 'message', ...terminal(random), from: random.below(12), steer: random.chance(0.2) }),
  (random) => ({ do: 'message', ...terminal(random), from: random.below(12), steer: false }),
  (random) => ({ do: 'take', ...terminal(random), what: random.pick(['steering', 'all'] as const) }),
  (random) => ({ do: 'says', ...terminal(random), state: random.pick(agentStates) }),
  (random) => ({ do: 'says', ...terminal(random), state: 'idle' }),
]

/** The same steps with messages in between. They are generated separately, so that a seed keeps its run. */
export function withMessages(seed: number, steps: readonly Step[]): readonly Step[] {
  const random = new Random(seed ^ 0x3e55)
  return steps.flatMap((step) => (random.chance(0.3) ? [step, random.pick(messageDraws)(random)] : [step]))
}
