/**
 * The gate before Enter: the line that a terminal's own shell runs is the line that was judged.
 *
 * A line that was typed plainly and judged beforehand passes immediately. Otherwise the shell's line editor reports the line, and the gate
 * has it judged before it writes Enter. Several lines are written one at a time, each after the shell has taken the one before: a shell
 * that refuses a line, or does not wait for the rest of it, would run the following lines as something else.
 */

import { basename } from 'node:path'
import { type EditLine, plainLine, type TypingGate } from '@agentpty/engine/session'
import type { WriteResult } from '@agentpty/protocol'
import { type CallContext, partlyDone } from '@agentpty/protocol/call'
import type { Typist } from '@agentpty/protocol/session'
import {
  assembleLines,
  type EditorState,
  type EnteredLine,
  emptyEditor,
  type LineEvent,
  mayRun,
} from '@agentpty/shell-policy'
import { Multiplexer } from './multiplexer.ts'
import type { TypedSoFar } from './shell-lines.ts'
import {
  type Answering,
  answered,
  busy,
  isBackInTime,
  isReadByShell,
  isTaken,
  mayRecall,
  ShellPrompt,
  stillBusy,
  unreadable,
} from './shell-reading.ts'
import { AdmittedLines, hasPastedLines, linesIn, oneByOne, withoutPastes } from './typing.ts'

export interface LineGateParts extends Answering {
  /** Judges the line, and records its changes. Resolves when it may be entered: true if the shell waits for the rest. Errors: refusals. */
  readonly judge: (line: EditLine, typist: Typist) => Promise<boolean>
}

type Write<Part> = (part: Part) => Promise<WriteResult>

/** Longest wait from ctrl+c to a new prompt. Some shells show one only if their line was not empty. */
const dropMsMax = 300
/** The next line waits at most this time for the command before it: a line that is typed ahead is echoed, and drawn once more. */
const aheadMs = 200
/** A line is read again before Enter when judging it took longer, as with a person's answer. */
const sameMs = 50
/** A shell that has not answered Enter within this time has used it in its editor. */
const enterMsMax = 1_000
const ctrlC = '\x03'
const written: WriteResult = { result: 'written' }

export class LineGate implements TypingGate {
  readonly #parts: LineGateParts
  #editor: EditorState = emptyEditor
  /** The entered lines of an unfinished command. */
  #pending = ''
  readonly #admitted = new AdmittedLines()
  readonly multiplexer: Multiplexer
  /** Name of the terminal's shell; empty without one. */
  readonly shell: string
  readonly #prompt: ShellPrompt
  /** The shell's line may contain text of others, or of an unknown key. */
  #isStrayed: boolean
  /** Calls whose lines are judged here, because only the shell knows what they enter. */
  readonly #deferred = new WeakSet<CallContext>()
  /** A write in several parts. Other writes wait for its end. */
  #typing: Promise<null> | null = null

  /** @param isFresh - Nothing was typed into the terminal before. */
  constructor(parts: LineGateParts, isFresh: boolean) {
    this.#parts = parts
    this.shell = basename(parts.session.info.shell ?? '')
    this.#isStrayed = !isFresh
    this.#prompt = new ShellPrompt(parts)
    this.multiplexer = new Multiplexer(parts.session, parts.clock)
  }

  /** Typed input that has not run. */
  get typed(): TypedSoFar {
    const isOver = this.isAtPrompt && !this.#parts.session.commands.continues
    return { editor: this.#editor, pending: isOver ? '' : this.#pending }
  }

  get typing(): Promise<null> | null {
    return this.#typing
  }

  get isAtPrompt(): boolean {
    return this.#prompt.isShown
  }

  /** The shell's line may contain text that the gate does not know: fish shows a refused line again at its next prompt. */
  get #holdsText(): boolean {
    return this.#isStrayed || (this.shell === 'fish' && !this.#prompt.hasRun)
  }

  /** Only the shell knows whether its line is empty, and it can report the line. */
  get mustReadLine(): boolean {
    const { commands, keyboard } = this.#parts.session
    return (
      this.#holdsText &&
      !this.#editor.isUncertain &&
      this.isAtPrompt &&
      !commands.continues &&
      keyboard.lineEditor.reports
    )
  }

  /** Input is being typed, or the shell has not answered the last Enter. */
  get isPending(): boolean {
    return this.#typing !== null || this.#prompt.isUnanswered
  }

