/** Questions of programs that wait for a person. Each has a name that cannot be guessed, and is answered once. */

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Clock, limitReached, questionKeptMs, questionsMax, TermError } from '@agentpty/protocol'
import type { AskedByProgram, Question, Questions } from '@agentpty/protocol/questions'
import { namesIn } from '../files/index.ts'

interface Open {
  readonly question: Question
  readonly settled: Promise<boolean>
  readonly settle: (isAnswered: boolean) => void
  isTaken: boolean
}

export class OpenQuestions implements Questions {
  readonly #clock: Clock
  /** Answered questions are kept as long as the others: the caller may come back later than the person. */
  readonly #open = new Map<string, Open>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(asked: AskedByProgram): Question {
    const same = this.list().find(
      ({ terminalId, cursor }) => terminalId === asked.terminalId && cursor === asked.cursor,
    )
    if (same !== undefined) return same
    if (this.#open.size >= questionsMax)
      throw limitReached(`${questionsMax} questions wait for a person.`, 'Let some be answered first.')
    const question = { ...asked, questionId: randomBytes(16).toString('hex') }
    let settle = (_isAnswered: boolean) => {}
    const settled = new Promise<boolean>((resolve) => {
      settle = resolve
    })
    this.#open.set(question.questionId, { question, settled, settle, isTaken: false })
    this.#clock.callAt(this.#clock.now() + questionKeptMs, () => this.#expire(question.questionId))
    return question
  }

  find(questionId: string): Question | null {
    const open = this.#open.get(questionId)
    return open === undefined || open.isTaken ? null : open.question
  }

  list(): readonly Question[] {
    return [...this.#open.values()].filter(({ isTaken }) => !isTaken).map(({ question }) => question)
  }

  take(questionId: string): Question {
    const open = this.#open.get(questionId)
    if (open === undefined || open.isTaken) throw answeredAlready()
    open.isTaken = true
    return open.question
  }

  settle(questionId: string, isAnswered: boolean): void {
    this.#open.get(questionId)?.settle(isAnswered)
  }

  whenSettled(questionId: string): Promise<boolean> {
    return this.#open.get(questionId)?.settled ?? Promise.resolve(false)
  }

  #expire(questionId: string): void {
    this.settle(questionId, false)
    this.#open.delete(questionId)
  }
}

function answeredAlready(): TermError {
  const message = 'This question has been answered or is not asked any more. Nothing was typed.'
  return new TermError('not_asking', message, 'Look with terminal_screenshot at what is asked now.')
}

// The fonts that pictures are drawn with: those of the package, and those that the user has put into the folder `fonts` of the configuration.

const ownFontsMax = 16

/** Those of the package first. */
export function fontFiles(packageFolder: string, configFolder: string | null): readonly string[] {
  const own = configFolder === null ? [] : fontsIn(join(configFolder, 'fonts'))
  return [...fontsIn(packageFolder), ...own.slice(0, ownFontsMax)]
}

function fontsIn(folder: string): readonly string[] {
  const names = namesIn(folder).filter((name) => /\.(?:ttf|otf|ttc)$/i.test(name))
  return names.toSorted().map((name) => join(folder, name))
}
