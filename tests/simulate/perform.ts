/** The effect of each step on the world. A step without a target does nothing. */

import type { Session } from '@agentpty/engine/session'
import { Random } from '../harness/random.ts'
import { Broken } from './broken.ts'
import type { Asked } from './calls.ts'
import { callerEnv } from './daemon.ts'
import { factsOf } from './facts-samples.ts'
import { Follower } from './follower.ts'
import { restart } from './restart.ts'
import { advance, checkOutcome, checkPicture, checkRaw, checkShown } from './results.ts'
import type { Reader, SimTerminal } from './sim-terminal.ts'
import { keys, type Step, type WaitFor } from './steps.ts'
import type { World } from './world.ts'

type StepOf<Kind extends Step['do']> = Extract<Step, { readonly do: Kind }>
type Performers = { readonly [Kind in Step['do']]: (world: World, step: StepOf<Kind>) => void | Promise<void> }

export async function perform(world: World, step: Step): Promise<void> {
  const performer = performers[step.do] as (world: World, step: Step) => void | Promise<void>
  await performer(world, step)
}

const performers: Performers = {
  create,
  print: on((_, terminal, step) => terminal.print(new Random(step.seed), step.pieces)),
  deliver: on((world, terminal, step) => world.deliver(terminal, step.bytes)),
  parse: (world, { turns }) => {
    for (let left = turns; left > 0 && world.timers.pending > 0; left--) world.parse()
  },
  facts: on((world, terminal, step) => {
    if (terminal.pty.isWatched && terminal.pty.exit === null)
      terminal.pty.reports(factsOf(step.sample, world.clock.now()))
  }),
  advance: (world, { ms }) => world.advance(ms),
  send: onSession(send),
  press: onSession(press),
  run: onSession(run),
  read: onSession(read),
  wait: onSession(wait),
  screenshot: onSession(screenshot),
  list,
  follow: onSession(follow),
  fetch: (world, { follower, events }) => {
    const { followers } = world
    followers[follower % Math.max(1, followers.length)]?.fetch(events)
  },
  message: onSession((world, terminal, session, { from, steer }) => {
    const text = world.newMessage()
    const sender = world.terminal(from)
    const caller = sender === null || sender === terminal ? {} : { AGENTPTY_TERMINAL: sender.id }
    // Once accepted, it may be typed before any caller learns that it was.
    terminal.messages.add(text)
    const input = { terminalId: terminal.id, text, steer: steer && sender === terminal }
    const env = { ...callerEnv, ...caller }
    world.calls.start(world.daemon, 'sendMessage', input, { ...asking(terminal, session), check: () => {} }, { env })
  }),
  take: onSession((world, terminal, session, { what }) => {
    const check = ({ messages }: { readonly messages: readonly { readonly text: string }[] }) =>
      terminal.gotMessages(messages.map(({ text }) => text))
    const input = { terminalId: terminal.id, take: what }
    world.calls.start(world.daemon, 'inbox', input, { ...asking(terminal, session), check })
  }),
  says: on((_, terminal, { state }) => terminal.says(`\x1b]7501;state=${state}\x07`)),
  resize: onSession((world, terminal, session, { cols, rows }) => {
    const input = { terminalId: terminal.id, cols, rows }
    world.calls.start(world.daemon, 'resize', input, { ...asking(terminal, session), check: () => {} })
  }),
  cancel: (world, { call }) => {
    const { open } = world.calls
    open[call % Math.max(1, open.length)]?.abort.abort()
  },
  'stop-reading': on((_, { pty }) => pty.stopsReading()),
  'read-again': on((_, { pty }) => pty.readsAgain()),
  exit: on((_, terminal, { code }) => terminal.exit(code)),
  close: onSession((world, terminal, session) => {
    const input = { terminalId: terminal.id }
    world.calls.start(world.daemon, 'close', input, { ...asking(terminal, session), check: () => {} })
  }),
  restart: (world, step) => restart(world, step),
}

