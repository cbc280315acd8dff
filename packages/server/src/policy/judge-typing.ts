/** Judges the input that a call would type into a terminal, by the program that reads it. */

import type { EditLine, Session } from '@agentpty/engine/session'
import type { Clock, Offset } from '@agentpty/protocol'
import { approvalKeptMs } from '@agentpty/protocol/approvals'
import type { CallContext } from '@agentpty/protocol/call'
import type { PolicyVerdict } from '@agentpty/protocol/policy'
import type { Typist } from '@agentpty/protocol/session'
import {
  assembleLines,
  type Code,
  type Judgement,
  judgementOf,
  noTouches,
  nothingFound,
  type PolicyRules,
  profileOf,
  type Situation,
  strictest,
  typingOf,
} from '@agentpty/shell-policy'
import { folderOfProcess, type JudgedCall, keepingGate, surroundingsOf } from './judge-start.ts'
import { LineGate } from './line-gate.ts'
import { nothingTyped, type RanLine, ShellLines, type TypedSoFar, textOf } from './shell-lines.ts'
import { type Reader, readerOf, shellNamed } from './shell-reading.ts'
import { afterLeaving, oneByOne, withoutPastes } from './typing.ts'

export interface TerminalJudgeOptions {
  readonly session: Session
  /** Context of the caller that opened the terminal. */
  readonly context: CallContext
  /** Commands before this offset ran, and were judged, under an earlier server. */
  readonly since: Offset
  /** Called when the shell has run a line that was not judged. */
  readonly unjudged: (line: string, ran: RanUnjudged) => void
  readonly clock: Clock
  /** Decides about a line that was judged as it was about to be entered. Errors: those of a refusal. */
  readonly settle: (judged: JudgedCall, context: CallContext) => void | Promise<void>
  /** The rules that apply in these folders together. */
  readonly rulesIn: () => PolicyRules
  /** Gates that ask keep what is taken away in the workspace. */
  readonly keepsFiles: boolean
  /** Nothing was typed into it before. */
  readonly isFresh: boolean
}

export interface RanUnjudged extends RanLine {
  /** A person has typed in this terminal. Their lines are not judged. */
  readonly isByPerson: boolean
}

/** The policy's knowledge of one terminal. Concurrent questions are answered in their order. */
export class TerminalJudge {
  readonly #options: TerminalJudgeOptions
  readonly #shells = new Map<string, ShellLines>()
  readonly #gate: LineGate
  #last: Promise<unknown> | null = null
  #hasPerson = false
  /** Last known working folder of its first program; null where the system does not report it. */
  #folder: string | null = null

