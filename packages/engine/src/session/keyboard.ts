/**
 * The keyboard of one terminal: the only way for typed input to reach the program. Permission is decided in the same step that
 * sends the bytes: no input of an agent is sent once a person has taken the terminal over.
 */

import type { Clock, Millis, NumberedInput, Offset, Pty, Stop, WriteResult } from '@agentpty/protocol'
import { type Lease, type SessionInfo, type Typist, unsubmittedCharactersMax } from '@agentpty/protocol/session'
import type { InputWriter } from './input-writer.ts'
import { LineEditor, type LineEditorOptions, type LineEditorParts } from './line-editor.ts'
import { leaseRefusal, RunLock } from './run-lock.ts'

export interface KeyboardParts {
  readonly options: LineEditorOptions
  readonly clock: Clock
  readonly pty: Pick<Pty, 'dropInput'>
  readonly input: InputWriter
  readonly session: Pick<LineEditorParts, 'commands'> & {
    readonly info: SessionInfo
    readonly log: { readonly end: Offset }
  }
  /** Errors: `session_exited`. */
  readonly assertAlive: () => void
  /** Something was typed. */
  readonly typed: (bytes: Uint8Array) => void
  /** Whether the program seems to ask for a password. */
  readonly asksPassword: () => boolean
  /** Whether the last input may have been shown. */
  readonly hasEchoed: () => boolean
}

/** The last guard of a terminal, for all input of agents: it writes the input with `write`, in one or more parts, or refuses it. */
export interface TypingGate {
  type(bytes: Uint8Array, typist: Typist, write: (part: Uint8Array) => Promise<WriteResult>): Promise<WriteResult>
  /** Pending while the gate decides about a write; resolves to null afterwards. */
  readonly typing: Promise<null> | null
  /** A person has typed. */
  personTyped(bytes: Uint8Array): void
}

/** Ctrl+C, ctrl+Z and ctrl+\\: a person stops a program whatever else is on its way. */
const interrupts: ReadonlySet<number | undefined> = new Set([0x03, 0x1a, 0x1c])
/** The time after a person's key during which an agent waits. */
const typingMs = 1_000

export class Keyboard {
  readonly runLock: RunLock
  readonly #parts: KeyboardParts
  readonly lineEditor: LineEditor
  /** The text that agents have typed since the last Enter. */
  #unsubmitted = ''
  /** Agents may have written since the last `dropUnread`, also through an earlier engine. */
  #isOpen = true
  /** Null where no input is judged. */
  #gate: TypingGate | null = null
  readonly #recorders = new Set<(bytes: Uint8Array) => void>()
  readonly #listeners = new Set<(bytes: Uint8Array, typist: Typist) => void>()
  #typedTo: Offset | null = null
  #isMidLine = false
  /** When a person pressed the last key of a line that is not entered. */
  #personTypedAt: Millis | null = null

  constructor(parts: KeyboardParts) {
    this.#parts = parts
    this.lineEditor = new LineEditor({ options: parts.options, input: parts.input, commands: parts.session.commands })
    this.runLock = new RunLock(parts.clock)
  }

  get lease(): Lease {
    return this.#parts.session.info.lease
  }

  /** The newest characters that agents have typed and not entered. */
  get unsubmitted(): string {
    return this.#unsubmitted
  }

