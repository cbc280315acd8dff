import type { Facts } from '@agentpty/protocol'
import type { CaretLine } from '../screen/drawn-caret.ts'
import {
  asksForAnyKey,
  asksForKey,
  asksForKeyInTime,
  asksForSecret,
  asksOnceMore,
  asksWithLabel,
  asksWithMark,
  endsAskingForKey,
  isPlainlyPager,
  isPlainlyShell,
  isSecondPrompt,
  listsKeys,
  namesKeys,
  offersChoices,
  type PromptShape,
  promptShape,
  showsStars,
} from './prompt-shape.ts'
import type { TurnMoment } from './turn-moment.ts'

/** Conditions of table rows: the names of signs, all of which must hold. `!` before a name: it must not hold. */
export type When<Sign extends string> = readonly (Sign | `!${Sign}`)[]

/** Returns one test for all of them, which asks them in their order up to the first that fails. */
export function allOf<Seen>(
  signs: ReadonlyMap<string, (seen: Seen) => boolean>,
  when: readonly string[],
): (seen: Seen) => boolean {
  const [first, second, ...rest] = when.map((name) => signOf(signs, name))
  // Some sixty rows are asked for each sample of the kernel; most have one sign or none.
  if (first === undefined) return () => true
  if (second === undefined) return first
  if (rest.length === 0) return (seen) => first(seen) && second(seen)
  return (seen) => first(seen) && second(seen) && rest.every((sign) => sign(seen))
}

function signOf<Seen>(signs: ReadonlyMap<string, (seen: Seen) => boolean>, name: string): (seen: Seen) => boolean {
  const isNegated = name.startsWith('!')
  const sign = signs.get(isNegated ? name.slice(1) : name)
  if (sign === undefined) throw new Error(`A row asks for the sign "${name}", which is not there.`)
  return isNegated ? (seen) => !sign(seen) : sign
}

/** Shells that put the terminal into raw mode at their own prompts, so that a line which the terminal edits is a script's. */
const editingShell = /^-?(?:ba|z|fi|nu|k|mk|ya)sh$|^(?:ksh93|elvish|xonsh)$/
/** `$ `, `~ % `, `me@box # `: one word at most. A script's question has more. */
const bareShellPrompt = /^\S*\s?\S$/

interface Waiting {
  readonly moment: TurnMoment
  readonly facts: Facts
  /** The shape of the text before the cursor, by the program that waits there. */
  readonly shapeByReader: () => PromptShape
}

const shellPromptMax = 40

/** Shells by name, which distinguishes them from other interpreters. */
const shellName = /^-?(?:(?:ba|da|a|z|k|mk|ok|pdk|c|tc|bsd-c|ya|po|fi|nu|osh)?sh|ksh93|elvish|xonsh|busybox|rc|es|nu)$/

