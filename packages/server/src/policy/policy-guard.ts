/**
 * The guard of the policy: judges every call that starts a program or types into a terminal, before it runs.
 *
 * Allowed: the call continues. Asked: the call is refused until a person has answered; the same call then succeeds
 * once. Denied: the call is refused, with the next move. Typing of persons is not judged.
 */

import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { chainTo, foldersOf, inWords, type SeenHost } from '@agentpty/engine/host'
import type { Session } from '@agentpty/engine/session'
import type { Clock, Offset } from '@agentpty/protocol'
import {
  type ApprovalAnswer,
  type ApprovalQueue,
  type ApprovalRequest,
  approvalCharactersMax,
  approvalWaitMs,
  shownText,
  type Wish,
} from '@agentpty/protocol/approvals'
import {
  type Call,
  type CallContext,
  callerName,
  type Guard,
  isToolCall,
  type NoteJudged,
  terminalsOf,
} from '@agentpty/protocol/call'
import { type GatePlace, type GateSetting, type Gates, gateOf } from '@agentpty/protocol/effects'
import type { Walls } from '@agentpty/protocol/sandbox'
import { type SessionInfo, terminalVariable } from '@agentpty/protocol/session'
import { isTypingVerb, isVerbName, type ParsedVerbInput, verbs } from '@agentpty/protocol/verbs'
import { defaultProfile, type PolicyRules, plainWords } from '@agentpty/shell-policy'
import { deniedByPerson, deniedByPolicy, effectsOf, needsApproval } from './effects.ts'
import { type JudgedCall, judgeStart, judgeToolOf, type LooserGate } from './judge-start.ts'
import { type RanUnjudged, TerminalJudge } from './judge-typing.ts'
import { type Noted, typedBy, typedInside } from './typing.ts'

export interface PolicyGuardOptions {
  readonly host: SeenHost
  readonly clock: Clock
  readonly approvals: ApprovalQueue
  readonly walls: Pick<Walls, 'settle'>
  readonly gates: Pick<Gates, 'keepsFiles' | 'requiredAbove' | 'loosenFor'>
  /** Returns the rules that apply in all of these folders together. */
  readonly rulesFor: (folders: readonly string[]) => PolicyRules
  /** Called when the shell has run a line that was not judged. */
  readonly unjudged?: (terminalId: string, line: string, ran: RanUnjudged) => void
  /** Called with each judgement before its call continues or is refused. */
  readonly noted?: NoteJudged
}

/** Errors: `denied`, `needs_approval`, `not_approved`. */
export function policyGuard(options: PolicyGuardOptions): Guard {
  const guard = new PolicyGuard(options)
  return (call) => guard.check(call)
}

/** The input that all verbs that start programs themselves share. */
type StartInput = Pick<
  ParsedVerbInput<'create'>,
  'command' | 'shell' | 'cwd' | 'env' | 'sandbox' | 'gate' | 'environment'
>

export class PolicyGuard {
  readonly #options: PolicyGuardOptions
  readonly #terminals = new WeakMap<Session, TerminalJudge>()
  /** Calls by their context: some lines are judged only when they are entered. */
  readonly #calls = new WeakMap<CallContext, Call>()
  /** Terminals of an earlier server, and how far they had come. */
  readonly #before: WeakMap<Session, Offset>

  constructor(options: PolicyGuardOptions) {
    this.#options = options
    this.#before = new WeakMap(options.host.sessions.map((session) => [session, session.parsedTo]))
  }

