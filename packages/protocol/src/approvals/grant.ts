/**
 * What a person has allowed beyond once: a command, or all that differ from it in names only, in one terminal or one folder, for a time.
 * Never what is compound, and never what could not be resolved.
 */

import * as z from 'zod'

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

/** As it is listed. */
export const HoldingGrant = Grant.extend({ leftMs: z.number().describe('How long it still holds.') })
export type HoldingGrant = Readonly<z.output<typeof HoldingGrant>>

/** What a person may allow besides this once. */
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