const allSigns = {
  /** It runs as another user. */
  hidden: ({ facts }: Waiting) => facts.wait === 'none' && !facts.readable,
  secret: ({ facts }: Waiting) => facts.canonical && !facts.echo,
  canonical: ({ facts }: Waiting) => facts.canonical,
  /** Raw, and not a read of many bytes, which may be anything. */
  rawKeys: ({ facts }: Waiting) => !facts.canonical && !facts.echo && (facts.wait !== 'read' || facts.readBytes === 1),
  inner: ({ facts }: Waiting) => facts.inner,
  relayHere: ({ facts }: Waiting) => facts.relayHere,
  ownDescriptor: ({ facts }: Waiting) => facts.ownDescriptor,
  /** Its wait cannot be seen, as for another user's program, or it works over connections. */
  outOfSight: ({ facts }: Waiting) => facts.wait === 'none' || hasSockets(facts),
  inRead: ({ facts }: Waiting) => facts.wait === 'read',
  oneByte: ({ facts }: Waiting) => facts.readBytes === 1,
  /** It reads single keys, but not from its standard input, which may be the text it shows. */
  pagerReads: ({ facts }: Waiting) =>
    facts.wait === 'read' && facts.ownDescriptor && facts.waiter === facts.waiterThread && facts.readBytes === 1,

  ourShell: ({ moment, facts }: Waiting) => isOurShell(moment, facts),
  continues: ({ moment }: Waiting) => moment.continues,
  /** By its marks it is at its first prompt, whatever that looks like. */
  marked: ({ moment }: Waiting) => moment.atPrompt,
  namedShell: ({ facts }: Waiting) => shellName.test(facts.name),
  /** A shell reads a line for a script: its own prompt looks different, or it would edit the line itself. */
  readsForScript: ({ moment, facts }: Waiting) => readsForScript(moment, facts),
  /** It has had a prompt of its own, so it edits its lines itself, whatever its reads are. */
  interpreted: ({ moment, facts }: Waiting) => isKnownInterpreter(moment, facts),
  editor: ({ moment, facts }: Waiting) => moment.bracketedPaste || isKnownInterpreter(moment, facts),
  wasPager: ({ moment, facts }: Waiting) =>
    moment.lastRest?.kind === 'pager' && moment.lastRest.waiter === facts.waiter,

  /** It took single keys where it waited before. */
  wasKey: ({ moment, facts }: Waiting) =>
    moment.lastRest?.kind === 'key' && moment.lastRest.waiter === facts.waiter && !facts.canonical,
  wasShell: ({ moment, facts }: Waiting) =>
    moment.lastRest?.waiter === facts.waiter &&
    (moment.lastRest.kind === 'shell' || moment.lastRest.kind === 'continuation'),
  /** Its standard input is not the terminal, and it draws. */
  picks: ({ moment, facts }: Waiting) =>
    facts.ownDescriptor && facts.otherFds === 0 && !moment.bracketedPaste && moment.output.paints(),

  shell: ({ shapeByReader }: Waiting) => shapeByReader() === 'shell',
  interpreter: ({ shapeByReader }: Waiting) => shapeByReader() === 'interpreter',
  pagerPrompt: ({ shapeByReader }: Waiting) => shapeByReader() === 'pager',
  question: ({ shapeByReader }: Waiting) => shapeByReader() === 'question',
  words: ({ shapeByReader }: Waiting) => shapeByReader() === 'text',
  blank: ({ shapeByReader }: Waiting) => shapeByReader() === 'empty',
  short: ({ moment }: Waiting) => before(moment).length <= shellPromptMax,
  asksByName: ({ moment, facts }: Waiting) => asksByName(before(moment), facts.name, moment.startedBy),
  /** The program's own name and a colon: an interpreter that is named like that. */
  ownName: ({ moment, facts }: Waiting) => isOwnName(before(moment), facts.name),
  secondPrompt: ({ moment }: Waiting) => isSecondPrompt(before(moment)),
  asksWithMark: ({ moment }: Waiting) => asksWithMark(moment.output.cursorLine().line),
  stars: ({ moment }: Waiting) => showsStars(before(moment)),
  asksSecret: ({ moment, facts }: Waiting) => asksSecret(moment, facts),
  secretAgain: ({ moment, facts }: Waiting) => asksForSecretAgain(moment, facts),
  markAbove: ({ moment }: Waiting) => moment.output.asksWithMarkAbove(),
  choices: ({ moment }: Waiting) => offersChoices(moment.output.cursorLine().line),
  keyInTime: ({ moment }: Waiting) => asksForKeyInTime(before(moment)),
  asksKey: ({ moment }: Waiting) => asksForKey(before(moment)),
  asksAnyKey: ({ moment }: Waiting) => asksForAnyKey(before(moment)),
  listsKeys: ({ moment }: Waiting) => listsKeys(before(moment)),
  /** The cursor is behind the text, so that more can be typed. */
  labelled: ({ moment }: Waiting) =>
    asksWithLabel(before(moment)) && moment.output.cursorLine().line.trimEnd() === before(moment).trimEnd(),
  endsAskingKey: ({ moment }: Waiting) => endsAskingForKey(before(moment)),
  /** Patterns in the text that it shows. */
  looksFor: ({ moment }: Waiting) => /^[/?&]/.test(before(moment)),
  plainlyPager: ({ moment }: Waiting) => isPlainlyPager(before(moment)),

  alternateScreen: ({ moment }: Waiting) => moment.alternateScreen,
  /** The alternate screen is its own. */
  screen: ({ moment, facts }: Waiting) => moment.alternateScreen && !facts.inner,
  cursorHidden: ({ moment }: Waiting) => moment.cursorHidden,
  /** It hides the cursor, and draws one in a line that it edits. */
  caret: ({ moment }: Waiting) => drawsLines(moment) && moment.output.caretLine() !== null,
  secretAtCaret: ({ moment }: Waiting) => isSecretLine(moment.output.caretLine()),
  drawn: (waiting: Waiting) => isDrawn(waiting),
  /** With a hidden cursor, which shows nothing of where the input goes, the last line of what it drew does. */
  lastAsksKey: ({ moment }: Waiting) => drawsLines(moment) && endsAskingForKey(moment.output.lastLine()),
  /** It writes lines, and its cursor is below them. */
  lastNamesKeys: ({ moment }: Waiting) => !moment.alternateScreen && namesKeys(moment.output.lastLine()),
  lastAsksLine: ({ moment }: Waiting) => drawsLines(moment) && /\w[:?]$/.test(moment.output.lastLine()),
}

export type KindSign = keyof typeof allSigns
/** Signs of a waiting program that show what kind of input it expects: the conditions of the table of kinds. */
export const kindSigns: ReadonlyMap<string, (waiting: Waiting) => boolean> = new Map(Object.entries(allSigns))

