import * as z from 'zod'
import { type ErrorCode, TermError } from './errors.ts'
import type { Millis } from './units.ts'

/**
 * A permission that a person gave beyond a single call. It covers a command, or all that differ from it in names only.
 * It holds in one terminal or one folder, for a time. Compound commands, and those that could not be resolved, never
 * get one.
 */

export const Grant = z.object({
  grantId: z.string().describe('To revoke it by.'),
  command: z.string().describe('What may be run without a question; `*` is one name below the folder, and no option.'),
  rule: z.string().describe('The only rule that it answers.'),
  terminalId: z.string().nullable().describe('Where it holds; null: in every terminal that is in the folder.'),
  cwd: z.string().describe('The folder: itself for a whole command, with all below it where there is a `*`.'),
  expiresAt: z.number().describe('It holds until then; in milliseconds since 1970.'),
  grantedBy: z.string().describe('Who has allowed it.'),
  approvalId: z.string().describe('The question that it was given for.'),
  uses: z.number().int().describe('How often it has let a call through.'),
})
export type Grant = Readonly<z.output<typeof Grant>>

/** A grant in lists. */
export const HoldingGrant = Grant.extend({ leftMs: z.number().describe('How long it still holds.') })
export type HoldingGrant = Readonly<z.output<typeof HoldingGrant>>

/** Grants that a person may give besides the single approval. */
export const GrantOffer = z.object({
  same: z.string().describe('The very command, in the folder that it was asked in.'),
  like: z.string().nullable().describe('The same with other names; null where there is no such thing.'),
})
export type GrantOffer = Readonly<z.output<typeof GrantOffer>>

/** Which of an offer a person chooses. */
export const GrantChoice = z.strictObject({
  where: z.enum(['terminal', 'folder']).describe('In this terminal only, or in every one that is in this folder.'),
  command: z.enum(['same', 'like']).default('same').describe('The very command, or the same with other names.'),
  forMs: z.number().int().min(1).optional().describe('Default 8 hours, at most 7 days.'),
})
export type GrantChoice = Readonly<z.output<typeof GrantChoice>>

/** A command that would be asked about, as grants see it. */
export interface Wish {
  readonly rule: string
  /** Its words; null for what is more than one command, and for what no grant may answer. */
  readonly words: readonly string[] | null
  /** Nothing about it reaches beyond the workspace: others like it may be allowed with it. */
  readonly isBounded: boolean
  readonly terminalId: string | null
  readonly cwd: string
}

export const exampleGrant: z.output<typeof Grant> = {
  grantId: 'gr-1',
  command: 'rm -rf *',
  rule: 'deletion',
  terminalId: null,
  cwd: '/srv/app',
  expiresAt: 1_795_028_800_000,
  grantedBy: 'agentpty CLI (ada@pts/3)',
  approvalId: 'ap-3',
  uses: 2,
}

/** A request of an agent that needs a person's approval. Every client shows the same, and the first answer counts. */

const approvalStates = ['open', 'allowed', 'denied', 'expired', 'withdrawn'] as const

export const Approval = z.object({
  approvalId: z.string().describe('To answer it by; never given twice.'),
  state: z
    .enum(approvalStates)
    .describe('`open`: not answered yet. `withdrawn`: its client or its terminal has ended.'),
  askedAt: z.number().describe('In milliseconds since 1970.'),
  expiresAt: z.number().describe('An answer counts until then.'),
  client: z.string().describe('Who asks.'),
  scope: z.string().nullable().default(null).describe('The id of the scope of who asks; null: of none.'),
  chain: z.array(z.string()).describe('The terminals that it came through: who opened whom, the outermost first.'),
  through: z.array(z.string()).default([]).describe('The same with what runs in each: `claude in term-1`.'),
  terminalId: z.string().nullable().describe('Where it would be typed; null for a new terminal.'),
  cwd: z.string().describe('The folder.'),
  action: z.string().describe('What would be done: `type`, `run`, `open`.'),
  text: z.string().describe('What would be typed or started, with every character that could mislead spelled out.'),
  resolved: z.string().describe('The command in it that decided, as it would run.'),
  rule: z.string().describe('Why it is asked.'),
  reason: z.string().describe('The same in a sentence for the person.'),
  effects: z
    .array(z.string())
    .describe('What it would do to files and whom it would talk to, as far as its words say.'),
  news: z.string().describe('How often the like was asked in this folder before, and what was answered.'),
  offer: GrantOffer.nullable().describe('What may be allowed besides this once; null: nothing.'),
  answeredBy: z.string().nullable().describe('Who has answered; null while nobody has.'),
})
export type Approval = Readonly<z.output<typeof Approval>>

