/**
 * The judge: what a shell line would run, before it runs. A pure function: a line and what is known go in, a judgement and what is known
 * afterwards come out.
 *
 * Lines may arrive as text or as the keys of a terminal. What cannot be resolved where it decides is "ask", never "allow".
 */

import type { PolicyShell } from '@agentpty/protocol/policy'
import { fishToBash } from './lex/fish.ts'
import { assembleLines, type EditorState, emptyEditor, expandHistory } from './lex/line-assembler.ts'
import { asRead, hasOddCharacters } from './lex/odd-characters.ts'
import { zshToBash } from './lex/zsh.ts'
import { onlyReads } from './programs/read-only.ts'
import { runWindowsLine } from './programs/windows-shells.ts'
import type { PolicyRules } from './rules/policy-rules.ts'
import { type Checks, type RuleCheck, ruleCheck } from './rules/rule-check.ts'
import { copyState, type GateView, initialState, type PolicyState, type Surroundings } from './state/policy-state.ts'
import { type Finding, type Judgement, judgementOf, nothingFound, type ProfileName, strictest } from './verdict.ts'
import { Evaluation } from './walk/evaluation.ts'
import { arg } from './walk/value.ts'

export interface Situation {
  readonly profile: ProfileName
  readonly shell: PolicyShell
  /** Rules of persons and repositories. They do not change the profile above. */
  readonly rules?: PolicyRules
  /** The gate of the terminal; absent without one that asks and keeps. */
  readonly gate?: GateView
}

export interface PolicySession {
  readonly state: PolicyState
  readonly editor: EditorState
  readonly pending: string
}

export function newSession(surroundings: Surroundings): PolicySession {
  return { state: initialState(surroundings), editor: emptyEditor, pending: '' }
}

export interface Judged {
  readonly judgement: Judgement
  readonly session: PolicySession
}

/**
 * Judges one submitted text; it may hold several lines.
 *
 * @example judge('rm -rf build', newSession(surroundings), { profile: 'standard', shell: 'bash' }).judgement.verdict // 'ask'
 */
export function judge(text: string, session: PolicySession, situation: Situation): Judged {
  const bare = text.replaceAll('\x1b[200~', '').replaceAll('\x1b[201~', '')
  if (!control.test(bare)) {
    const line = judgeLine(bare.replace(/\r\n?/g, '\n'), session.state, situation)
    return { judgement: judgementOf(line.finding, situation.profile), session: { ...session, state: line.state } }
  }
  // The text holds keys: the line that plain keys make of it is judged, and the text without the keys as well.
  const lines = assembleLines(`${text}\n`, emptyEditor).events.flatMap((event) => ('text' in event ? [event.text] : []))
  const edited = judgeLine(lines.join('\n'), session.state, situation)
  const stripped = judgeLine(bare.replace(controls, ''), session.state, situation)
  const odd: Finding = { code: 'Q2', rule: 'obfuscated-text', resolved: edited.finding.resolved }
  const finding = [odd, edited.finding, stripped.finding].reduce(strictest)
  return { judgement: judgementOf(finding, situation.profile), session: { ...session, state: edited.state } }
}

/** Control characters other than line ends and tabs. */
const control = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g

export interface EnteredLine {
  readonly text: string
  /** The shell must wait for the rest of it; if it does not, it reads it differently. */
  readonly isOpen: boolean
}

export interface JudgedWrite extends Judged {
  readonly lines: readonly EnteredLine[]
}

/**
 * Judges typed input by the strictest finding of all that the shell could run.
 *
 * @param isConfirmed - The shell has reported that it waits for the rest of an unfinished command. Otherwise each line is also judged alone,
 * because a shell that refuses the first line runs the others, and an unfinished command needs approval.
 */
