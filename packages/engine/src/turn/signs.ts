/**
 * The signs of a program at one moment: the conditions of the table of evidence, each a name and a test.
 *
 * Tests of `momentSigns` need the moment only. Those of `factSigns` need the kernel's facts; without facts none holds.
 */

import type { Facts } from '@agentpty/protocol'
import { asksSecret } from './kind-signs.ts'
import {
  asksForKeyInTime,
  asksWithMark,
  offersChoices,
  type PromptShape,
  saysHowToEnd,
  showsStars,
} from './prompt-shape.ts'
import {
  hasNewConnection,
  hasNewMainTimer,
  hasNewTimer,
  hasNewWorker,
  hasTimerOfRest,
  isAsAtRest,
  isWorkTimer,
  type Rest,
  type RestStart,
} from './rest.ts'
import type { Situation } from './situation.ts'
import type { TurnMoment } from './turn-moment.ts'

/** Programs whose far end cannot be seen from here. The only names in the rules of waiting. */
const remoteClients: ReadonlySet<string> = new Set([
  'ssh',
  'plink',
  'dbclient',
  'rlogin',
  'mosh-client',
  'telnet',
  'docker',
  'podman',
  'nerdctl',
  'kubectl',
  'lxc',
  'machinectl',
  'virsh',
  'cu',
  'minicom',
  'picocom',
  'tio',
  'dtach',
  'abduco',
])

/** Output that a thread writes before it waits may be seen this much later than its wait. */
const outputLagMs = 15

const questionShapes: ReadonlySet<PromptShape> = new Set<PromptShape>(['question', 'interpreter', 'shell'])

const momentSigns = {
  exited: ({ exit }: TurnMoment) => exit !== null,
  isPaused: ({ isPaused }: TurnMoment) => isPaused,
  inputUnfinished: ({ inputUnfinished }: TurnMoment) => inputUnfinished,
  reports: ({ agent }: TurnMoment) => agent !== null,
  reportsWork: ({ agent }: TurnMoment) => agent?.state === 'working',
  /** The sign of its work may always be on the screen: it is not believed once nothing has moved for a while. */
  mayStandStill: ({ agent }: TurnMoment) => agent !== null && agent.motionlessMs !== null,
  reportIsCurrent: ({ agent }: TurnMoment) => agent?.current === true,
  known: ({ facts }: TurnMoment) => facts !== null,
  awaitsTerminal: ({ awaitsTerminal }: TurnMoment) => awaitsTerminal,
}