/** Runs a step for a terminal. */
function on<Kind extends Step & { readonly terminal: number }>(
  act: (world: World, terminal: SimTerminal, step: Kind) => void,
): (world: World, step: Kind) => void {
  return (world, step) => {
    const terminal = world.terminal(step.terminal)
    if (terminal !== null) act(world, terminal, step)
  }
}

/** Runs a step for a terminal that the engine has. */
function onSession<Kind extends Step & { readonly terminal: number }>(
  act: (world: World, terminal: SimTerminal, session: Session, step: Kind) => void,
): (world: World, step: Kind) => void {
  return on((world, terminal, step: Kind) => {
    const session = world.sessionOf(terminal)
    if (session !== null) act(world, terminal, session, step)
  })
}

interface Waiting {
  readonly waitFor: WaitFor
  readonly timeoutMs: number
}

function asking(terminal: SimTerminal, session: Session, waiting?: Waiting, since: number | null = null): Asked {
  const { waitFor = 'none', timeoutMs = 0 } = waiting ?? {}
  return { terminals: [terminal], sessions: [session], waitFor, timeoutMs, since }
}

/** The start offset of the result of a call made now; null on the alternate screen, which has none. */
function sinceNow(session: Session): number | null {
  return session.modes.alternateScreen ? null : session.parsedTo
}

function create(world: World, { program, cols, waitFor, timeoutMs }: StepOf<'create'>): void {
  if (world.terminals.length >= 4) return
  const input = {
    cols,
    rows: 24,
    waitFor,
    waitTimeoutMs: timeoutMs,
    ...(program === 'shell' ? { shell: '/bin/sh' } : { command: [program] }),
  }
  world.calls.start(world.daemon, 'create', input, {
    terminals: [],
    sessions: [],
    waitFor,
    timeoutMs,
    since: 0,
    check: (result, call) => {
      const terminal = world.terminals.find(({ id }) => id === result.terminalId)
      const session = call.daemon.find(result.terminalId)
      if (terminal === undefined || session === null) return
      checkShown(terminal, session, result, 0)
      const outcome = { ...call, terminals: [terminal], sessions: [session] }
      checkOutcome(outcome, 0, result.outcome, world.clock.now())
    },
  })
}

function send(world: World, terminal: SimTerminal, session: Session, step: StepOf<'send'>): void {
  const text = world.newText()
  const since = sinceNow(session)
  terminal.typed.push(`${text}\r`)
  const input = { terminalId: terminal.id, text, waitFor: step.waitFor, waitTimeoutMs: step.timeoutMs }
  world.calls.start(world.daemon, 'send', input, {
    ...asking(terminal, session, step, since),
    check: (result, call) => {
      checkShown(terminal, session, result, since)
      checkOutcome(call, 0, result.outcome, world.clock.now())
    },
  })
}

function press(world: World, terminal: SimTerminal, session: Session, step: StepOf<'press'>): void {
  const since = sinceNow(session)
  terminal.typed.push(keys[step.key])
  const input = { terminalId: terminal.id, keys: [step.key], waitFor: step.waitFor, waitTimeoutMs: step.timeoutMs }
  world.calls.start(world.daemon, 'sendKeys', input, {
    ...asking(terminal, session, step, since),
    check: (result) => checkShown(terminal, session, result, since),
  })
}

function run(world: World, terminal: SimTerminal, session: Session, step: StepOf<'run'>): void {
  const command = world.newText()
  const { fresh, timeoutMs } = step
  if (fresh && world.terminals.length >= 4) return
  if (!fresh) terminal.typed.push(`${command}\r`)
  const input = { command, timeoutMs, ...(fresh ? {} : { terminalId: terminal.id }) }
  world.calls.start(world.daemon, 'run', input, {
    ...asking(terminal, session, { waitFor: 'none', timeoutMs }),
    check: (result) => {
      const seen = world.terminals.find(({ id }) => id === result.terminalId)
      if (seen === undefined) return
      checkPicture(seen, result.output, result.cursor)
      const own = world.sessionOf(seen)
      if (fresh && own !== null) checkShown(seen, own, result, 0)
    },
  })
}

