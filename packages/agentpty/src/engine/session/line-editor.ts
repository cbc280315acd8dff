/**
 * The line editor of a shell that agentpty has started: it reports its text for a private key, whatever keys have made it.
 *
 * Any program can print such a report, so one counts only with the nonce that the shell was started with, and only while one is
 * awaited. The nonce is read from the environment of the process, so that it outlives the daemon that has chosen it.
 */

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { EditLineMark, Mark } from '../marks/mark.ts'
import { marksPrompts } from '../marks/marking-shells.ts'
import type { InputWriter } from './input-writer.ts'
import type { SessionOptions } from './session-options.ts'

/** Variable of the environment that a shell is started with; its integration takes it out before anything else runs. */
export const nonceVariable = 'AGENTPTY_NONCE'

/** The private keys that the shell integration binds. */
const reportKey = '\x1b[5099~'
const expandKey = '\x1b[5098~'
const insertKey = '\x1b[5097~'
/** A shell in the middle of a search or behind a quoting key gives no report. */
const reportMsMax = 300

export type EditLine = Pick<EditLineMark, 'line' | 'wouldRun' | 'program'>

/** A text of which the shell has said nothing. */
export const plainLine = (line: string): EditLine => ({ line, wouldRun: null, program: null })

export type LineEditorOptions = Pick<SessionOptions, 'clock' | 'pid' | 'info' | 'nonce'>

export class LineEditor {
  readonly #options: LineEditorOptions
  readonly #input: Pick<InputWriter, 'write'>
  #nonce: string | null | undefined
  #asking: Promise<EditLine | null> | null = null
  #take: ((mark: EditLineMark | null) => void) | null = null
  #reported: EditLineMark | null = null

  constructor(options: LineEditorOptions, input: Pick<InputWriter, 'write'>) {
    this.#options = options
    this.#input = input
    this.#nonce = options.nonce
  }

  /** The shell can be asked, as far as is known before it is. */
  get reports(): boolean {
    const { info, pid } = this.#options
    if (!marksPrompts(info.shell)) return false
    if (this.#nonce === undefined) this.#nonce = nonceOf(pid)
    return this.#nonce !== null
  }

  /**
   * The text at the prompt; null when the shell gives no report. To be called at a marked prompt only: a program would read the key.
   *
   * @param expandsHistory - The references to the history in it are replaced first, as Enter would do.
   */
  async report({ expandsHistory = false } = {}): Promise<EditLine | null> {
    if (!this.reports) return null
    while (this.#asking !== null) {
      const line = await this.#asking
      // The report that was on its way shows the same line.
      if (!expandsHistory) return line
    }
    this.#asking = this.#ask(expandsHistory)
    try {
      return await this.#asking
    } finally {
      this.#asking = null
    }
  }

  async #ask(expandsHistory: boolean): Promise<EditLine | null> {
    const { clock } = this.#options
    const reported = new Promise<EditLineMark | null>((resolve) => {
      this.#take = resolve
    })
    const giveUp = () => this.#take?.(this.#reported)
    const stop = clock.callAt(clock.now() + reportMsMax, giveUp)
    // Whether it has arrived shows by the report; a shell that has ended gives none.
    this.#press(expandsHistory && this.#hasHistoryKey ? expandKey + reportKey : reportKey).catch(giveUp)
    try {
      return await reported
    } finally {
      stop()
      this.#take = null
      this.#reported = null
    }
  }

  /** Leaves the command mode of vi before text is typed; does nothing in other modes. Only for a marked prompt. */
  leaveCommandMode(): void {
    // The text that follows fails for the same reason, and its caller gets the error.
    if (this.reports) this.#press(insertKey).catch(() => undefined)
  }

  #press(keys: string): Promise<unknown> {
    return this.#input.write(Buffer.from(keys), { admit: () => {}, isUrgent: false, numbered: undefined })
  }

  /** fish has no references to its history. */
  get #hasHistoryKey(): boolean {
    return basename(this.#options.info.shell ?? '') !== 'fish'
  }

  apply(mark: Mark): void {
    if (this.#take === null) return
    if (mark.kind === 'edit-line' && mark.nonce === this.#nonce) {
      this.#reported = this.#isZshBraces(mark) ? { ...mark, wouldRun: true } : mark
      if (this.#draws) return
    }
    const isDrawn = mark.kind === 'edit-line' || mark.kind === 'prompt-end' || mark.kind === 'continuation'
    if (isDrawn && this.#reported !== null) this.#take(this.#reported)
  }

  /** zsh cannot read an `if` with braces that ends the text, and runs it behind Enter. */
  #isZshBraces({ line, wouldRun }: EditLineMark): boolean {
    const isZsh = basename(this.#options.info.shell ?? '') === 'zsh'
    return isZsh && wouldRun === false && /(^|[\s;&|({])if\b/.test(line) && /[\s;]\}\s*$/.test(line)
  }

  /** bash draws its prompt and the line anew behind its report: what comes next is no answer to what is typed next. */
  get #draws(): boolean {
    return basename(this.#options.info.shell ?? '') === 'bash'
  }
}

/** Null for a process that was started without one, is gone, or belongs to another user. */
function nonceOf(pid: number): string | null {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    const found = variables.find((variable) => variable.startsWith(`${nonceVariable}=`))
    return found?.slice(nonceVariable.length + 1) || null
  } catch {
    // Without its nonce nothing that it reports is believed.
    return null
  }
}