  constructor(options: TerminalJudgeOptions) {
    this.#options = options
    const { session, clock, isFresh } = options
    this.#gate = new LineGate({ session, clock, judge: (line, typist) => this.#judgeEntered(line, typist) }, isFresh)
    session.keyboard.passThrough(this.#gate)
  }

  /** Working folder of its first program. */
  folder(): string {
    const { session } = this.#options
    this.#folder = folderOfProcess(session.pid)
    return this.#folder ?? session.commands.cwd ?? session.info.cwd
  }

  /** Immediate at a marked prompt without an open question. Call `folder` first. Null: only the shell knows the line, judged at Enter. */
  judge(keys: Keys, rules: PolicyRules, context: CallContext): JudgedCall | null | Promise<JudgedCall | null> {
    if (this.#last === null && !this.#gate.isPending && !this.#gate.mustReadLine) {
      const reader = readerOf(this.#options.session)
      if (!(reader instanceof Promise)) return this.#judgeFor(reader, keys, rules, context)
    }
    const judging = (this.#last ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => this.#look(keys, rules, context))
    this.#last = judging
    // The caller of `judge` gets the error.
    const done = () => {
      if (this.#last === judging) this.#last = null
    }
    judging.then(done, done)
    return judging
  }

  /** Judges a message. Only agents get messages, so the reader counts as an agent. */
  judgeMessage(text: string, rules: PolicyRules): JudgedCall {
    const agent = { kind: 'program', typingKind: 'agent', name: 'agent' } as const
    return this.#call(agent, judgementOfTyping(agent, rules), text, rules)
  }

  /** A person has typed. Their lines are not judged. */
  personTyped(): void {
    this.#hasPerson = true
  }

  /** Follows the commands that the shell has reported since the last call. */
  look(rules: PolicyRules): void {
    const { info, commands } = this.#options.session
    const { shell } = info
    const lines = this.#shells.get('own')
    const newest = commands.current ?? commands.commands.at(-1)
    // Some shells report the start of a command without its line.
    if (shell === null || lines === undefined || newest === undefined || newest.line === null) return
    this.#follow(lines, { profile: profileOf(rules), shell: shellNamed(shell), rules })
  }

  async #look(keys: Keys, rules: PolicyRules, context: CallContext): Promise<JudgedCall | null> {
    await this.#gate.settled()
    if (this.#gate.mustReadLine) await this.#gate.readLine()
    const reader = await readerOf(this.#options.session)
    this.folder()
    return this.#judgeFor(reader, keys, rules, context)
  }

  #judgeFor(reader: Reader, keys: Keys, rules: PolicyRules, context: CallContext): JudgedCall | null {
    const { text } = keys
    if (reader.kind === 'shell') return this.#judgeKeys(reader, keys, rules, context)
    // After the input that ends the program, the shell reads the rest.
    const bare = oneByOne(text, { bracketedPaste: false })
    const rest = reader.kind === 'secret' ? afterFirstLine(bare) : afterLeaving(bare)
    const behind = this.#options.session.info.shell === null ? null : rest
    const intoProgram = reader.kind === 'secret' ? noObjection(rules) : judgementOfTyping(reader, rules)
    const isSecret = reader.kind === 'secret'
    if (behind === null) return { ...this.#call(reader, intoProgram, isSecret ? '' : text, rules), isSecret }
    const shell = this.#judgeLines(ownShell(this.#options.session), behind, rules, { typed: nothingTyped })
    return { ...shell, isSecret, judgement: strictest(intoProgram, shell.judgement) }
  }

  #judgeKeys(reader: ShellReader, { text, onEmptyLine }: Keys, rules: PolicyRules, context: CallContext) {
    const typed = onEmptyLine ? nothingTyped : this.#gate.typed
    const { modes } = this.#options.session
    const keys = oneByOne(text, modes)
    if (reader.place !== 'own' || !this.#gate.isAtPrompt || !this.#options.session.keyboard.lineEditor.reports)
      return this.#judgeLines(reader, this.#gate.multiplexer.keysBehind(withoutPastes(text, modes), typed), rules, {
        typed,
      })
    const judged = this.#judgeLines(reader, keys, rules, { typed, isConfirmed: true })
    if (!this.#gate.isUnknown(assembleLines(keys, typed.editor).events)) return judged
    const isOfKeys = judged.judgement.rule === 'unresolved' || judged.judgement.rule === 'unparsed'
    if (judged.judgement.verdict !== 'allow' && !isOfKeys) return judged
    // The lines of it that are known need not be judged again.
    if (judged.judgement.verdict === 'allow') judged.allowed()
    this.#gate.defer(context)
    return null
  }

  #judgeLines(reader: ShellReader, text: string, rules: PolicyRules, { typed, isConfirmed = false }: Before) {
    const lines = this.#linesOf(reader)
    const situation = this.#situationOf(reader, rules)
    if (reader.place === 'own') this.#follow(lines, situation)
    const judged = lines.judge(text, typed, isConfirmed, situation)
    const call = this.#call(reader, judged.judgement, textOf(judged.lines) || text, rules)
    const allowed = () => {
      judged.allowed()
      if (reader.place === 'own') this.#gate.admit(judged.lines, isConfirmed)
    }
    return { ...call, touches: judged.touches, allowed }
  }

  /** Errors: those of a refusal. */
  async #judgeEntered(line: EditLine, { permit }: Typist): Promise<boolean> {
    const { session, settle, rulesIn } = this.#options
    this.folder()
    const reader = ownShell(session)
    const lines = this.#linesOf(reader)
    const rules = rulesIn()
    const situation = this.#situationOf(reader, rules)
    this.#follow(lines, situation)
    // zsh and fish report the earlier lines of the command as well.
    const pending = reader.shell === 'bash' ? this.#gate.typed.pending : ''
    const judged = lines.judgeAtPrompt(line, pending, situation)
    const call = this.#call(reader, judged.judgement, line.line, rules)
    await settle({ ...call, touches: judged.touches, allowed: judged.allowed }, permit.context)
    return judged.lines.some(({ isOpen }) => isOpen)
  }

  #situationOf({ shell, place }: ShellReader, rules: PolicyRules): Situation {
    const { session, keepsFiles } = this.#options
    // A shell inside another one may be in a container, and a program that is busy may hand what it reads to another machine.
    const isHere = place === 'own' && session.commands.atPrompt
    const isGated = isHere && keepsFiles && session.info.gate.state === 'ask'
    return { profile: profileOf(rules), shell, rules, ...(isGated ? { gate: keepingGate } : {}) }
  }

  #follow(lines: ShellLines, situation: Situation): void {
    const { commands } = this.#options.session
    lines.follow(commands, situation)
    if (commands.atPrompt) lines.isAt(this.#folder)
  }

  /** The folder of a remote shell is known only by its own reports. */
  #folderOf(reader: Reader): string {
    const { session } = this.#options
    const { commands, info, program } = session
    const own = this.#folder ?? commands.cwd ?? info.cwd
    if (reader.kind === 'shell' && reader.place === 'own') return own
    if (reader.kind === 'shell' && reader.place === 'far') return commands.cwd ?? info.cwd
    return folderOfProcess(program.foreground.group) ?? own
  }