function read(world: World, terminal: SimTerminal, session: Session, step: StepOf<'read'>): void {
  const { raw, maxBytes, waitFor, timeoutMs } = step
  // A reader makes one call at a time, as a caller chains them.
  const busy = world.calls.open.some(({ name, terminals }) => name === 'read' && terminals.includes(terminal))
  if (busy) return
  const reader: Reader = terminal.reader(step.reader)
  const since = reader.next
  const input = { terminalId: terminal.id, since, raw, waitFor, waitTimeoutMs: timeoutMs, ...(raw ? { maxBytes } : {}) }
  world.calls.start(world.daemon, 'read', input, {
    ...asking(terminal, session, step, since),
    check: (result, call) => {
      if (raw) checkRaw(terminal, session, result, since)
      else checkShown(terminal, session, result, since)
      checkOutcome(call, 0, result.outcome, world.clock.now())
      advance(reader, result)
    },
  })
}

function wait(world: World, terminal: SimTerminal, session: Session, step: StepOf<'wait'>): void {
  const second = world.terminal(step.second)
  const other = second === null || second === terminal ? null : world.sessionOf(second)
  const both = second === null || other === null ? [] : [{ terminal: second, session: other }]
  const waited = [{ terminal, session }, ...both]
  const terminalIds = waited.map((one) => one.terminal.id)
  const starts = waited.map((one) => one.session.parsedTo)
  const input = { terminalIds, waitFor: step.waitFor, any: step.any, waitTimeoutMs: step.timeoutMs }
  world.calls.start(world.daemon, 'wait', input, {
    ...asking(terminal, session, step),
    terminals: waited.map((one) => one.terminal),
    sessions: waited.map((one) => one.session),
    check: (result, call) => {
      if (step.waitFor === 'none') return
      for (const [index, one] of result.terminals.entries()) {
        const since = starts[index] ?? 0
        checkOutcome({ ...call, since }, index, one.outcome, world.clock.now())
        const parsedTo = waited[index]?.session.parsedTo ?? 0
        if (one.cursor > parsedTo) throw new Broken('visible', `${one.terminalId}: ${one.cursor} of ${parsedTo}`)
      }
    },
  })
}

function screenshot(world: World, terminal: SimTerminal, session: Session): void {
  world.calls.start(
    world.daemon,
    'screenshot',
    { terminalId: terminal.id },
    {
      ...asking(terminal, session),
      check: ({ screen }) => checkPicture(terminal, screen, session.parsedTo),
    },
  )
}

function list(world: World): void {
  const { terminals } = world
  const sessions = terminals.flatMap((terminal) => world.sessionOf(terminal) ?? [])
  world.calls.start(
    world.daemon,
    'list',
    {},
    {
      terminals,
      sessions,
      waitFor: 'none',
      timeoutMs: 0,
      since: null,
      check: (result) => {
        for (const { terminalId, cursor } of result.terminals) {
          const parsedTo = world.daemon.find(terminalId)?.parsedTo ?? cursor
          if (cursor > parsedTo) throw new Broken('visible', `${terminalId} is listed at ${cursor} of ${parsedTo}`)
        }
      },
    },
  )
}

function follow(world: World, terminal: SimTerminal, session: Session, { since }: StepOf<'follow'>): void {
  if (world.followers.length >= 6) return
  const { client } = world.daemon
  const trace = (line: string) => world.trace.push(`  ${line}`)
  const broke = (error: unknown) => world.broke(error)
  world.followers.push(new Follower({ client, terminal, session, since, trace, broke }))
}
