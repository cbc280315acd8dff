/** What kind of input a waiting program expects. */

import type { Facts } from '../../contracts/ports.ts'
import type { Kind } from '../../contracts/session/verdict.ts'
import {
  asksForAnyKey,
  asksForKey,
  asksForSecret,
  endsAskingForKey,
  isPlainlyPager,
  type PromptShape,
  promptShape,
} from './prompt-shape.ts'
import type { TurnView } from './turn-view.ts'

const shellPromptMax = 40

/** Shells by name: only they are told from other interpreters that way. */
const shellName = /^-?(?:(?:ba|da|a|z|k|mk|ok|pdk|c|tc|bsd-c|ya|po|fi|nu|osh)?sh|ksh93|elvish|xonsh|busybox|rc|es|nu)$/

export function kindOf(view: TurnView, facts: Facts): Kind {
  if (isOurShell(view, facts)) return kindOfOurShell(view, facts)
  const shape = shapeOf(view, facts)
  if (facts.canonical && !facts.echo && !(facts.inner && shape === 'shell')) return 'password'
  if (facts.inner) return facts.canonical ? kindOfLine(view, facts, shape) : kindOfKeys(view, facts, shape)
  if (view.alternateScreen) return kindOfScreen(view, facts, shape)
  return facts.canonical ? kindOfLine(view, facts, shape) : kindOfRaw(view, facts, shape)
}

function kindOfOurShell(view: TurnView, facts: Facts): Kind {
  if (facts.canonical && !facts.echo) return 'password'
  return view.continues ? 'continuation' : 'shell'
}

function isOurShell(view: TurnView, facts: Facts): boolean {
  if (!view.startedAsShell || view.commandRunning || facts.inner) return false
  return facts.waiter === facts.leader || (facts.waiter === 0 && facts.foreground === facts.leader)
}

/** `$ ` and `# ` are a shell's where a shell waits, or where nobody can see who waits; else some interpreter's. */
function shapeOf(view: TurnView, facts: Facts): PromptShape {
  const shape = promptShape(view.cursorLine().before)
  if (shape !== 'shell' && shape !== 'interpreter') return shape
  if (shellName.test(facts.name))
    return view.lastRest?.kind === 'shell' || shape === 'shell' ? 'shell' : namedShell(view)
  return shape === 'shell' && facts.readable && facts.wait !== 'none' && !isRemote(facts) ? 'interpreter' : shape
}

/** A shell's own prompt may be `% ` or `~> `; behind more words it is a script's question. */
function namedShell(view: TurnView): PromptShape {
  return /^(?:\S+@\S+ )?\S{0,40}\s?[%>❯➜»] ?$/u.test(view.cursorLine().before.trimStart()) ? 'shell' : 'interpreter'
}

function isRemote(facts: Facts): boolean {
  return facts.sockets > 0
}

/** Its own user hides it, or it runs somewhere else. */
function isOutOfSight(facts: Facts): boolean {
  return facts.wait === 'none' || isRemote(facts)
}

/** It reads single keys, and not from its standard input, which may be the text it shows. */
function isPager(facts: Facts): boolean {
  return facts.wait === 'read' && facts.ownDescriptor && facts.waiter === facts.waiterThread && facts.readBytes === 1
}

/** One far away, that shows its text in a screen and asks what to look for. */
function isStillPager({ lastRest, cursorLine }: TurnView, facts: Facts): boolean {
  return lastRest?.kind === 'pager' && lastRest.waiter === facts.waiter && /^[/?&]/.test(cursorLine().before)
}

function kindOfLine(view: TurnView, facts: Facts, shape: PromptShape): Kind {
  if (shape === 'shell') return 'shell'
  return shape === 'interpreter' && !asksByName(view.cursorLine().before, facts.name) ? 'repl' : 'line'
}

/** Without a line editor `order> ` is a question; an interpreter's prompt is bare, or has the program's own name. */
function asksByName(before: string, program: string): boolean {
  const word = /^\s*(\p{L}[\w ]*?)>+ ?$/u.exec(before)?.[1]?.toLowerCase()
  if (word === undefined) return false
  const name = program.toLowerCase()
  const isIts = word.startsWith(name) || (name.startsWith(word) && !/[_.-]/.test(name.charAt(word.length)))
  return !isIts
}

function kindOfScreen(view: TurnView, facts: Facts, shape: PromptShape): Kind {
  if (isPager(facts)) return 'pager'
  if (isOutOfSight(facts) && (shape === 'pager' || isStillPager(view, facts))) return 'pager'
  return kindOfDrawn(view)
}

/** A program that draws may ask in a line of its screen. */
function kindOfDrawn(view: TurnView): Kind {
  const { before } = view.cursorLine()
  if (asksForSecret(before)) return 'password'
  return !view.cursorHidden && endsAskingForKey(before) ? 'key' : 'tui'
}

/** Line editors poll or read key by key and draw the line themselves; they stand behind a prompt. */
function kindOfRaw(view: TurnView, facts: Facts, shape: PromptShape): Kind {
  if (shape === 'shell') return 'shell'
  if (shape === 'interpreter') return 'repl'
  if (shape === 'pager') return kindBehindColon(view, facts)
  if (view.paints() || view.cursorHidden) return kindOfDrawn(view)
  return kindOfKeys(view, facts, shape)
}

function kindBehindColon(view: TurnView, facts: Facts): Kind {
  return facts.ownDescriptor || isOutOfSight(facts) || isPlainlyPager(view.cursorLine().before) ? 'pager' : 'repl'
}

function kindOfKeys(view: TurnView, facts: Facts, shape: PromptShape): Kind {
  const { before } = view.cursorLine()
  // What is typed goes through the program around it, whose screen this is.
  if (facts.inner && facts.relayHere && view.alternateScreen && shellName.test(facts.name)) return 'tui'
  if (shape === 'shell') return 'shell'
  if (shape === 'interpreter') return 'repl'
  if (shape === 'pager') return kindBehindColon(view, facts)
  // A shell inside that is not at its prompt is not what the screen shows.
  if (facts.inner && view.alternateScreen && shellName.test(facts.name)) return kindOfDrawn(view)
  if (asksForSecret(before)) return 'password'
  if (asksForAnyKey(before)) return 'key'
  // What a multiplexer asks of the terminal says nothing of the program inside.
  const isDrawn = facts.inner && view.alternateScreen && (shape === 'text' || shape === 'empty')
  if (isDrawn && !isKnownInterpreter(view, facts)) return 'tui'
  const hasEditor = view.bracketedPaste || isKnownInterpreter(view, facts)
  if (!hasEditor && facts.wait === 'read' && (facts.readBytes === 1 || asksForKey(before))) return 'key'
  if (shape === 'empty') return hasEditor ? 'repl' : 'other'
  if (shape === 'question') return 'line'
  if (shellName.test(facts.name) && before.length <= shellPromptMax) return 'shell'
  return hasEditor ? 'repl' : 'line'
}

/** It has had a prompt of its own: it edits its lines itself, whatever its reads look like. */
function isKnownInterpreter({ lastRest }: TurnView, facts: Facts): boolean {
  return lastRest?.interprets === true && lastRest.waiter === facts.waiter
}