const factSigns = {
  /** They were read after the last input and after all the output we have. */
  current: ({ moment, facts }: Situation) => facts.offset >= moment.logEnd && moment.parsedTo >= facts.offset,
  consumed: ({ facts }: Situation) => facts.consumed,
  inputPending: ({ facts }: Situation) => facts.inputPending,
  unread: ({ facts }: Situation) => facts.unread > 0,

  waits: ({ facts }: Situation) => facts.wait !== 'none',
  readable: ({ facts }: Situation) => facts.readable,
  sleeps: ({ facts }: Situation) => facts.state === 'S',
  /** It sleeps for short times, again and again; or sleeps once, and was known to look for input between naps. */
  naps: ({ moment, facts }: Situation) => facts.activity === 'rounds' || isAtKnownNap(moment, facts),
  awaitsPeer: ({ facts }: Situation) => facts.activity === 'network',
  echoes: ({ facts }: Situation) => facts.echo,
  pipesOn: ({ facts }: Situation) => facts.pipesOn,
  shownNothing: ({ facts }: Situation) => facts.shownNothing,
  pipeRests: ({ facts }: Situation) => facts.pipeRests,
  raw: ({ facts }: Situation) => !facts.canonical && !facts.echo,
  /** It looks for input again and again, or something unknown wakes it. */
  comesAgain: ({ moment, facts }: Situation) =>
    facts.activity === 'rounds' || facts.activity === 'other' || isAtKnownNap(moment, facts),
  inner: ({ facts }: Situation) => facts.inner,
  /** It waits on a terminal inside this one, which edits lines for it. */
  linesInside: ({ facts }: Situation) => facts.inner && facts.canonical,
  /** A program that has rested with no program on its inner terminal is no relay: it keeps the terminal for programs it starts. */
  relays: ({ moment, facts }: Situation) => facts.relay && !hasRelayed(moment, facts),
  passing: ({ facts }: Situation) => facts.passing,
  remote: ({ facts }: Situation) => remoteClients.has(facts.name),
  /** It passes keys on, and nothing has come from the far end. The client itself asks for a password or about a host's key, before it passes keys on. */
  farEndSilent: ({ moment, facts }: Situation) =>
    remoteClients.has(facts.name) && !facts.canonical && !facts.echo && !moment.output.hasShownText(),
  /** A terminal may end its reads after a time: that is as good as a poll. */
  reads: ({ facts }: Situation) => facts.wait === 'read' && facts.timeoutMs === null,
  byMainThread: ({ facts }: Situation) => facts.waiterThread === facts.waiter,
  threads: ({ facts }: Situation) => facts.threads > 1,
  otherThreadsWork: ({ facts }: Situation) => facts.otherThreadsWork,
  /** Other threads were on the processor since the last input. */
  othersWorked: ({ moment }: Situation) => moment.othersWorkedAt > moment.lastInputAt,
  /** Output has come while the thread that waits did not run. */
  othersWrite: ({ moment }: Situation) => moment.lastOutputAt > moment.restingSince.own + outputLagMs,
  mainRuns: ({ facts }: Situation) => facts.activity === 'runs',
  mainSleeps: ({ facts }: Situation) => facts.activity === 'sleeps',

  // Other things that it waits for.
  /** It has nothing but its terminal to wait for, and no other thread. */
  alone: ({ facts }: Situation) => facts.otherFds === 0 && facts.threads <= 1 && !facts.inner,
  endless: ({ facts }: Situation) => facts.timeoutMs === null,
  others: ({ facts }: Situation) => facts.otherFds > 0,
  sockets: ({ facts }: Situation) => facts.sockets > 0,
  /** It polls for input again within a few milliseconds. */
  looksSoon: ({ facts }: Situation) => facts.timeoutMs !== null && facts.timeoutMs <= 25,
  timer250: (situation: Situation) => hasTimerOf(250, situation),
  timer1000: (situation: Situation) => hasTimerOf(1_000, situation),
  timerOver1000: ({ facts }: Situation) => facts.timeoutMs !== null && facts.timeoutMs > 1_000,
  workTimer: ({ facts }: Situation) => isWorkTimer(facts.timeoutMs),

  wentOn: ({ moment }: Situation) => moment.wentOn,
  firstWait: ({ moment }: Situation) => moment.lastRest === null,
  asAtRest: ({ moment, facts }: Situation) => isAsAtRest(facts, moment.lastRest),
  newConnection: ({ moment, facts }: Situation) => hasNewConnection(facts, moment.lastRest),
  newWork: ({ moment, facts }: Situation) => hasNewWork(facts, moment.lastRest, moment.restingSince),
  newTimer: ({ moment, facts }: Situation) => hasNewTimer(facts, moment.lastRest, moment.restingSince),
  /** Its timer is due at the same time as the timer that it had at rest. */
  restTimer: ({ moment, facts }: Situation) => hasTimerOfRest(facts, moment.lastRest, moment.restingSince),
  newWorker: ({ moment, facts }: Situation) => hasNewWorker(facts, moment.lastRest),
  children: ({ facts }: Situation) => facts.children > 0,
  newMainTimer: ({ moment, facts }: Situation) => hasNewMainTimer(facts, moment.lastRest),
  /** It had the terminal raw when it last waited, and does not have it so now. */
  leftRaw: ({ moment, facts }: Situation) => facts.canonical && leavesRaw(moment, facts),
  /** The very wait in which its input came before. */
  knownWait: ({ moment }: Situation) => moment.waitIsKnown,
  askedAtRest: ({ moment }: Situation) => moment.lastRest?.asked === true,
  /** It has asked whenever it waited, it has a line since, and it asks nothing now. An interpreter may read the rest of a statement so. */
  askedNothingSince: ({ moment, facts, shape, kind }: Situation) =>
    hasAskedAlways(moment, facts) &&
    kind() !== 'continuation' &&
    moment.output.lineEntered() &&
    writesLines(moment, facts) &&
    shape() === 'empty' &&
    !moment.output.asksAbove(),

  shellPrompt: ({ moment, facts, kind }: Situation) => moment.atPrompt && !facts.inner && kind() === 'shell',
  shellAsksOn: ({ moment, facts, kind }: Situation) => moment.atPrompt && !facts.inner && kind() === 'continuation',
  atPrompt: ({ moment }: Situation) => moment.atPrompt,
  secret: ({ facts }: Situation) => facts.canonical && !facts.echo,
  progressing: ({ moment }: Situation) => moment.progressing,
  screenBegun: ({ moment }: Situation) => moment.screenSinceInput,
  lineBegun: ({ moment }: Situation) => moment.pasteSinceInput,
  alternateScreen: ({ moment }: Situation) => moment.alternateScreen,

  lineEntered: ({ moment }: Situation) => moment.output.lineEntered(),
  answered: ({ moment }: Situation) => moment.output.answeredSinceInput(),
  knownPrompt: ({ moment }: Situation) => moment.output.isKnownPrompt(),
  paints: ({ moment }: Situation) => moment.output.paints(),
  draws: ({ moment }: Situation) => isPainted(moment),
  redraws: ({ moment }: Situation) => moment.output.sameScreenSince(moment.now) !== null,
  /** It writes line by line, and has been at its prompt since the input. */
  promptWasBack: ({ moment, facts }: Situation) => writesLines(moment, facts) && moment.output.promptedSinceInput(),
  asks: ({ shape }: Situation) => questionShapes.has(shape()),
  prompts: ({ shape }: Situation) => shape() === 'interpreter' || shape() === 'shell',
  asksWithMark: ({ moment }: Situation) => hasMark(moment.output.cursorLine().line),
  asksAbove: ({ moment }: Situation) => moment.output.asksAbove(),
  /** Before the cursor there is a question, and behind it what was typed, hidden. */
  stars: ({ moment }: Situation) => showsStars(moment.output.cursorLine().before),
  asksSecret: ({ moment, facts }: Situation) => asksSecret(moment, facts),
  asksKeyInTime: ({ moment }: Situation) => asksForKeyInTime(moment.output.cursorLine().before),
  /** The text before the cursor says how to end the work. */
  saysHowToEnd: ({ moment }: Situation) => saysHowToEnd(moment.output.cursorLine().before),
  blank: ({ shape }: Situation) => shape() === 'empty',
  words: ({ shape }: Situation) => shape() === 'text',
  silent: ({ moment, facts, shape }: Situation) => writesLines(moment, facts) && shape() === 'empty',
  wordsOnLine: ({ moment, shape }: Situation) => !isPainted(moment) && shape() === 'text',
}

