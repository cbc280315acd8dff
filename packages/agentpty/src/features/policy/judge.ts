/**
 * The judge: what a shell line would run, before it runs. A pure function: a line and what is known go in, a judgement and what is known
 * afterwards come out.
 *
 * Lines may arrive as text or as the keys of a terminal. What cannot be resolved where it decides is "ask", never "allow".
 */

import type { PolicyShell } from '../../contracts/policy/policy.ts'
import { Evaluation } from './evaluation.ts'
import { fishToBash } from './fish.ts'
import { expandHistory } from './history.ts'
import { assembleLines, type EditorState, emptyEditor } from './line-assembler.ts'
import { asRead, hasOddCharacters } from './odd-characters.ts'
import { copyState, initialState, type PolicyState, type Surroundings } from './policy-state.ts'
import { onlyReads } from './read-only.ts'
import type { PolicyRules } from './rules/policy-rules.ts'
import { type Checks, type RuleCheck, ruleCheck } from './rules/rule-check.ts'
import { arg } from './value.ts'
import { type Finding, type Judgement, judgementOf, nothingFound, type ProfileName, strictest } from './verdict.ts'
import { zshToBash } from './zsh.ts'

export interface Situation {
  readonly profile: ProfileName
  readonly shell: PolicyShell
  /** What persons and repositories add; it does not change the profile, which is above. */
  readonly rules?: PolicyRules
}

/** What is known of one terminal between lines. */
export interface PolicySession {
  readonly state: PolicyState
  readonly editor: EditorState
  /** Lines of a command that is not finished. */
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
  // Somebody typed, or made it look so: what a line editor makes of it counts, and so does what is left without the keys.
  const { submitted } = assembleLines(`${text}\n`, emptyEditor, session.state.history)
  const edited = judgeLine(submitted.map((line) => line.text).join('\n'), session.state, situation)
  const stripped = judgeLine(bare.replace(controls, ''), session.state, situation)
  const odd: Finding = { code: 'Q2', rule: 'obfuscated-text', resolved: edited.finding.resolved }
  const finding = [odd, edited.finding, stripped.finding].reduce(strictest)
  return { judgement: judgementOf(finding, situation.profile), session: { ...session, state: edited.state } }
}

/** Control characters besides line ends and tabs. */
const control = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g

export interface JudgedWrite extends Judged {
  /** The lines that were entered, as a line editor has made them. */
  readonly lines: readonly string[]
}

/** Judges what is typed: the strictest of all lines that are submitted by it. */
export function judgeWrite(input: string, session: PolicySession, situation: Situation): JudgedWrite {
  const { submitted, editor } = assembleLines(input, session.editor, session.state.history)
  let [finding, state, pending] = [nothingFound, session.state, session.pending]
  for (const { text, isUncertain } of submitted) {
    const whole = pending === '' ? text : `${pending}\n${text}`
    const judged = judgeLine(whole, state, situation)
    const isOpen = judged.finding.rule === 'unparsed' && !isUncertain
    if (isUncertain) finding = strictest(finding, { code: 'Q2', rule: 'unresolved', resolved: text })
    // What is not finished is judged with the lines that finish it.
    pending = isOpen ? whole : ''
    finding = isOpen ? finding : strictest(finding, judged.finding)
    state = isOpen ? state : judged.state
  }
  const lines = submitted.map(({ text }) => text)
  return { judgement: judgementOf(finding, situation.profile), session: { state, editor, pending }, lines }
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
  const unfinished = judgeUnfinished(now, situation)
  return { judgement: strictest(all, unfinished), session: { ...now, pending: '' } }
}

/** A command that never ended: together, and each of its lines by itself. */
function judgeUnfinished({ pending, state }: PolicySession, situation: Situation): Judgement {
  const lines = pending.split('\n')
  const findings = [pending, ...(lines.length > 1 ? lines : [])].map(
    (line) => judgeLine(line, state, situation).finding,
  )
  return judgementOf(findings.reduce(strictest), situation.profile)
}

export interface JudgedLine {
  readonly finding: Finding
  readonly state: PolicyState
}

export function judgeLine(text: string, before: PolicyState, situation: Situation): JudgedLine {
  const { shell } = situation
  const rules = ruleCheck(situation.rules)
  const history = expandHistory(text, before.history)
  const source = shell === 'bash' || shell === 'zsh' ? history.text : text
  const judged = judgeProgram(source, before, situation, rules)
  const state: PolicyState =
    source.trim() === '' ? judged.state : { ...judged.state, history: [...before.history.slice(-historyMax), source] }
  const findings = [judged.finding]
  if (history.isUnknown && (shell === 'bash' || shell === 'zsh'))
    findings.push({ code: 'Q2', rule: 'unresolved', resolved: text })
  if (hasOddCharacters(source)) {
    findings.push({ code: 'Q2', rule: 'obfuscated-text', resolved: source.slice(0, 300) })
    findings.push(judgeProgram(asRead(source), before, situation, rules).finding)
  }
  return { finding: findings.reduce(strictest), state }
}

const historyMax = 100 // lines kept for recall

function judgeProgram(source: string, before: PolicyState, situation: Situation, rules: RuleCheck | null): JudgedLine {
  const { shell } = situation
  const asTyped = rules?.line(source) ?? nothingFound
  if (shell === 'pwsh' || shell === 'powershell' || shell === 'cmd') {
    const evaluation = new Evaluation(copyState(before), rules === null ? null : withoutAllowing(rules), true)
    if (shell === 'cmd') evaluation.runCommandPrompt(arg(source))
    else evaluation.runPowerShell(arg(source))
    const found = strictest(evaluation.found, asTyped)
    return { finding: settled(found, situation, () => isReadingPowerShell(source)), state: evaluation.state }
  }
  const program = shell === 'fish' ? fishToBash(source) : shell === 'zsh' ? zshToBash(source, before) : source
  if (program === null) {
    const unparsed: Finding = { code: 'Q2', rule: 'unparsed', resolved: source.slice(0, 200) }
    return { finding: strictest(unparsed, asTyped), state: before }
  }
  const evaluation = new Evaluation(copyState(before), rules)
  evaluation.runText(program)
  const found = strictest(evaluation.found, asTyped)
  return { finding: settled(found, situation, (others) => onlyReads(program, others), rules), state: evaluation.state }
}

/** What these shells take a word for is not known well enough to let it through by a rule. */
function withoutAllowing(rules: RuleCheck): Checks {
  return {
    command: (words, context) => rules.command(words, context),
    path: (path, access) => rules.path(path, access),
    address: (address) => rules.address(address),
    lifted: () => null,
    permits: () => false,
  }
}

/** Where only reading goes unasked, what nothing speaks against must be on the list as well, or allowed by a rule. */
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

function isReadingPowerShell(source: string): boolean {
  return (
    /^\s*((get-\w+|write-output|\$\w+)\b[^;|&><(){}`]*\s*\|?\s*)+$/i.test(source.slice(0, 2_000)) &&
    source.length <= 2_000
  )
}