  #call(reader: Reader, judgement: Judgement, text: string, rules: PolicyRules): JudgedCall {
    const cwd = this.#folderOf(reader)
    const approvalMs = rules.approvalTimeoutMs?.value ?? approvalKeptMs
    const { profile } = rules
    const rest = { isSecret: false, cwd, profile, approvalMs }
    return { judgement, action: 'type', text, ...rest, touches: () => noTouches, allowed: () => {} }
  }

  #unjudged(line: string, ran: RanLine): void {
    const { since, unjudged } = this.#options
    if (ran.offset >= since) unjudged(line, { ...ran, isByPerson: this.#hasPerson })
  }

  #linesOf({ place, shell }: ShellReader): ShellLines {
    const { session, context } = this.#options
    const key = place === 'own' ? 'own' : `${place} ${shell} ${session.program.foreground.group}`
    const known = this.#shells.get(key)
    if (known !== undefined) return known
    const env = { ...context.env, ...(place === 'far' ? farHome : {}) }
    const unjudged = (line: string, ran: RanLine) => this.#unjudged(line, ran)
    const isFar = place === 'far'
    const around = surroundingsOf(isFar ? farHome.HOME : session.info.cwd, env, isFar ? null : session.info.sandbox)
    const lines = new ShellLines(around, unjudged)
    this.#shells.set(key, lines)
    if (this.#shells.size > shellsMax) this.#shells.delete([...this.#shells.keys()].find((one) => one !== 'own') ?? key)
    return lines
  }
}

export interface Keys {
  readonly text: string
  /** The keys are typed only if the line at the prompt is empty. */
  readonly onEmptyLine: boolean
}

/** The input before the keys, and `isConfirmed` as in `judgeWrite`. */
interface Before {
  readonly typed: TypedSoFar
  readonly isConfirmed?: boolean
}

type ShellReader = Extract<Reader, { readonly kind: 'shell' }>

/** Known shells inside one terminal. The oldest is forgotten; when it returns, it is judged as a new one. */
const shellsMax = 16

/** The folder of a remote shell is not known; most start in the home folder. */
const farHome = { HOME: '/home/remote', USER: 'remote' } as const

function ownShell({ info }: Session): ShellReader {
  const reader = { kind: 'shell', place: 'own' } as const
  return { ...reader, shell: shellNamed(info.shell ?? 'sh') }
}

const codes: Readonly<Record<PolicyVerdict, Code>> = { allow: 'A', ask: 'Q2', deny: 'D1' }

/** The permission for its kind, as a judgement. */
function judgementOfTyping({ typingKind, name }: ProgramReader, rules: PolicyRules): Judgement {
  const { verdict, source } = typingOf(rules, typingKind)
  const code = codes[verdict]
  const judgement = judgementOf({ code, rule: 'typing', resolved: name }, 'standard')
  return { ...judgement, verdict, resolved: name, source }
}

type ProgramReader = Extract<Reader, { readonly kind: 'program' }>

const noObjection = (rules: PolicyRules): Judgement => judgementOf(nothingFound, profileOf(rules))

function afterFirstLine(text: string): string | null {
  const end = text.search(/[\r\n]/)
  const rest = end < 0 ? '' : text.slice(end + 1)
  return rest.trim() === '' ? null : rest
}