  /** The earliest time at which a person may have finished typing; in the past when no person types. */
  get personTypesUntil(): Millis {
    return (this.#personTypedAt ?? Number.NEGATIVE_INFINITY) + typingMs
  }

  /** See {@link TypingGate.typing}. */
  get gating(): Promise<null> | null {
    return this.#gate?.typing ?? null
  }

  /** Sends all further input of agents through the gate. */
  passThrough(gate: TypingGate): void {
    this.#gate = gate
  }

  /** End of the output when input was typed last; null when none was typed since this engine has the session. */
  get typedTo(): Offset | null {
    return this.#typedTo
  }

  /** Keys were pressed since the last Enter, ctrl+c, ctrl+d or ctrl+u. */
  get isMidLine(): boolean {
    return this.#isMidLine
  }

  /** Calls for all that has been typed and is shown, and never for a secret; returns a function that stops it. */
  onRecordable(record: (bytes: Uint8Array) => void): Stop {
    this.#recorders.add(record)
    return () => void this.#recorders.delete(record)
  }

  /** Calls `listen` in the step in which any input goes to the program; returns a function that stops it. */
  onTyped(listen: (bytes: Uint8Array, typist: Typist) => void): Stop {
    this.#listeners.add(listen)
    return () => void this.#listeners.delete(listen)
  }

  /** Writes like {@link writeSecret}, and may record the bytes. Errors: as there. */
  async write(bytes: Uint8Array, typist: Typist, numbered?: NumberedInput): Promise<WriteResult> {
    const { asksPassword, hasEchoed } = this.#parts
    const mayShow = this.#recorders.size > 0 && !asksPassword()
    const written = await this.writeSecret(bytes, typist, numbered)
    if (mayShow && hasEchoed()) for (const record of this.#recorders) record(bytes)
    return written
  }

  /** Errors: `session_exited`, `input_full`, `line_too_long`, `person_types`. */
  async writeSecret(bytes: Uint8Array, typist: Typist, numbered?: NumberedInput): Promise<WriteResult> {
    this.#parts.assertAlive()
    if (typist.isPerson) this.#gate?.personTyped(bytes)
    else if (this.#gate !== null) {
      this.assertMayType(typist)
      return this.#gate.type(bytes, typist, (part) => this.#write(part, typist, numbered))
    }
    return this.#write(bytes, typist, numbered)
  }

  async #write(bytes: Uint8Array, typist: Typist, numbered?: NumberedInput): Promise<WriteResult> {
    const { input, typed } = this.#parts
    const isInterrupt = typist.isPerson && bytes.length === 1 && interrupts.has(bytes[0])
    const admit = () => {
      if (!isInterrupt) this.assertMayType(typist)
      this.#note(bytes, typist)
    }
    if (!isInterrupt) this.assertMayType(typist)
    const writing = input.write(bytes, { admit, isUrgent: isInterrupt, numbered })
    typed(bytes)
    return writing
  }

  /** Errors: `person_types`. */
  assertMayType(typist: Pick<Typist, 'isPerson' | 'epoch'>): void {
    if (this.isKeptOut(typist)) throw leaseRefusal(this.#parts.session.info, typist.isPerson)
  }

  /** The lease keeps the typist from typing. */
  isKeptOut({ isPerson, epoch }: Pick<Typist, 'isPerson' | 'epoch'>): boolean {
    const { lease } = this
    return isPerson ? lease.mayType === 'agent' : lease.mayType === 'person' || lease.epoch !== epoch
  }

  /** Drops earlier input that the program has not read. Returns the number of bytes dropped, those of persons included. */
  async dropUnread(): Promise<number> {
    if (!this.#isOpen) return 0
    this.#isOpen = false
    return this.#parts.pty.dropInput()
  }

  /** Notes that the text of agents that was not entered is gone from the line. */
  forget(): void {
    this.#unsubmitted = ''
  }

  #note(bytes: Uint8Array, typist: Typist): void {
    const { isPerson } = typist
    this.#typedTo = this.#parts.session.log.end
    for (const listen of this.#listeners) listen(bytes, typist)
    const text = Buffer.from(bytes).toString('utf8')
    this.lineEditor.typed(text, this.#typedTo)
    const entered = Math.max(...ends.map((end) => text.lastIndexOf(end)))
    this.#isMidLine = entered !== text.length - 1
    if (isPerson) {
      this.#personTypedAt = entered === text.length - 1 ? null : this.#parts.clock.now()
      // The line is the person's from now on.
      this.#unsubmitted = ''
      return
    }
    this.#isOpen = true
    const open = text.slice(entered + 1).replace(noText, '')
    this.#unsubmitted = `${entered < 0 ? this.#unsubmitted : ''}${open}`.slice(-unsubmittedCharactersMax)
  }
}

/** Keys that are sequences, and control characters. */
const noText = /\x1b(?:\[[0-9;?<>=]*[ -/]*[@-~]|O.|.)|[\x00-\x1f\x7f]/gs
/** Enter, and the keys that discard a line. */
const ends = ['\r', '\n', '\x03', '\x04', '\x15']
