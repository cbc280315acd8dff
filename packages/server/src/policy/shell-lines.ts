/**
 * The policy's model of one shell: its folder, variables, aliases and functions, and the line that is being typed.
 *
 * It follows the shell by the lines that were judged. A line that the shell reports besides may come from a person, an
 * older session, or a program that prints a mark. From the first such line on, input is judged with it and without it,
 * and the stricter judgement counts.
 */

import type { CommandTracker, FinishedCommand, RunningCommand } from '@agentpty/engine/marks'
import type { Millis, Offset } from '@agentpty/protocol'
import {
  cell,
  type EnteredLine,
  emptyEditor,
  type JudgedWrite,
  type Judgement,
  judgeAtPrompt,
  judgeWrite,
  type LineAtPrompt,
  newSession,
  type PolicySession,
  type PolicyState,
  type Situation,
  type Surroundings,
  strictest,
  type Touches,
  touchesOf,
} from '@agentpty/shell-policy'

/** A line that the shell has run and that was not judged in these words. */
export type Unjudged = (line: string, ran: RanLine) => void

export interface RanLine {
  /** Where its output begins. */
  readonly offset: Offset
  /** When it began, by the server’s clock. */
  readonly startedAt: Millis
}

export interface JudgedLines {
  readonly judgement: Judgement
  /** The lines that would be entered. */
  readonly lines: readonly EnteredLine[]
  /** Their effects, for the person who decides. */
  readonly touches: () => Touches
  /** Stores what is known afterwards; called when the call is allowed. */
  readonly allowed: () => void
}

const expectedMax = 20_000 // characters of lines that were judged and not reported yet

/** Typed input that has not run. */
export type TypedSoFar = Pick<PolicySession, 'editor' | 'pending'>

export const nothingTyped: TypedSoFar = { editor: emptyEditor, pending: '' }

export class ShellLines {
  /** The session by the lines that were judged. */
  #judged: PolicySession
  /** The session if all reported lines are true; null while that is the same. */
  #reported: PolicySession | null = null
  /** The lines that were let through, in the order in which they were typed, without what shells write in another way. */
  #expected: string[] = []
  #expectedCharacters = 0
  /** Where the newest reported command begins that has been seen. */
  #seenTo: Offset = -1
  readonly #unjudged: Unjudged

  constructor(surroundings: Surroundings, unjudged: Unjudged = () => {}) {
    this.#judged = newSession(surroundings)
    this.#unjudged = unjudged
  }

  /**
   * Judges these keys after the text that is in the line already. No state changes before `allowed` is called.
   *
   * @param isConfirmed - See `judgeWrite`.
   */
  judge(input: string, typed: TypedSoFar, isConfirmed: boolean, situation: Situation): JudgedLines {
    return this.#judge(situation, (session) => judgeWrite(input, { ...session, ...typed }, situation, { isConfirmed }))
  }

  /** Judges the line that the shell reports before Enter, after the entered lines of the same command. */
  judgeAtPrompt(line: LineAtPrompt, pending: string, situation: Situation): JudgedLines {
    return this.#judge(situation, (session) => judgeAtPrompt(line, { ...session, pending }, situation))
  }

  #judge(situation: Situation, judgeIn: (session: PolicySession) => JudgedWrite): JudgedLines {
    const before = this.#judged
    const judged = judgeIn(before)
    const reported = this.#reported === null ? null : judgeIn(this.#reported)
    return {
      judgement: reported === null ? judged.judgement : strictest(judged.judgement, reported.judgement),
      lines: judged.lines,
      touches: () => touchesOf(textOf(judged.lines), before, situation),
      allowed: () => this.#keep(judged, reported),
    }
  }

  /** The shell is at its prompt, in this folder. */
  isAt(folder: string | null): void {
    this.#judged = { ...this.#judged, state: withFolder(this.#judged.state, folder) }
    if (this.#reported !== null) this.#reported = { ...this.#reported, state: withFolder(this.#reported.state, folder) }
  }

  /** Follows the commands that the shell has reported since the last call. */
  follow({ commands, current }: CommandTracker, situation: Situation): void {
    // All but the newest have been seen.
    const fresh: (FinishedCommand | RunningCommand)[] = current === null ? [] : [current]
    for (let at = commands.length - 1; at >= 0; at--) {
      const command = commands[at]
      if (command === undefined || command.outputStart <= this.#seenTo) break
      fresh.unshift(command)
    }
    for (const command of fresh) if (command.outputStart > this.#seenTo) this.#ran(command, situation)
    this.#seenTo = Math.max(this.#seenTo, fresh.at(-1)?.outputStart ?? this.#seenTo)
  }

  #keep(judged: JudgedWrite, reported: JudgedWrite | null): void {
    this.#judged = judged.session
    this.#reported = reported?.session ?? null
    for (const { text } of judged.lines) this.#expect(bare(text))
  }

  #ran({ line, outputStart: offset, startedAt }: FinishedCommand | RunningCommand, situation: Situation): void {
    if (line === null) return
    const end = endOfLine(this.#expected, bare(line))
    if (end !== null) {
      this.#forget(end)
      return
    }
    this.#unjudged(line, { offset, startedAt })
    const before = this.#reported ?? this.#judged
    this.#reported = judgeWrite(`${line}\n`, { ...before, ...nothingTyped }, situation).session
  }

  #expect(line: string): void {
    if (line === '') return
    this.#expected.push(line)
    this.#expectedCharacters += line.length
    // Forgets half of the list in one step: a shell that reports nothing would otherwise move all of it for each line.
    if (this.#expectedCharacters > expectedMax) this.#forget(Math.ceil(this.#expected.length / 2))
  }

  #forget(count: number): void {
    for (const line of this.#expected.splice(0, count)) this.#expectedCharacters -= line.length
  }
}

export function textOf(lines: readonly EnteredLine[]): string {
  return lines.map(({ text }) => text).join('\n')
}

function withFolder(state: PolicyState, folder: string | null): PolicyState {
  return folder === null || folder === state.cwd.value ? state : { ...state, cwd: cell(folder) }
}

/** Counts the expected lines up to the end of `ran`, made of whole lines: a part of one was not allowed. Null when it is none of them. */
function endOfLine(expected: readonly string[], ran: string): number | null {
  if (ran === '') return 0
  for (let from = 0; from < expected.length; from++) {
    let length = 0
    for (let to = from; ran.startsWith(expected[to] ?? ' ', length); ) {
      length += expected[to]?.length ?? 0
      to++
      if (length === ran.length) return to
    }
  }
  return null
}

/** Shells report a command of several lines as one, with other blanks and line ends than it was typed with. */
function bare(line: string): string {
  return line.replaceAll(/[\s;]+/g, '')
}
