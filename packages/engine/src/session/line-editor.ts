/**
 * The line editor of a shell that agentpty has started. It reports its text when a private key is pressed.
 *
 * Any program can print such a report, so a report counts only with the nonce that the shell was started with, and only while it is
 * awaited. The nonce is read from the environment of the process, so that it outlives the daemon that created it.
 */

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Millis, Offset } from '@agentpty/protocol'
import type { CommandTracker } from '../marks/command-tracker.ts'
import { type EditLineMark, type Mark, marksPrompts } from '../marks/parse-osc.ts'
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

export interface LineEditorParts {
  readonly options: LineEditorOptions
  readonly input: Pick<InputWriter, 'write'>
  readonly commands: Pick<CommandTracker, 'atPrompt' | 'hasInvitedSince'>
}

/** After this time without an answer, the shell has used Enter in its editor, for example in a menu of completions. */
const editorEnterMs = 1_000
const bracketedPaste = /\x1b\[200~.*?\x1b\[201~/gs

export class LineEditor {
  readonly #options: LineEditorOptions
  readonly #input: Pick<InputWriter, 'write'>
  readonly #commands: LineEditorParts['commands']
  /** The last Enter, of agents and of persons: the end of the output then, and the time. */
  #entered: { readonly end: Offset; readonly at: Millis } | null = null
  #onMark: () => void = () => {}
  #nonce: string | null | undefined
  #asking: Promise<EditLine | null> | null = null
  #take: ((mark: EditLineMark | null) => void) | null = null
  #reported: EditLineMark | null = null

  constructor({ options, input, commands }: LineEditorParts) {
    this.#options = options
    this.#input = input
    this.#commands = commands
    this.#nonce = options.nonce
  }

  /** The shell was started with an integration that reports its line. */
  get reports(): boolean {
    const { info, pid } = this.#options
    if (!marksPrompts(info.shell)) return false
    if (this.#nonce === undefined) this.#nonce = nonceOf(pid)
    return this.#nonce !== null
  }

  /** Input is written now, and the output ends at `end`. */
  typed(text: string, end: Offset): void {
    if (/[\r\n]/.test(text.replace(bracketedPaste, ''))) this.#entered = { end, at: this.#options.clock.now() }
  }

  /** The shell has answered the last Enter. Before that it may run a command, and the terminal would show the key. */
  get #readsKeys(): boolean {
    const { end, at } = this.#entered ?? { end: -1, at: Number.NEGATIVE_INFINITY }
    const isInEditor = this.#commands.atPrompt && this.#options.clock.now() - at >= editorEnterMs
    return isInEditor || this.#commands.hasInvitedSince(end)
  }

  /** Resolves when the shell has answered the last Enter: true where it reads keys again. */
  async #isBack(): Promise<boolean> {
    const { clock } = this.#options
    while (!this.#readsKeys && this.#commands.atPrompt) {
      const latest = (this.#entered?.at ?? 0) + editorEnterMs
      await new Promise<void>((resolve) => {
        const stop = clock.callAt(latest, resolve)
        this.#onMark = () => {
          stop()
          resolve()
        }
      })
    }
    return this.#readsKeys
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
    if (!this.#readsKeys && !(await this.#isBack())) return null
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
    if (this.reports && this.#readsKeys) this.#press(insertKey).catch(() => undefined)
  }

  #press(keys: string): Promise<unknown> {
    const admit = () => {
      // It waited behind an Escape, and Enter came before it.
      if (!this.#readsKeys) throw new Error('The shell does not read keys.')
    }
    return this.#input.write(Buffer.from(keys), { admit, isUrgent: false, numbered: undefined })
  }

  /** fish has no references to its history. */
  get #hasHistoryKey(): boolean {
    return basename(this.#options.info.shell ?? '') !== 'fish'
  }

  /** The commands have taken the mark. */
  apply(mark: Mark): void {
    this.#onMark()
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
