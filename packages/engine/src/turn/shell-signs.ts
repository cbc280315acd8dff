/** Shells among the programs that wait: by their names, their prompts and the lines that they read for scripts. */

import type { Facts } from '@agentpty/protocol'
import { isPlainlyShell, type PromptShape, promptOf, promptShape } from './prompt-shape.ts'
import type { TurnMoment } from './turn-moment.ts'

/** Shells that put the terminal into raw mode at their own prompts, so that a line which the terminal edits is a script's. */
const editingShell = /^-?(?:ba|z|fi|nu|k|mk|ya)sh$|^(?:ksh93|elvish|xonsh)$/
/** `$ `, `~ % `, `me@box # `: one word at most. A script's question has more. */
const bareShellPrompt = /^\S*\s?\S$/

/** Shells by name, which distinguishes them from other interpreters. */
const shellName = /^-?(?:(?:ba|da|a|z|k|mk|ok|pdk|c|tc|bsd-c|ya|po|fi|nu|osh)?sh|ksh93|elvish|xonsh|busybox|rc|es|nu)$/

/** `$ ` and `# ` are a shell's prompt when a shell waits, or when the waiting program is unknown; else an interpreter's. */
export function shapeOfPrompt(moment: TurnMoment, facts: Facts): PromptShape {
  const shape = promptShape(lineOf(moment))
  if (shape !== 'shell' && shape !== 'interpreter') return shape
  if (readsByBuiltin(moment, facts)) return 'question'
  if (isShell(moment, facts))
    return moment.lastRest?.kind === 'shell' || shape === 'shell' ? 'shell' : shapeOfShell(lineOf(moment))
  if (shape !== 'shell' || isPlainlyShell(lineOf(moment))) return shape
  return facts.readable && facts.wait !== 'none' && facts.sockets === 0 ? 'interpreter' : shape
}

/** A shell's own prompt may be `% ` or `~> `; after more words it is a script's question. */
function shapeOfShell(line: string): PromptShape {
  return /^(?:\S+@\S+ )?\S{0,40}\s?[%>❯➜»] ?$/u.test(line.trimStart()) ? 'shell' : 'interpreter'
}

/** The shell runs `read`, in a start-up file or in a command. Its own line editor, also after `exec`, has the terminal raw. */
function readsByBuiltin({ shell, commandRunning, awaitsPrompt, startedBy }: TurnMoment, facts: Facts): boolean {
  if (facts.inner || facts.waiter !== facts.leader || facts.name !== shell) return false
  if (!commandRunning) return awaitsPrompt
  // The `read` of fish has the line editor of its prompt.
  return facts.canonical || (shell === 'fish' && !/\bexec\b/.test(startedBy))
}

export function isOurShell({ shell, awaitsPrompt, commandRunning }: TurnMoment, facts: Facts): boolean {
  if (shell === null || awaitsPrompt || commandRunning || facts.inner) return false
  return facts.waiter === facts.leader || (facts.waiter === 0 && facts.foreground === facts.leader)
}

export function readsForScript(moment: TurnMoment, facts: Facts): boolean {
  const { name, canonical } = facts
  const line = lineOf(moment)
  if (!canonical || !isShell(moment, facts) || isPlainlyShell(line)) return false
  const isBare = bareShellPrompt.test(line.trim())
  return editingShell.test(name) ? !(isBare && promptShape(line) === 'shell') : !isBare
}

export function isShell({ loginShells }: TurnMoment, { name }: Facts): boolean {
  return shellName.test(name) || loginShells.has(name)
}

/** Where its lines begin: a shell's prompt may be the `> ` with which others ask for the rest of a command. */
export function isFirstPrompt(moment: TurnMoment, { waiter }: Facts): boolean {
  const { lastRest } = moment
  return lastRest?.waiter === waiter && lastRest.shellPrompt === promptOf(lineOf(moment))
}

function lineOf({ output }: TurnMoment): string {
  return output.cursorLine().before
}
