/**
 * The line editor of a shell that agentpty has started. It reports its text when a private key is pressed.
 *
 * Any program can print such a report, so a report counts only with the nonce that the shell was started with, and only while it is
 * awaited. The nonce is read from the environment of the process, so that it outlives the daemon that created it.
 */

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { EditLineMark, Mark } from '../marks/mark.ts'
import { marksPrompts } from '../marks/marking-shells.ts'
import type { InputWriter } from './input-writer.ts'
import type { SessionOptions } from './session-options.ts'

/** Environment variable with the nonce. The shell integration removes it before it runs anything else. */
export const nonceVariable = 'AGENTPTY_NONCE'

/** The private keys that the shell integration binds. */
const reportKey = '\x1b[5099~'
const expandKey = '\x1b[5098~'
const insertKey = '\x1b[5097~'
/** A shell in the middle of a search or behind a quoting key gives no report. */
const reportMsMax = 300

export type EditLine = Pick<EditLineMark, 'line' | 'wouldRun' | 'program'>

/** A line without a report of the shell. */
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

  /** The shell was started with an integration that reports its line. */
  get reports(): boolean {
    const { info, pid } = this.#options
    if (!marksPrompts(info.shell)) return false
    if (this.#nonce === undefined) this.#nonce = nonceOf(pid)
    return this.#nonce !== null
  }

  /**
   * Returns the text at the prompt; null when the shell gives no report. Call it at a marked prompt only: a program would read the key.
   *
   * @param expandsHistory - Replaces history references first, as Enter would do.
   */
  async report({ expandsHistory = false } = {}): Promise<EditLine | null> {
    if (!this.reports) return null
    while (this.#asking !== null) {
      const line = await this.#asking
      // The pending report shows the same line.
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
    // The report proves that the key has arrived. A shell that has ended gives none.
    this.#press(expandsHistory && this.#hasHistoryKey ? expandKey + reportKey : reportKey).catch(giveUp)
    try {
      return await reported
    } finally {
      stop()
      this.#take = null
      this.#reported = null
    }
  }

  /** Switches from vi's command mode to insert mode; does nothing in other modes. Call it at a marked prompt only. */
  leaveCommandMode(): void {
    // The text that follows fails for the same reason, and its writer gets the error.
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

  /** bash redraws its prompt and line after a report. The report is complete only after that. */
  get #draws(): boolean {
    return basename(this.#options.info.shell ?? '') === 'bash'
  }
}

/** Null for a process that was started without a nonce, has ended, or belongs to another user. */
function nonceOf(pid: number): string | null {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    const found = variables.find((variable) => variable.startsWith(`${nonceVariable}=`))
    return found?.slice(nonceVariable.length + 1) || null
  } catch {
    // Without a nonce no report counts.
    return null
  }
}