/** For the documentation of verbs. */
export const exampleApproval: z.output<typeof Approval> = {
  approvalId: 'ap-3',
  state: 'open',
  askedAt: 1_795_000_000_000,
  expiresAt: 1_795_000_900_000,
  client: 'claude-code 2.1.4 (MCP)',
  scope: null,
  chain: [],
  through: [],
  terminalId: 'term-2',
  cwd: '/srv/app',
  action: 'type',
  text: 'rm -rf build\n',
  resolved: 'rm -rf build',
  rule: 'deletion',
  reason: 'It deletes files.',
  effects: ['deletes 214 files in build (3.1 MB), none tracked by git'],
  news: 'The first of its kind in this folder.',
  offer: { same: 'rm -rf build', like: 'rm -rf *' },
  answeredBy: null,
}

/** The facts at the time of the request. */
export type ApprovalRequest = Omit<
  Approval,
  'approvalId' | 'state' | 'askedAt' | 'expiresAt' | 'news' | 'offer' | 'answeredBy'
>

/** An approval as it is stored from one server to the next. */
export interface KeptApproval extends Approval {
  /** Must be equal for the answer to count. */
  readonly key: string
  /** The MCP client that asks, whose end withdraws it; null for callers without an end. */
  readonly mcpClient: string | null
  /** It was allowed and has been done: the answer counts once. */
  readonly isSpent: boolean
  /** When it was answered, in milliseconds since 1970; null while it is open, and for one that an older version has kept. */
  readonly answeredAt: number | null
}

export interface KeptApprovals {
  /** The number of the newest, also of one that is not kept any more. */
  readonly last: number
  readonly approvals: readonly KeptApproval[]
  /** Grants that are stored. */
  readonly grants: { readonly last: number; readonly grants: readonly Grant[] }
}

/** Another version may have written something else. */
export const KeptApprovals = z.object({
  last: z.number().int().min(0),
  approvals: z.array(
    Approval.extend({
      key: z.string(),
      mcpClient: z.string().nullable().default(null),
      isSpent: z.boolean(),
      answeredAt: z.number().nullable().default(null),
    }),
  ),
  grants: z.object({ last: z.number().int().min(0), grants: z.array(Grant) }),
})

/** Every bound of approvals and grants. Durations are in milliseconds unless the name says otherwise. */

/**
 * Limits of approvals: how many are open, how long each may be answered and its answer counts, and how many answered
 * ones are kept for display.
 */
export const approvalsMax = 64
export const approvalKeptMs = 15 * 60 * 1_000
export const approvalsAnsweredMax = 200
/** How long a call waits for the answer while a person is known to watch: most clients give up after 60 s. */
export const approvalWaitMs = 45_000
/** Limits for counting the files that a line would delete: a large folder must not delay other calls. */
export const effectFilesMax = 20_000
export const effectMsMax = 30
/** Limits of grants: their default duration, their longest duration, and their number. */
export const grantMs = 8 * 60 * 60 * 1_000
export const grantMsMax = 7 * 24 * 60 * 60 * 1_000
export const grantsMax = 100
/** After as many equal answers a person is offered to allow the like of it here. */
export const answersBeforeOffer = 3
/** Characters of the input that a person is shown; the part that decided is shown beside it. */
export const approvalCharactersMax = 2_000

/** The interface of the approvals for the guard of calls and the verbs. */

export interface AskOptions {
  /** How long an answer counts. */
  readonly keptMs?: Millis
  /** For which more than this once may be allowed. */
  readonly wish?: Wish
  /** The MCP client that asks; absent for callers whose end says nothing, as a command of the command line. */
  readonly mcpClient?: string
}

/** The client or the terminal that has ended. */
export type Ended = { readonly client: string } | { readonly terminalId: string }

export interface Answer {
  readonly isAllowed: boolean
  readonly by: string
  /** Allowed beyond this once. Errors of `decide`: `invalid_input` where that is not offered. */
  readonly grant?: GrantChoice
}

export interface ApprovalAnswer {
  readonly approvalId: string
  readonly state: 'allowed' | 'denied'
}

/** Called with each approval when it is asked, answered or has expired. */
export type ApprovalChanged = (approval: Approval) => void

