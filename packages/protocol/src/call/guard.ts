/** The guard between a call and its handler. */

import { shownText } from '../approvals/approval-words.ts'
import { type ErrorCode, isTermError, TermError } from '../errors.ts'
import type { ToolDescription } from '../mcp/tool.ts'
import type { PolicyAnswer, PolicyProfile, RuleSource } from '../policy/policy.ts'
import type { VerbName } from '../verbs/verbs.ts'
import type { CallContext } from './call-context.ts'

export interface Call {
  /** `tool`: one that a client calls, before the verbs that it becomes. */
  readonly name: VerbName | 'tool' | 'follow' | 'watch' | 'status' | 'stop'
  /** The parsed input, with defaults. */
  readonly input: unknown
  readonly context: CallContext
  /** The terminal that a verb types into: as its input names it, or the terminal of the question. */
  readonly typesInto?: string | undefined
}

/** The terminals that a call names, or types into. */
export function terminalsOf({ input, typesInto }: Pick<Call, 'input' | 'typesInto'>): readonly string[] {
  const { terminalId, terminalIds } = input as NamedTerminals
  const named = terminalId === undefined ? [] : [terminalId]
  if (typeof terminalIds === 'string') named.push(terminalIds)
  else if (terminalIds !== undefined) named.push(...terminalIds)
  if (typesInto !== undefined && !named.includes(typesInto)) named.push(typesInto)
  return named
}

interface NamedTerminals {
  readonly terminalId?: string
  readonly terminalIds?: string | readonly string[]
}

/** Returns to let the call go on, throws a {@link TermError} to refuse it; while it waits, so does the call. */
export type Guard = (call: Call) => void | Promise<void>

/** Facts about a tool before it is called. */
interface ToolCallInput {
  readonly tool: string
  readonly becomes: readonly VerbName[]
}

export function toolCallInput({ name, becomes = [] }: Pick<ToolDescription, 'name' | 'becomes'>): ToolCallInput {
  return { tool: name, becomes }
}

export function isToolCall(call: Call): call is Call & { readonly name: 'tool'; readonly input: ToolCallInput } {
  return call.name === 'tool'
}

/** The recorder of calls: the pipeline reports each call to it, and guards report their judgements. */
export type Outcome = 'done' | ErrorCode

export interface Journal {
  /** Gets each call once it has ended, with `done` and its result, or the code of its error. */
  readonly note: (call: Call, outcome: Outcome, result?: unknown) => void
  /** Receives the error that `note` threw, a defect of the journal. The call itself must not look failed, or the caller repeats it. */
  readonly failed: (error: unknown) => void
}

/** The judgement of a guard about a call. */
export interface JudgedNote extends Pick<PolicyAnswer, 'verdict' | 'rule' | 'source' | 'resolved' | 'reason'> {
  readonly profile: PolicyProfile
  readonly profileSource: RuleSource | null
  /** The text that would be typed or started; null where it is secret. */
  readonly text: string | null
  /** How many bytes would be typed; null where that is secret, and for a program that is started. */
  readonly bytes: number | null
  readonly cwd: string
  /** The approval that it waits for, or that let it through. */
  readonly approvalId: string | null
}

/** Reports a judged call before it continues or is refused; returns the id by which persons may name it, or null. */
export type NoteJudged = (call: Call, judged: JudgedNote) => string | null

const shownMax = 200
const refusals: ReadonlySet<string> = new Set(['denied', 'needs_approval', 'not_approved', 'limit_reached'])

/** The refusal of a line after earlier lines of its call were entered. A caller that repeats the call would enter those again. */
export function partlyDone(error: unknown, line: string): unknown {
  if (!isTermError(error) || !refusals.has(error.code)) return error
  return new TermError(
    'partly_done',
    `The lines before ${JSON.stringify(shownText(line, shownMax))} were entered, and this one was not: ${error.message}`,
    'Once it is allowed, type this line and those behind it, without the lines before it.',
    error.refusal,
  )
}