export function judgeWrite(
  input: string,
  session: PolicySession,
  situation: Situation,
  { isConfirmed = true } = {},
): JudgedWrite {
  const { events, editor } = assembleLines(input, session.editor)
  let finding = nothingFound
  let state = session.state
  let pending = session.pending
  const lines: EnteredLine[] = []
  for (const event of events) {
    const text = 'text' in event ? event.text : ''
    const whole = pending === '' || event.kind === 'ended' ? `${pending}${text}` : `${pending}\n${text}`
    if (event.kind === 'dropped') pending = ''
    const isUncertain = 'text' in event && event.isUncertain
    if (event.kind === 'dropped' || (whole === '' && !isUncertain)) continue
    // Most keys run nothing of an unknown line.
    if (event.kind === 'acted' && whole === '' && !submits.test(input.slice(event.from, event.to))) continue
    if (isUncertain) finding = strictest(finding, { code: 'Q2', rule: 'unresolved', resolved: text || unknownLine })
    const judged = judgeLine(whole, state, situation)
    const isOpen = judged.finding.rule === 'unparsed' && !isUncertain && event.kind === 'entered'
    if (!isOpen) finding = strictest(finding, judged.finding)
    if (event.kind === 'acted') continue
    if (!isConfirmed && whole.includes('\n') && !isOpen)
      finding = strictest(finding, judgeEach(whole, state, situation))
    // An unfinished line is judged with the lines that finish it.
    pending = isOpen ? whole : ''
    state = isOpen ? state : judged.state
    lines.push({ text, isOpen })
  }
  if (!isConfirmed && pending !== '') finding = strictest(finding, judgeUnfinished(pending, state, situation))
  return { judgement: judgementOf(finding, situation.profile), session: { state, editor, pending }, lines }
}

/** The line that a shell says it has at its prompt. */
export interface LineAtPrompt {
  readonly line: string
  /** Enter would run it; null where the shell does not know. */
  readonly wouldRun: boolean | null
  /** The program as the shell parsed it, without comments; null where the shell does not report it. */
  readonly program: string | null
}

/** Judges a line that is about to be entered. A line that the shell will run is judged as complete. */
export function judgeAtPrompt(
  { line, wouldRun, program }: LineAtPrompt,
  session: PolicySession,
  situation: Situation,
): JudgedWrite {
  const { state, pending } = session
  const whole = pending === '' ? line : `${pending}\n${line}`
  let judged = judgeLine(whole, state, situation)
  const isUnparsed = judged.finding.rule === 'unparsed'
  // zsh takes the end of the text for that of a here-document, for which it will wait.
  // When bash cannot read a text of several lines, it still runs the first ones.
  const mayWait = wouldRun === null ? !line.includes('\n') : whole.includes('<<')
  const isOpen = wouldRun === false || (isUnparsed && mayWait)
  let { finding } = judged
  // The program as the shell parsed it.
  if (wouldRun === true && program !== null) {
    const read = judgeLine(program, state, situation)
    finding = isUnparsed ? read.finding : strictest(finding, read.finding)
    judged = isUnparsed ? read : judged
  }
  if (isOpen && wouldRun !== true) finding = nothingFound
  // The shell could not expand it before Enter, and expands it behind Enter.
  if (refersToHistory(whole, situation))
    finding = strictest(finding, { code: 'Q2', rule: 'unresolved', resolved: line })
  // bash reads the lines of a paste one by one, and runs those behind one that it refuses, or that alt+# makes a comment.
  if (situation.shell === 'bash' && line.includes('\n'))
    finding = strictest(finding, judgeEach(whole, state, situation))
  return {
    judgement: judgementOf(finding, situation.profile),
    session: { state: isOpen ? state : judged.state, editor: emptyEditor, pending: isOpen ? whole : '' },
    lines: [{ text: line, isOpen }],
  }
}

/** Judges a stream of writes to one terminal, from beginning to end. */
export function judgeWrites(writes: readonly string[], session: PolicySession, situation: Situation): Judged {
  let [all, now]: [Judgement, PolicySession] = [judgementOf(nothingFound, situation.profile), session]
  for (const write of writes) {
    const { judgement, session: next } = judgeWrite(write, now, situation)
    all = strictest(all, judgement)
    now = next
  }
  if (now.pending === '') return { judgement: all, session: now }
  const unfinished = judgementOf(judgeUnfinished(now.pending, now.state, situation), situation.profile)
  return { judgement: strictest(all, unfinished), session: { ...now, pending: '' } }
}

/** Judges an unfinished command: as a whole, and each of its lines alone. */
function judgeUnfinished(pending: string, state: PolicyState, situation: Situation): Finding {
  const { finding } = judgeLine(pending, state, situation)
  return pending.includes('\n') ? strictest(finding, judgeEach(pending, state, situation)) : finding
}

function judgeEach(text: string, state: PolicyState, situation: Situation): Finding {
  const findings = text.split('\n').map((line) => judgeLine(line, state, situation).finding)
  return findings.filter(({ rule }) => rule !== 'unparsed').reduce(strictest, nothingFound)
}

export interface JudgedLine {
  readonly finding: Finding
  readonly state: PolicyState
}

