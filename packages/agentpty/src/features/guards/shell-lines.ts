/**
 * What the policy knows of one shell: its folder, variables, aliases and functions, and the line that is being typed.
 *
 * It follows the shell by what was judged before it was typed, and where the shell reports the lines that it runs, by these: a
 * person’s lines, and those of a session that is older than this server, are judged when they are reported, to know what they leave.
 */

import type { PolicyProfile, PolicyShell } from '../../contracts/policy/policy.ts'
import type { Offset } from '../../contracts/units.ts'
import type { CommandTracker, FinishedCommand, RunningCommand } from '../../engine/marks/command-tracker.ts'
import { judgeWrite, newSession, type PolicySession } from '../policy/judge.ts'
import { emptyEditor } from '../policy/line-assembler.ts'
import type { Surroundings } from '../policy/policy-state.ts'
import type { Judgement } from '../policy/verdict.ts'

export interface Situation {
  readonly profile: PolicyProfile
  readonly shell: PolicyShell
}

/** A line that the shell has run, and that nobody had judged in these words. */
export type Unjudged = (line: string) => void

export interface JudgedLines {
  readonly judgement: Judgement
  /** The lines that would be entered, as the shell’s line editor makes them. */
  readonly lines: readonly string[]
  /** Keeps what is known afterwards; called when the call goes on. */
  readonly allowed: () => void
}

const expectedMax = 100 // lines that were judged and not reported yet

export class ShellLines {
  #session: PolicySession
  /** Lines that were let through, in the order in which they were typed. */
  #expected: readonly string[] = []
  /** Where the newest reported command begins that has been seen. */
  #seenTo: Offset = -1
  readonly #unjudged: Unjudged

  constructor(surroundings: Surroundings, unjudged: Unjudged = () => {}) {
    this.#session = newSession(surroundings)
    this.#unjudged = unjudged
  }

  /** Keys were pressed whose effect only the shell knows. */
  get isUncertain(): boolean {
    return this.#session.editor.isUncertain
  }

  /** What would come of these keys. Nothing is kept before `allowed` is called. */
  judge(input: string, situation: Situation): JudgedLines {
    const { judgement, session, lines } = judgeWrite(input, this.#session, situation)
    const allowed = () => {
      this.#session = session
      this.#expected = [...this.#expected, ...lines].slice(-expectedMax)
    }
    return { judgement, lines, allowed }
  }

  /** Somebody else has typed. */
  unsure(): void {
    this.#session = { ...this.#session, editor: { ...this.#session.editor, isUncertain: true } }
  }

  /** The shell is at its prompt, in this folder; `isFresh`: and waits for no rest of a command. */
  isAt({ folder, isFresh }: { readonly folder: string | null; readonly isFresh: boolean }): void {
    const { state, pending } = this.#session
    const cwd = folder ?? state.cwd
    this.#session = { ...this.#session, state: { ...state, cwd }, pending: isFresh ? '' : pending }
  }

  /** The line as the shell shows it, after keys whose effect nobody else knows. */
  lineIs(line: string): void {
    this.#session = { ...this.#session, editor: { ...emptyEditor, line, cursor: line.length } }
  }

  /** What the shell has reported since the last look. */
  follow({ commands, current }: CommandTracker, situation: Situation): void {
    const reported = [...commands, ...(current === null ? [] : [current])]
    for (const command of reported) if (command.outputStart > this.#seenTo) this.#ran(command, situation)
    this.#seenTo = Math.max(this.#seenTo, ...reported.map(({ outputStart }) => outputStart))
  }

  #ran({ line }: FinishedCommand | RunningCommand, situation: Situation): void {
    if (line === null) return
    const at = this.#expected.findIndex((expected) => isSameLine(expected, line))
    if (at >= 0) {
      this.#expected = this.#expected.slice(at + 1)
      return
    }
    this.#unjudged(line)
    const { editor } = this.#session
    const { session } = judgeWrite(`${line}\n`, { ...this.#session, editor: emptyEditor, pending: '' }, situation)
    this.#session = { ...session, editor }
  }
}

/** Shells report a line without the blanks around it, and several lines as one. */
function isSameLine(judged: string, reported: string): boolean {
  return reported.split('\n').some((line) => line.trim() === judged.trim()) || judged.trim() === reported.trim()
}