  check(call: Call): void | Promise<void> {
    this.#checkTool(call)
    const inside = typedInside(call, this.#options.host)
    if (inside !== null) return inside.then((typed) => void this.#note(call, typed))
    const judged = this.#judge(call)
    const settle = (known: TypedCall | null) => (known === null ? undefined : this.#settle(call, known))
    return judged instanceof Promise ? judged.then(settle) : settle(judged)
  }

  /** Errors: `denied` for a tool that a rule keeps from agents. */
  #checkTool(call: Call): void {
    const { cwd } = call.context
    const rules = () => this.#options.rulesFor(this.#foldersOf(call))
    const judgement = judgeToolOf(call, rules)
    if (judgement === null) return
    const text = isToolCall(call) ? call.input.tool : judgement.resolved
    const { profile } = rules()
    const id = this.#note(call, { judgement, profile, text, isSecret: false, cwd, bytes: null })
    throw deniedByPolicy({ judgement, profile }, id)
  }

  /** Where the caller is, and where the terminals are that it names or would open. */
  #foldersOf(call: Call): readonly string[] {
    const { context } = call
    const { cwd } = call.input as { readonly cwd?: string }
    const folders = cwd === undefined ? [context.cwd] : [context.cwd, resolve(context.cwd, cwd)]
    for (const name of terminalsOf(call)) {
      const folder = this.#options.host.known(name)?.info.cwd
      if (folder !== undefined && !folders.includes(folder)) folders.push(folder)
    }
    return folders
  }

  /** Looks at what the shell of a terminal has reported since the last call. */
  look(terminalId: string): void {
    const session = this.#options.host.sessions.find(({ info }) => info.id === terminalId)
    const terminal = session === undefined ? undefined : this.#terminals.get(session)
    if (session !== undefined) terminal?.look(this.#rulesIn(session, terminal))
  }

  #judge(made: Call): TypedCall | null | Promise<TypedCall | null> {
    const { name, input, context, typesInto: terminalId } = made
    if (name === 'sendMessage') return this.#judgeMessage(input as ParsedVerbInput<'sendMessage'>, context)
    if (!isVerbName(name)) return null
    const { starts, callers } = verbs[name].safety
    // A question that is gone has no terminal: its handler refuses.
    if (terminalId === undefined) return starts === 'itself' ? this.#judgeStart(input as StartInput, context) : null
    if (!isTypingVerb(name) || callers === 'person') return null
    const { command, text = '' } = input as { readonly command?: string; readonly text?: string }
    if (context.isJudgedUnseen === true && this.#options.host.known(terminalId) === null)
      return this.#judgeStart({ command: command ?? text }, context)
    const session = this.#options.host.find(terminalId)
    if (session.info.environment !== null) return null
    // Nothing can be typed there: its handler refuses, and no person is asked before.
    if (session.exit !== null && context.isJudgedUnseen !== true) return null
    const terminal = this.#terminalOf(session, context)
    if (context.isPerson === true) {
      terminal.personTyped()
      return null
    }
    const typed = typedBy(name, input, session)
    this.#calls.set(context, made)
    const judged = terminal.judge(
      { text: typed, onEmptyLine: name === 'run' },
      this.#rulesIn(session, terminal),
      context,
    )
    // Every call of an agent passes here: the object is its own, and need not be copied.
    const withBytes = (one: JudgedCall | null) => {
      if (one === null) return null
      const isSecret = one.isSecret || name === 'secret'
      return Object.assign(one, { isSecret, bytes: isSecret ? null : Buffer.byteLength(typed) })
    }
    return judged instanceof Promise ? judged.then(withBytes) : withBytes(judged)
  }

  /** A line that was judged as it was about to be entered. */
  #settleEntered({ info }: Session, judged: JudgedCall, context: CallContext): void | Promise<void> {
    const made = this.#calls.get(context) ?? { name: 'send', input: { terminalId: info.id }, context }
    return this.#settle(made, { ...judged, bytes: Buffer.byteLength(judged.text) })
  }

  /** One to the parent is a call of its own, which names it. */
  #judgeMessage({ terminalId, text }: ParsedVerbInput<'sendMessage'>, context: Call['context']): TypedCall | null {
    if (terminalId === undefined) return null
    const session = this.#options.host.find(terminalId)
    const terminal = this.#terminalOf(session, context)
    return { ...terminal.judgeMessage(text, this.#rulesIn(session, terminal)), bytes: Buffer.byteLength(text) }
  }

  #rulesIn({ info }: Session, terminal: TerminalJudge): PolicyRules {
    return this.#options.rulesFor([terminal.folder(), info.cwd, ...info.foldersAbove])
  }

  #judgeStart(input: StartInput, context: Call['context']): TypedCall | null {
    // Nothing of this machine can be harmed in there.
    if (input.environment !== undefined) return null
    const cwd = resolve(context.cwd, input.cwd ?? '.')
    const own = this.#infoOf(context.env[terminalVariable])
    const inherited = own?.sandbox ?? null
    const sandbox = this.#options.walls.settle(input.sandbox, { cwd, context, inherited })
    const rules = this.#options.rulesFor([cwd, context.cwd, ...foldersOf(own)])
    const looserGate = this.#looserGate(input.gate, { cwd, caller: context, inherited: gateOf(own) })
    return { ...judgeStart(input, context, { rules, sandbox, looserGate }), bytes: null }
  }

