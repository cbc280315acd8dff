/** What an agent wants to do and a person must allow first. Every face shows the same, and the first answer counts. */

import * as z from 'zod'
import { Grant, GrantOffer } from './grant.ts'

export const approvalStates = ['open', 'allowed', 'denied', 'expired', 'withdrawn'] as const

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

/** What is known when it is asked. */
export type ApprovalRequest = Omit<
  Approval,
  'approvalId' | 'state' | 'askedAt' | 'expiresAt' | 'news' | 'offer' | 'answeredBy'
>

/** As it is kept from one server to the next. */
export interface KeptApproval extends Approval {
  /** What must be the same for the answer to count. */
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
  /** What was allowed beyond once. */
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
