import * as z from 'zod'
import type { Millis } from '../units.ts'
import { type ApprovalAnswer, type AskOptions, approvalStates, type Ended, type Wish } from './approval-words.ts'

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

export const HoldingGrant = Grant.extend({ leftMs: z.number().describe('How long it still holds.') })
export type HoldingGrant = Readonly<z.output<typeof HoldingGrant>>

export const GrantOffer = z.object({
  same: z.string().describe('The very command, in the folder that it was asked in.'),
  like: z.string().nullable().describe('The same with other names; null where there is no such thing.'),
})
export type GrantOffer = Readonly<z.output<typeof GrantOffer>>

export const GrantChoice = z.strictObject({
  where: z.enum(['terminal', 'folder']).describe('In this terminal only, or in every one that is in this folder.'),
  command: z.enum(['same', 'like']).default('same').describe('The very command, or the same with other names.'),
  forMs: z.number().int().min(1).optional().describe('Default 8 hours, at most 7 days.'),
})
export type GrantChoice = Readonly<z.output<typeof GrantChoice>>

export const Approval = z.object({
  approvalId: z.string().describe('To answer it by; never given twice.'),
  state: z
    .enum(approvalStates)
    .describe('`open`: not answered yet. `withdrawn`: its client, its terminal or its program has ended.'),
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
  answeredBy: z.string().nullable().describe('The person or client that answered; null while it is open.'),
})
export type Approval = Readonly<z.output<typeof Approval>>

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

export interface Answer {
  readonly isAllowed: boolean
  readonly by: string
  /** Allowed beyond this once. Errors of `decide`: `invalid_input` where that is not offered. */
  readonly grant?: GrantChoice
}

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
  /** Records the first answer. Errors: `not_asking` when there is one, when it came too late, or when there is no such request. */
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
