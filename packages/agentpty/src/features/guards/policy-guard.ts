/**
 * The guard of the policy: every call that starts a program or types into a terminal is judged before it is done.
 *
 * Allowed: it goes on. Asked: a person is, and the call is refused until there is an answer; the same call made again then goes on
 * once. Denied: refused, with the next move. What a person types is a person’s.
 */

import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import type { Approval, ApprovalRequest } from '../../contracts/approvals/approval.ts'
import type { ApprovalQueue } from '../../contracts/approvals/approval-queue.ts'
import type { Wish } from '../../contracts/approvals/grant.ts'
import { shownText } from '../../contracts/approvals/shown-text.ts'
import type { Call, Guard } from '../../contracts/call/guard.ts'
import { TermError } from '../../contracts/errors.ts'
import { approvalCharactersMax, approvalWaitMs } from '../../contracts/limits.ts'
import type { Clock } from '../../contracts/ports.ts'
import type { ParsedVerbInput } from '../../contracts/verbs/index.ts'
import { isVerbName, verbs } from '../../contracts/verbs/index.ts'
import type { Host } from '../../engine/host/host.ts'
import type { Session } from '../../engine/session/session.ts'
import { plainWords } from '../policy/plain-line.ts'
import { judgeTool, type PolicyRules } from '../policy/rules/policy-rules.ts'
import { effectsOf } from './effects.ts'
import { type JudgedCall, judgeStart } from './judge-start.ts'
import { TerminalJudge } from './judge-typing.ts'
import { isTypingVerb, typedBy } from './typing.ts'

export interface PolicyGuardOptions {
  readonly host: Host
  readonly clock: Clock
  readonly approvals: ApprovalQueue
  /** What holds in all of these folders together. */
  readonly rulesFor: (folders: readonly string[]) => PolicyRules
  /** What stands at the prompt of a shell. */
  readonly lineAtPrompt: (session: Session) => Promise<string>
  /** The shell has run a line that nobody had judged. */
  readonly unjudged?: (terminalId: string, line: string) => void
}

/** Errors: `denied`, `needs_approval`, `not_approved`. */
export function policyGuard(options: PolicyGuardOptions): Guard {
  const guard = new PolicyGuard(options)
  return (call) => guard.check(call)
}

class PolicyGuard {
  readonly #options: PolicyGuardOptions
  readonly #terminals = new WeakMap<Session, TerminalJudge>()

  constructor(options: PolicyGuardOptions) {
    this.#options = options
  }

  check(call: Call): void | Promise<void> {
    this.#checkTool(call)
    const judged = this.#judge(call)
    if (judged === null) return undefined
    return judged instanceof Promise ? judged.then((known) => this.#settle(call, known)) : this.#settle(call, judged)
  }

  /** Errors: `denied` for a tool that a rule keeps from agents. */
  #checkTool({ name, context }: Call): void {
    const tool = isVerbName(name) ? verbs[name].tool : null
    const judgement =
      tool === null || context.isPerson === true ? null : judgeTool(this.#options.rulesFor([context.cwd]), tool)
    if (judgement !== null) throw deniedByPolicy({ judgement })
  }

  #judge({ name, input, context }: Call): JudgedCall | Promise<JudgedCall> | null {
    if (name === 'create') return this.#judgeStart(input as ParsedVerbInput<'create'>, context)
    if (!isTypingVerb(name)) return null
    const { terminalId, ...given } = input as { readonly terminalId?: string }
    if (terminalId === undefined) return this.#judgeStart(given as ParsedVerbInput<'run'>, context)
    const session = this.#options.host.find(terminalId)
    const terminal = this.#terminalOf(session, context)
    if (context.isPerson === true) {
      terminal.unsure()
      return null
    }
    const rules = this.#options.rulesFor([session.commands.cwd ?? session.info.cwd, session.info.cwd])
    const judged = terminal.judge(typedBy(name, input, session), rules)
    // A run that is refused for what stands at the prompt leaves it there.
    return name === 'run' ? withUnsureLine(judged, terminal) : judged
  }

  #judgeStart(input: Parameters<typeof judgeStart>[0], context: Call['context']): JudgedCall {
    const folders = [resolve(context.cwd, input.cwd ?? '.'), context.cwd]
    return judgeStart(input, context, this.#options.rulesFor(folders))
  }

  #terminalOf(session: Session, context: Call['context']): TerminalJudge {
    const known = this.#terminals.get(session)
    if (known !== undefined) return known
    const unjudged = (line: string) => this.#options.unjudged?.(session.info.id, line)
    const terminal = new TerminalJudge({ session, context, unjudged, lineAtPrompt: this.#options.lineAtPrompt })
    this.#terminals.set(session, terminal)
    return terminal
  }

  #settle(call: Call, judged: JudgedCall): void | Promise<void> {
    const { verdict } = judged.judgement
    if (verdict === 'allow') return judged.allowed()
    if (verdict === 'deny') throw deniedByPolicy(judged)
    return this.#ask(call, judged)
  }