export type Sign = keyof typeof momentSigns | keyof typeof factSigns
export type SignTest = (seen: Seen) => boolean

/** A moment, and what its facts show; null as long as there are none. */
export interface Seen {
  readonly moment: TurnMoment
  readonly situation: Situation | null
}

export const signs: ReadonlyMap<string, SignTest> = new Map([
  ...Object.entries(momentSigns).map(([name, test]): [string, SignTest] => [name, ({ moment }) => test(moment)]),
  ...Object.entries(factSigns).map(([name, test]): [string, SignTest] => [
    name,
    ({ situation }) => situation !== null && test(situation),
  ]),
])

function hasTimerOf(ms: number, { facts }: Situation): boolean {
  return facts.timeoutMs !== null && facts.timeoutMs >= ms
}

function hasNewWork(facts: Facts, lastRest: Rest | null, restingSince: RestStart): boolean {
  return hasNewConnection(facts, lastRest) || hasNewTimer(facts, lastRest, restingSince)
}

function leavesRaw({ lastRest }: TurnMoment, { waiter }: Facts): boolean {
  return lastRest?.waiter === waiter && !lastRest.canonical
}

function isPainted({ alternateScreen, output }: TurnMoment): boolean {
  return alternateScreen || output.paints()
}

/** The text before the cursor is where it waits. Who hides the cursor and lets the terminal echo lines asks nothing. */
function writesLines({ alternateScreen, cursorHidden, output }: TurnMoment, { canonical }: Facts): boolean {
  return !alternateScreen && !(cursorHidden && !canonical) && !output.paints()
}

/**
 * While no thread waits for the terminal, its process group is that of the program. What an interpreter runs may read without a question. Where
 * a thread beside its main one reads lines all the time, its read shows nothing.
 */
function hasAskedAlways({ lastRest }: TurnMoment, facts: Facts): boolean {
  const { wait, waiter, foreground } = facts
  if (lastRest === null || !lastRest.asksAlways || (lastRest.interprets && !readsBesideMain(facts))) return false
  return wait === 'none' ? lastRest.foreground === foreground : lastRest.waiter === waiter
}

function readsBesideMain({ canonical, wait, waiter, waiterThread }: Facts): boolean {
  return canonical && wait === 'read' && waiter !== waiterThread
}

function isAtKnownNap({ lastNap }: TurnMoment, { activity, foreground }: Facts): boolean {
  return activity === 'sleeps' && lastNap?.foreground === foreground
}

function hasMark(line: string): boolean {
  return asksWithMark(line) || offersChoices(line)
}

function hasRelayed({ lastRest }: TurnMoment, { waiter }: Facts): boolean {
  return lastRest?.waiter === waiter && lastRest.relayed
}