export function judgeLine(text: string, before: PolicyState, situation: Situation): JudgedLine {
  const { shell } = situation
  const rules = ruleCheck(situation.rules)
  const history = expandHistory(text, before.history)
  const source = hasHistory(shell) ? history.text : text
  const judged = judgeProgram(source, before, situation, rules)
  const state: PolicyState =
    source.trim() === '' ? judged.state : { ...judged.state, history: [...before.history.slice(-historyMax), source] }
  const findings = [judged.finding]
  // At its prompt zsh takes a # for a character, unless an option changes that. First, because the other reading may be unfinished.
  if (shell === 'zsh' && source.search(comments) >= 0)
    findings.unshift(judgeProgram(source.replace(comments, '$1\\#'), before, situation, rules).finding)
  if (history.isUnknown && hasHistory(shell)) findings.push({ code: 'Q2', rule: 'unresolved', resolved: text })
  if (hasOddCharacters(source)) {
    findings.push({ code: 'Q2', rule: 'obfuscated-text', resolved: source.slice(0, 300) })
    findings.push(judgeProgram(asRead(source), before, situation, rules).finding)
  }
  return { finding: findings.reduce(strictest), state }
}

const hasHistory = (shell: Situation['shell']) => shell === 'bash' || shell === 'zsh'

const refersToHistory = (text: string, { shell }: Situation) => hasHistory(shell) && expandHistory(text, []).isUnknown

/** Shown where keys have made the line. */
const unknownLine = 'a line that only the shell knows; press ctrl+c and type it whole'

/** ctrl+o, and what begins with ctrl+x or runs the line by alt. */
const submits = /^(?:\x0f|\x18|\x1b[aAhHqQxXzZ?\x05])/

const comments = /(^|[\s;&|()])#/g
const historyMax = 100 // lines kept for recall

function judgeProgram(source: string, before: PolicyState, situation: Situation, rules: RuleCheck | null): JudgedLine {
  const { shell } = situation
  const asTyped = rules?.line(source) ?? nothingFound
  if (shell === 'pwsh' || shell === 'powershell' || shell === 'cmd') {
    const evaluation = Evaluation.of(
      copyState(before, situation.gate),
      rules === null ? null : withoutAllowing(rules),
      true,
    )
    runWindowsLine(shell === 'cmd' ? 'cmd' : 'pwsh', arg(source), evaluation)
    const found = strictest(evaluation.found, asTyped)
    // The commands allowed for these shells are on a list that only reads.
    return { finding: settled(found, situation, () => true), state: evaluation.state }
  }
  const program = shell === 'fish' ? fishToBash(source) : shell === 'zsh' ? zshToBash(source, before) : source
  if (program === null) {
    const unparsed: Finding = { code: 'Q2', rule: 'unparsed', resolved: source.slice(0, 200) }
    return { finding: strictest(unparsed, asTyped), state: before }
  }
  const evaluation = Evaluation.of(copyState(before, situation.gate), rules)
  // zsh and ksh repeat a line by it.
  if ((shell === 'zsh' || shell === 'sh') && !before.aliases.has('r')) evaluation.state.aliases.set('r', 'fc -s')
  evaluation.runText(program)
  const found = strictest(evaluation.found, asTyped)
  return { finding: settled(found, situation, (others) => onlyReads(program, others), rules), state: evaluation.state }
}

/** Drops rules that allow: how these shells read a word is not known well enough. */
function withoutAllowing(rules: RuleCheck): Checks {
  return {
    command: (words, context) => rules.command(words, context),
    path: (path, access) => rules.path(path, access),
    address: (address) => rules.address(address),
    lifted: () => null,
    permits: () => false,
  }
}

/** Where only reading needs no approval, an unobjectionable line must also be on the list, or allowed by a rule. */
export function settled(
  finding: Finding,
  { profile, rules: given }: Situation,
  isOnList: (others?: (words: readonly string[]) => boolean) => boolean,
  rules: RuleCheck | null = null,
): Finding {
  const [source] = given?.broken ?? []
  if (finding.code !== 'A' || (profile !== 'restricted' && source === undefined) || isOnList()) return finding
  if (source !== undefined) return { code: 'Q2', rule: 'broken-rules', resolved: finding.resolved, source }
  let lifted: Finding | null = null
  const isAllowed = (words: readonly string[]) => {
    const source = rules?.allows(words.map((word) => arg(word))) ?? null
    if (source !== null) lifted ??= { code: 'A', rule: 'allow-rule', resolved: words.join(' '), source }
    return source !== null
  }
  if (isOnList(isAllowed)) return lifted ?? finding
  return { code: 'Q1', rule: 'not-on-list', resolved: finding.resolved }
}