  async #ask({ name, context, input }: Call, judged: JudgedCall): Promise<void> {
    const { approvals, clock } = this.#options
    const key = keyOf(input, judged)
    const wish = wishOf(input, judged)
    const known = approvals.answerTo(key)
    if (known === 'allowed' || (known === null && approvals.grantedTo(wish) !== null)) return judged.allowed()
    if (known === 'denied') throw deniedByPerson(judged)
    // Whoever looks is told of it, and asks again only after that.
    const { isWatched } = approvals
    const request = () => this.#requestOf({ name, context, input }, judged)
    const approval = approvals.ask(key, request, { keptMs: judged.approvalMs, wish })
    if (context.approvalAsked !== undefined) context.approvalAsked(approval)
    else if (isWatched && (await this.#waitFor(key, clock.now() + approvalWaitMs, context.signal)))
      return judged.allowed()
    throw needsApproval(approval, verbs[name as keyof typeof verbs].tool ?? name)
  }

  /** True when it was allowed in time. Errors: `not_approved`. */
  async #waitFor(key: string, latest: number, signal: AbortSignal | undefined): Promise<boolean> {
    const { approvals } = this.#options
    while (await approvals.changed(latest, signal)) {
      const answer = approvals.answerTo(key)
      if (answer === 'allowed') return true
      if (answer === 'denied') throw deniedByPerson(null)
    }
    return false
  }

  #requestOf({ context, input }: Call, { judgement, action, text, cwd, touches }: JudgedCall): ApprovalRequest {
    const { terminalId = null } = input as { readonly terminalId?: string }
    const session = terminalId === null ? null : this.#options.host.find(terminalId)
    const { rule, reason, resolved } = judgement
    return {
      client: shownText(context.client, 200),
      chain:
        session === null ? this.#chainTo(context.env['AGENTPTY_TERMINAL'] ?? null) : this.#chainTo(session.info.parent),
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

  /** Who opened whom, the outermost first. */
  #chainTo(terminalId: string | null): string[] {
    const { sessions } = this.#options.host
    const chain: string[] = []
    for (let id = terminalId; id !== null && chain.length < chainMax && !chain.includes(id); ) {
      chain.unshift(id)
      const above = sessions.find(({ info }) => info.id === id)
      id = above?.info.parent ?? null
    }
    return chain
  }
}

async function withUnsureLine(judging: JudgedCall | Promise<JudgedCall>, terminal: TerminalJudge): Promise<JudgedCall> {
  const judged = await judging
  const allowed = () => {
    judged.allowed()
    terminal.unsure()
  }
  return { ...judged, allowed }
}

const chainMax = 32

/** What no grant answers: what is not resolved, what guards the session, and what is typed into programs. */
const onceOnly: ReadonlySet<string> = new Set([
  ...['unresolved', 'unparsed', 'limits', 'obfuscated-text', 'encoded-payload', 'broken-rules', 'typing'],
  ...['self-approve', 'self-tampering', 'credential-exfil', 'root-shell'],
])

function wishOf(input: unknown, { judgement: { rule, code }, text, cwd }: JudgedCall): Wish {
  const { terminalId = null } = input as { readonly terminalId?: string }
  const words = onceOnly.has(rule) ? null : plainWords(text.trim())
  return { rule, words, isBounded: code === 'Q1', terminalId, cwd }
}

/** The same wish: the same text, for the same reader, for the same reason. */
function keyOf(input: unknown, { judgement, action, text, cwd }: JudgedCall): string {
  const { terminalId = '' } = input as { readonly terminalId?: string }
  const parts = [terminalId, action, cwd, text, judgement.rule, judgement.resolved]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

const shownMax = 200

function deniedByPolicy({ judgement: { rule, resolved, reason } }: Pick<JudgedCall, 'judgement'>): TermError {
  return new TermError('denied', `The policy refuses this (${rule}): ${shownText(resolved, shownMax)}`, reason)
}

function deniedByPerson(judged: JudgedCall | null): TermError {
  const what = judged === null ? '' : `: ${shownText(judged.judgement.resolved, shownMax)}`
  return new TermError('not_approved', `A person has said no${what}`, 'Do without it, or ask them what to do instead.')
}

function needsApproval({ approvalId, rule, resolved, reason }: Approval, tool: string): TermError {
  return new TermError(
    'needs_approval',
    `A person must allow this first (${rule}): ${resolved}\nIt was not done; they are asked as ${approvalId}.`,
    `${reason} Once they have allowed it (they look with: agentpty approvals), call ${tool} again with the same input; or do without it.`,
  )
}