export interface ApprovalQueue {
  /** Whether a person watches new approvals: an answer may come soon. */
  readonly isWatched: boolean
  /** The MCP clients whose approvals are open. */
  readonly asking: readonly string[]
  /** The newest last. */
  list(): readonly Approval[]
  /** Asks a person, once for the same wish, and computes its details only then; an answer counts for `keptMs`. Errors: `limit_reached`. */
  ask(key: string, request: () => ApprovalRequest, options?: AskOptions): Approval
  /** The newest answer that still counts for this wish; an `allowed` one counts only once, and is spent by this. */
  answerTo(key: string): ApprovalAnswer | null
  /** Takes back the open approvals of a client or of a terminal that has ended. */
  withdrawFrom(ended: Ended): void
  /**
   * Records the first answer. Errors: `not_asking` when there is one, when it came too late, or when there is no such
   * request.
   */
  decide(approvalId: string, answer: Answer): Approval
  /** The grant that lets it through, which this counts as used; null where none does. */
  grantedTo(wish: Wish): Grant | null
  /** Those that hold, the newest last. */
  grants(): readonly Grant[]
  /** Errors: `not_asking`. */
  revoke(grantId: string): Grant
  /** Resolves with the next change, or at this time by the server's clock; false then. */
  changed(latest: Millis, signal?: AbortSignal): Promise<boolean>
  /** The same, for clients that show approvals to a person. */
  watched(latest: Millis, signal?: AbortSignal): Promise<boolean>
}

/** The next move of a caller whose call needs an approval: the same call once more, in the words of the caller's face. */

export const repeatByTool = (tool: string): string => `call ${tool} again with the same input`
const byTool = /call .+? again with the same input/

/** The same error for the command line: `command` is the line that the caller has used. */
export function repeatedByCommand(error: TermError, command: string): TermError {
  if (!refusedUntilAllowed.has(error.code)) return error
  return new TermError(
    error.code,
    error.message,
    error.hint.replace(byTool, () => `run again: ${command}`),
    error.refusal,
  )
}

const refusedUntilAllowed: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['needs_approval'])

/** The id of the approval that such an error names; null for other errors. */
export function approvalIn(error: Pick<TermError, 'code' | 'message'>): string | null {
  if (error.code !== 'needs_approval') return null
  return / they are asked as (\S+)\.$/.exec(error.message)?.[1] ?? null
}

/**
 * Text for the decision of a person: characters that a terminal or a browser would hide, or show as others, are spelled out.
 *
 * @example shownText('rm \u202efdp.exe') // 'rm ⟨U+202E⟩fdp.exe'
 */

/** Everything but printable ASCII, letters, digits and signs that look like themselves, and line feeds. */
const misleading = /[^\n\x20-\x7e\p{L}\p{N}\p{P}\p{S}]|\p{M}|[\u00a0\u00ad\u3164\uffa0\u115f\u1160\u2800]/gu
/** Letters that are taken for Latin ones, and signs that are taken for those of a shell. */
const lookAlike = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Cherokee}\p{Script=Lisu}\u2044\u2215\uff01-\uff5e]/gu
/** In a command they are taken for the sign of an option. */
const dash = /[\u2010-\u2015]/g
/** The mark itself cannot be forged: it is spelled out as well. */
const mark = /[⟨⟩]/g

/** `prose`: the words of a question or its options, which run nothing; dashes stay in it. */
export function shownText(text: string, charactersMax: number, kind: 'command' | 'prose' = 'command'): string {
  const [head, tail] = cut(text.replaceAll(/\r\n?/g, '\n'), charactersMax)
  if (tail === '') return spelled(head, kind)
  const left = text.length - head.length - tail.length
  return `${spelled(head, kind)}\n⟨${left} characters more⟩\n${spelled(tail, kind)}`
}

/** Keeps both ends of a text: the end often matters most. */
function cut(text: string, max: number): readonly [head: string, tail: string] {
  if (text.length <= max) return [text, '']
  const half = Math.floor(max / 2)
  return [text.slice(0, half), text.slice(-half)]
}

function spelled(text: string, kind: 'command' | 'prose'): string {
  const isMixed = /[a-zA-Z]/.test(text)
  const plain = text.replaceAll(mark, codeOf).replaceAll(misleading, codeOf)
  if (!isMixed) return plain
  const letters = plain.replaceAll(lookAlike, codeOf)
  return kind === 'prose' ? letters : letters.replaceAll(dash, codeOf)
}

function codeOf(character: string): string {
  const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `⟨U+${number}⟩`
}