/** `$ ` and `# ` are a shell's prompt when a shell waits, or when the waiting program is unknown; else an interpreter's. */
export function shapeOfPrompt(moment: TurnMoment, facts: Facts): PromptShape {
  const shape = promptShape(before(moment))
  if (shape !== 'shell' && shape !== 'interpreter') return shape
  if (readsByBuiltin(moment, facts)) return 'question'
  if (shellName.test(facts.name))
    return moment.lastRest?.kind === 'shell' || shape === 'shell' ? 'shell' : shapeOfShell(before(moment))
  if (shape !== 'shell' || isPlainlyShell(before(moment))) return shape
  return facts.readable && facts.wait !== 'none' && !hasSockets(facts) ? 'interpreter' : shape
}

/** A shell's own prompt may be `% ` or `~> `; after more words it is a script's question. */
function shapeOfShell(line: string): PromptShape {
  return /^(?:\S+@\S+ )?\S{0,40}\s?[%>❯➜»] ?$/u.test(line.trimStart()) ? 'shell' : 'interpreter'
}

/** Its line asks for a secret, for the first time or once more. */
export function asksSecret(moment: TurnMoment, facts: Facts): boolean {
  return asksForSecret(before(moment)) || asksForSecretAgain(moment, facts)
}

/** The program's last question was for a secret, and this one asks for the same once more. */
function asksForSecretAgain(moment: TurnMoment, { waiter, foreground }: Facts): boolean {
  const { lastRest, lastNap } = moment
  const isSecret =
    (lastRest?.kind === 'password' && lastRest.waiter === waiter) ||
    (lastNap?.kind === 'password' && lastNap.foreground === foreground)
  return isSecret && asksOnceMore(before(moment))
}

function before({ output }: TurnMoment): string {
  return output.cursorLine().before
}

function hasSockets(facts: Facts): boolean {
  return facts.sockets > 0
}

/** The shell runs `read`, in a start-up file or in a command. Its own line editor, also after `exec`, has the terminal raw. */
function readsByBuiltin({ shell, commandRunning, awaitsPrompt, startedBy }: TurnMoment, facts: Facts): boolean {
  if (facts.inner || facts.waiter !== facts.leader || facts.name !== shell) return false
  if (!commandRunning) return awaitsPrompt
  // The `read` of fish has the line editor of its prompt.
  return facts.canonical || (shell === 'fish' && !/\bexec\b/.test(startedBy))
}

function isOurShell({ shell, awaitsPrompt, commandRunning }: TurnMoment, facts: Facts): boolean {
  if (shell === null || awaitsPrompt || commandRunning || facts.inner) return false
  return facts.waiter === facts.leader || (facts.waiter === 0 && facts.foreground === facts.leader)
}

function readsForScript({ output }: TurnMoment, { name, canonical }: Facts): boolean {
  const line = output.cursorLine().before
  if (!canonical || !shellName.test(name) || isPlainlyShell(line)) return false
  const isBare = bareShellPrompt.test(line.trim())
  return editingShell.test(name) ? !(isBare && promptShape(line) === 'shell') : !isBare
}

function isKnownInterpreter({ lastRest }: TurnMoment, facts: Facts): boolean {
  return lastRest?.interprets === true && lastRest.waiter === facts.waiter
}

/** A shell inside that is not at its prompt is not what the screen shows. */
function isDrawn({ moment, facts }: Waiting): boolean {
  if (facts.inner) return moment.alternateScreen && shellName.test(facts.name)
  return moment.output.paints() || moment.cursorHidden
}

function drawsLines({ alternateScreen, cursorHidden }: TurnMoment): boolean {
  return cursorHidden && !alternateScreen
}

/** The question is before the caret or in the row above; what was typed is hidden. */
function isSecretLine(line: CaretLine | null): boolean {
  return line !== null && (asksForSecret(line.before) || asksForSecret(line.above) || /^\W*[*•●▪]+$/u.test(line.before))
}

function isOwnName(line: string, program: string): boolean {
  const word = /^\s*(\w+): ?$/.exec(line)?.[1]?.toLowerCase()
  const name = program.toLowerCase()
  return word !== undefined && word.length > 1 && (word.startsWith(name) || name.startsWith(word))
}

/**
 * Without a line editor `order> ` and `Shell [/bin/sh]> ` are questions; an interpreter's prompt is bare, or has the
 * program's own name.
 */
function asksByName(line: string, program: string, startedBy: string): boolean {
  const word = /^\s*(\p{L}[\w ]*?)(?: [[(][^\])]*[\])])?>+ ?$/u.exec(line)?.[1]?.toLowerCase()
  if (word === undefined) return false
  const name = program.toLowerCase()
  const isIts = word.startsWith(name) || (name.startsWith(word) && !/[_.-]/.test(name.charAt(word.length)))
  // A program in the interpreter of another language has that interpreter's name: `scala` is a `java`.
  return !isIts && !startedBy.toLowerCase().split(/\W+/).includes(word)
}
