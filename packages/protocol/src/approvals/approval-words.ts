import { type ErrorCode, TermError } from '../errors.ts'
import type { Millis } from '../units.ts'

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

/** A request of an agent that needs a person's approval. Every client shows the same, and the first answer counts. */
export const approvalStates = ['open', 'allowed', 'denied', 'expired', 'withdrawn'] as const

// Every bound of approvals and grants. Durations are in milliseconds unless the name says otherwise.

/** Limits of approvals: how many are open, for how long each may be answered and used, and how many answered ones are kept for display. */
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

/** The client or the terminal that has ended, or the approval whose program has. */
export type Ended = { readonly client: string } | { readonly terminalId: string } | { readonly approvalId: string }

export interface ApprovalAnswer {
  readonly approvalId: string
  readonly state: 'allowed' | 'denied'
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

// The choices of a person who allows more than one call, in the same words in every view.

/** The durations of a grant that a person can choose, the shortest first. */
export const grantTimes = [
  [60 * 60 * 1_000, '1 hour'],
  [grantMs, '8 hours'],
  [grantMsMax, '7 days'],
] as const

interface Asked {
  readonly terminalId: string | null
  readonly cwd: string
}

/** The narrower one first. A call that opens a terminal has no terminal yet. */
export function grantPlaces({ terminalId, cwd }: Asked): readonly (readonly ['terminal' | 'folder', string])[] {
  const folder = ['folder', `in every terminal in ${cwd}`] as const
  return terminalId === null ? [folder] : [['terminal', `in ${terminalId} only`], folder]
}

interface Offered {
  readonly same: string
  readonly like: string | null
}

/** The narrower one first. */
export function grantCommands({ same, like }: Offered): readonly (readonly ['same' | 'like', string])[] {
  return like === null
    ? [['same', same]]
    : [
        ['same', same],
        ['like', like],
      ]
}

// Text for the decision of a person: characters that a terminal or a browser would hide, or show as others, are spelled out.
//
// @example shownText('rm \u202efdp.exe') // 'rm ⟨U+202E⟩fdp.exe'

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