  #looserGate(asked: GateSetting | undefined, place: GatePlace): LooserGate | null {
    const { gates } = this.#options
    const required = gates.requiredAbove(asked, place)
    if (asked === undefined || required === null) return null
    return { asked, required, approve: () => gates.loosenFor(place.caller) }
  }

  #infoOf(terminalId: string | undefined): SessionInfo | null {
    return this.#options.host.allSessions.find(({ info }) => info.id === terminalId)?.info ?? null
  }

  #terminalOf(session: Session, context: Call['context']): TerminalJudge {
    const known = this.#terminals.get(session)
    if (known !== undefined) return known
    const unjudged = (line: string, ran: RanUnjudged) => this.#options.unjudged?.(session.info.id, line, ran)
    const since = this.#before.get(session) ?? 0
    const { clock, gates } = this.#options
    const terminal: TerminalJudge = new TerminalJudge({
      session,
      context,
      since,
      unjudged,
      clock,
      keepsFiles: gates.keepsFiles,
      isFresh: !this.#before.has(session),
      settle: (judged, caller) => this.#settleEntered(session, judged, caller),
      rulesIn: () => this.#rulesIn(session, terminal),
    })
    this.#terminals.set(session, terminal)
    return terminal
  }

  #settle(call: Call, judged: TypedCall): void | Promise<void> {
    const { verdict } = judged.judgement
    // Messages were approved before they entered the inbox. For other readers of the text no person is asked.
    const { isMessage } = call.context
    if (verdict === 'ask' && isMessage !== true) return this.#ask(call, judged)
    const id = this.#note(call, judged)
    if (verdict === 'ask' && judged.judgement.rule !== 'typing') throw deniedByPolicy(judged, id)
    if (verdict === 'deny') throw deniedByPolicy(judged, id)
    return judged.allowed()
  }

  async #ask(call: Call, judged: TypedCall): Promise<void> {
    const { approvals, clock } = this.#options
    const { name, context } = call
    const key = keyOf(call, judged)
    const wish = wishOf(call, judged)
    const known = approvals.answerTo(key)
    if (known !== null) return this.#answered(judged, known.state, this.#note(call, judged, known.approvalId))
    const grant = approvals.grantedTo(wish)
    if (grant !== null) return this.#answered(judged, 'allowed', this.#note(call, judged, grant.grantId))
    // A viewer that watches is notified of the question, and the call waits for the answer.
    const { isWatched } = approvals
    const request = () => this.#requestOf(call, judged)
    const approval = approvals.ask(key, request, {
      keptMs: judged.approvalMs,
      wish,
      ...(context.isMcp === true ? { mcpClient: context.client } : {}),
    })
    const id = this.#note(call, judged, approval.approvalId)
    if (context.approvalAsked !== undefined) context.approvalAsked(approval)
    else if (isWatched && context.asksPerson !== true) {
      const answer = await this.#waitFor(key, clock.now() + approvalWaitMs, context.signal)
      if (answer !== null) return this.#answered(judged, answer, id)
    }
    const tool = context.partOf ?? verbs[name as keyof typeof verbs].tool ?? name
    throw needsApproval(approval, { reason: judged.judgement.reason, tool, id })
  }

  /** Errors: `not_approved`. */
  #answered(judged: TypedCall, state: ApprovalAnswer['state'], id: string | null): void {
    if (state === 'denied') throw deniedByPerson(judged.judgement, id)
    judged.allowed()
  }

  /** Null when no answer came in time. */
  async #waitFor(key: string, latest: number, signal: AbortSignal | undefined) {
    const { approvals } = this.#options
    while (await approvals.changed(latest, signal)) {
      const answer = approvals.answerTo(key)
      if (answer !== null) return answer.state
    }
    return null
  }

  #note(call: Call, judged: Noted, approvalId: string | null = null): string | null {
    const { noted } = this.#options
    if (noted === undefined) return null
    const { judgement, profile, isSecret, cwd, bytes } = judged
    const { verdict, rule, source, resolved, personReason: reason } = judgement
    const text = isSecret && judged.text === '' ? null : judged.text
    return noted(call, {
      verdict,
      rule,
      source,
      profile: profile?.value ?? defaultProfile,
      profileSource: profile?.source ?? null,
      resolved,
      reason,
      text,
      bytes,
      cwd,
      approvalId,
    })
  }

  #requestOf(call: Call, { judgement, action, text, cwd, touches }: JudgedCall): ApprovalRequest {
    const { context } = call
    const [terminalId = null] = terminalsOf(call)
    const session = terminalId === null ? null : this.#options.host.known(terminalId)
    const { rule, personReason: reason, resolved } = judgement
    const { host } = this.#options
    const chain = chainTo(host, session === null ? (context.env[terminalVariable] ?? null) : session.info.parent)
    return {
      client: callerName(context),
      scope: context.scope?.id ?? null,
      chain: [...chain],
      through: inWords(host, chain),
      terminalId: session === null ? null : session.info.id,
      cwd: shownText(cwd, 500),
      action,
      text: shownText(text, approvalCharactersMax),
      resolved: shownText(resolved, 500),
      rule,
      reason,
      effects: [...effectsOf(touches(), cwd, () => this.#options.clock.now())],
    }
  }
}

/** A judged call, with the number of bytes that it would type; null for a secret. */
type TypedCall = JudgedCall & { readonly bytes: number | null }

/** Rules that no grant answers: unresolved text, guards of the session, and text typed into programs. */
const onceOnly: ReadonlySet<string> = new Set([
  'unresolved',
  'unparsed',
  'unread-shell',
  'limits',
  'obfuscated-text',
  'encoded-payload',
  'broken-rules',
  'typing',
  'self-approve',
  'self-tampering',
  'credential-exfil',
  'root-shell',
])

function wishOf(call: Call, { judgement: { rule, code }, text, cwd }: JudgedCall): Wish {
  const [terminalId = null] = terminalsOf(call)
  const words = onceOnly.has(rule) ? null : plainWords(text.trim())
  return { rule, words, isBounded: code === 'Q1', terminalId, cwd }
}

/** The same wish: the same text, for the same reader, for the same reason. What a scope is allowed is allowed to no other. */
function keyOf(call: Call, { judgement, action, text, cwd }: JudgedCall): string {
  const { context } = call
  const [terminalId = ''] = terminalsOf(call)
  const by = context.scope === undefined ? [] : [context.scope.id]
  const parts = [terminalId, action, cwd, text, judgement.rule, judgement.resolved, ...by]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