  /** Resolves when no input is being typed and the shell has answered the last Enter, after at most 1 s. */
  async settled(): Promise<void> {
    while (this.#typing !== null) await this.#typing
    if (this.#prompt.isUnanswered) await this.#prompt.answered(enterMsMax)
  }

  /** Reads from the shell whether its line is empty. The position of the cursor in the line stays unknown. */
  async readLine(): Promise<void> {
    const report = await this.#parts.session.keyboard.lineEditor.report()
    if (report === null || !this.isAtPrompt) return
    this.#editor = { ...emptyEditor, isUncertain: report.line !== '' }
    this.#isStrayed = false
    this.#prompt.isRead()
  }

  /** Only the shell knows the line that these keys produce. */
  isUnknown(events: readonly LineEvent[]): boolean {
    return events.some((event, index) => {
      if (event.kind !== 'entered') return event.kind === 'acted' || event.kind === 'ended'
      return (
        event.isUncertain ||
        (index === 0 && this.#holdsText) ||
        mayRecall(this.shell, event.text) ||
        event.text.includes('\n')
      )
    })
  }

  /** Records judged lines that will be typed. `isConfirmed`: see `judgeWrite`. */
  admit(lines: readonly EnteredLine[], isConfirmed: boolean): void {
    this.#admitted.add(lines.map((line) => ({ ...line, isConfirmed })))
  }

  /** Judges the lines of this call here, before Enter. */
  defer(context: CallContext): void {
    this.#deferred.add(context)
  }

  personTyped(bytes: Uint8Array): void {
    const hasEntered = bytes.at(-1) === 0x0d
    this.#editor = { ...emptyEditor, isUncertain: !hasEntered }
    this.#isStrayed = true
    this.multiplexer.personTyped()
  }

  async type(bytes: Uint8Array, typist: Typist, write: Write<Uint8Array>): Promise<WriteResult> {
    if (this.#typing !== null) return this.#typing.then(() => this.type(bytes, typist, write))
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
    const writeText: Write<string> = (part) => write(Buffer.from(part))
    const isDeferred = this.#deferred.delete(typist.permit.context)
    if (!this.isAtPrompt && (isDeferred || this.#admitted.needsReport(linesIn(text), this)))
      return this.#begin(() => this.#typeWhenBack(text, typist, writeText))
    if (!this.isAtPrompt || !this.#parts.session.keyboard.lineEditor.reports) return this.#typeAhead(text, writeText)
    const keys = oneByOne(text, this.#parts.session.modes)
    const { events, editor } = assembleLines(keys, this.#editor)
    const [event] = events
    if (
      (event === undefined && keys === text && !(this.#editor.isUncertain && hasPastedLines(keys))) ||
      (events.length === 1 && event?.to === keys.length && this.#isSure(event))
    ) {
      if (event !== undefined) this.#follow(event)
      this.#editor = editor
      return write(bytes)
    }
    return this.#begin(() => this.#typeParts(keys, typist, writeText))
  }

  #begin(type: () => Promise<WriteResult>): Promise<WriteResult> {
    const typing = type()
    const over = () => {
      this.#typing = null
      return null
    }
    this.#typing = typing.then(over, over)
    return typing
  }

  /** Waits for the prompt, and judges the lines there. Errors: `shell_busy` if no prompt comes; then nothing is typed. */
  async #typeWhenBack(text: string, typist: Typist, write: Write<string>): Promise<WriteResult> {
    await this.#prompt.answered()
    if (!this.isAtPrompt) throw busy(this.#parts.session)
    return this.#typeParts(oneByOne(text, this.#parts.session.modes), typist, write)
  }

  /** Types input that a program reads, or the shell later. It was judged as lines of the shell. */
  #typeAhead(text: string, write: Write<string>): Promise<WriteResult> {
    const { modes } = this.#parts.session
    const lines = this.multiplexer.type(withoutPastes(text, modes), this.typed)
    const { events, editor } = assembleLines(lines, this.#editor)
    for (const event of events) this.#follow(event)
    this.#editor = editor
    this.#isStrayed = true
    return write(text)
  }

  /** The line was judged, and the shell reads it as the judge did. */
  #isSure(event: LineEvent): boolean {
    if (event.kind !== 'entered' || this.isUnknown([event])) return event.kind === 'dropped'
    const admitted = this.#admitted.find(event.text)
    return admitted !== undefined && !isReadByShell(admitted, this)
  }

  #enters(text: string, isOpen: boolean, isUncertain = false): void {
    const { pending } = this.typed
    // zsh and fish report the earlier lines of the command as well.
    const isWhole = pending === '' || text.startsWith(`${pending}\n`)
    this.#pending = !isOpen ? '' : isWhole ? text : `${pending}\n${text}`
    this.#prompt.entered()
    // A line that a key has pushed away appears at the next prompt.
    this.#isStrayed = isUncertain
  }

  #follow(event: LineEvent): void {
    if (event.kind === 'entered') this.#enters(event.text, this.#admitted.take(event.text)?.isOpen === true)
    if (event.kind === 'dropped') this.#drops()
  }

  /** The interrupt may end another action of the shell and leave its line, so the line must be read. */
  #drops(): void {
    this.#pending = ''
    this.#isStrayed = true
  }

  /** Types the text in parts, each up to a key that may run something. */
  async #typeParts(text: string, typist: Typist, write: Write<string>): Promise<WriteResult> {
    const { session } = this.#parts
    const finish = session.holdInput()
    let result = written
    let hasEntered = false
    try {
      for (let rest = text; rest !== ''; ) {
        if (!(await isBackInTime(this.#parts, this, aheadMs))) {
          // A program reads it, or the shell later. Neither may have switched bracketed paste on.
          const plain = oneByOne(rest, session.modes)
          if (this.#isJudged(plain)) return await this.#typeAhead(plain, write)
          if (!(await isBackInTime(this.#parts, this))) throw stillBusy(session, rest)
        }
        // Read before Enter: after it, the shell may wait for the rest of another command.
        this.#pending = this.typed.pending
        const { events, editor } = assembleLines(rest, this.#editor)
        const [event] = events
        const body = rest.slice(0, event?.from)
        if (this.#editor.isUncertain && hasPastedLines(body) && (await session.keyboard.lineEditor.report()) === null)
          throw unreadable(session)
        if (body !== '') result = await write(body)
        if (event === undefined) {
          this.#editor = editor
          return result
        }
        const key = rest.slice(event.from, event.to)
        rest = rest.slice(event.to)
        const entered = await this.#admitKey(event, key, typist).catch(async (error: unknown) => {
          // The caller repeats the whole call, so its own text is removed. Earlier text stays for a person to see.
          if (body !== '') await this.#drop(write)
          throw hasEntered && 'text' in event ? partlyDone(error, event.text) : error
        })
        const before = session.log.end
        if (event.kind === 'dropped') this.#drops()
        // ctrl+d ends fish only if its whole command line is empty.
        const stays = event.kind === 'acted' || (event.kind === 'ended' && this.shell === 'fish')
        this.#editor = stays
          ? { ...emptyEditor, line: 'text' in event ? event.text : '', isUncertain: true }
          : emptyEditor
        // Before the write: no other call may take this prompt for its own meanwhile.
        if (!stays && event.kind !== 'dropped')
          this.#enters(entered.text, entered.isOpen, 'isUncertain' in event && event.isUncertain)
        result = await write(key)
        if (stays || event.kind === 'dropped') continue
        hasEntered = true
        if (rest !== '' && event.kind === 'entered' && !(await isTaken(this.#parts, before, entered))) {
          for (const line of linesIn(rest)) this.#admitted.take(line)
          return { result: 'refused', line: event.text }
        }
      }
      return result
    } finally {
      finish()
      session.recheckSoon()
    }
  }

  /** All lines that the text enters are known, and were judged beforehand. */
  #isJudged(text: string): boolean {
    return assembleLines(text, this.#editor).events.every((event) => {
      if (event.kind === 'dropped') return true
      if (event.kind === 'ended') return this.typed.pending === ''
      if (event.kind !== 'entered' || this.isUnknown([event])) return false
      const isKnown = event.text.trim() === '' || this.#admitted.find(event.text) !== undefined
      return isKnown && !this.#admitted.needsReport([event.text], this)
    })
  }

  /** Resolves when the key may be pressed, to the line that it enters. `isOpen`: the shell will wait for the rest of the command. */
  async #admitKey(event: LineEvent, key: string, typist: Typist): Promise<EnteredLine> {
    const { session, judge, clock } = this.#parts
    const nothing = { text: '', isOpen: false }
    if (event.kind === 'dropped') return nothing
    if (event.kind === 'ended') {
      // ctrl+d ends the shell, or an unfinished command, which then runs.
      const line = this.shell === 'bash' ? '' : this.typed.pending
      if (session.commands.continues) await judge({ line, wouldRun: true, program: null }, typist)
      return nothing
    }
    const isKnown = event.kind === 'entered' && !this.isUnknown([event])
    const admitted = isKnown ? this.#admitted.take(event.text) : null
    const isRead = !isKnown || isReadByShell(admitted ?? { text: event.text, isOpen: true }, this)
    if (admitted !== null && !isRead) return admitted
    for (;;) {
      const report = isRead
        ? await session.keyboard.lineEditor.report({ expandsHistory: !isKnown })
        : plainLine(event.text)
      // A known line that is too long for a report: only the shell's reading of it is unknown.
      const line = report ?? (isKnown ? { ...plainLine(event.text), wouldRun: true } : null)
      if (line === null) throw unreadable(session)
      const { line: text, wouldRun } = line
      if (admitted?.isOpen && wouldRun === false) return { text, isOpen: true }
      if (text.trim() === '' && !session.commands.continues) return nothing
      if (event.kind === 'acted' && !mayRun(key, text)) return nothing
      const asked = clock.now()
      const isOpen = await judge(event.kind === 'acted' ? { ...line, wouldRun: true } : line, typist)
      if (!isRead || clock.now() - asked < sameMs) return { text, isOpen }
      const now = await session.keyboard.lineEditor.report()
      if (now?.line === text) return { text, isOpen }
    }
  }

  /** Removes a line that may not run from the prompt. */
  async #drop(write: Write<string>): Promise<void> {
    const before = this.#parts.session.log.end
    this.#editor = emptyEditor
    this.#drops()
    await write(ctrlC)
    await answered(this.#parts, before, dropMsMax)
  }
}
