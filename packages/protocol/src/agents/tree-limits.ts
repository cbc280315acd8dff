import * as z from 'zod'

// The bounds of data about agents.

export const agentSettingsMax = 100
/** Limit of agents whose description and last task are stored: as many as terminals may be kept. */
export const agentsKeptMax = 2_000

/** Bytes of a message: a few pages. What is longer belongs into a file whose path is sent. */
export const messageBytesMax = 16_384
/** Messages that wait in one inbox, and their bytes together: an agent reads them all in one turn or few. */
export const waitingMessagesMax = 100
export const waitingBytesMax = 262_144
/** Ended messages of one inbox, for callers that ask about them; the oldest are dropped first. */
export const endedMessagesMax = 50
/** Inboxes in which nothing waits; the oldest are forgotten first. */
export const inboxesKeptMax = 500
/** Bytes of waiting messages that are typed together; a single message is always typed whole. */
export const typedTogetherBytesMax = 24_576

/** Limits for reading transcripts. They are files of other programs, with any content. */
/** A line that is longer is passed over: an answer of more than 1 MiB fits, and an image does. */
export const transcriptLineBytesMax = 8 * 1024 * 1024
/** Bytes of one agent's transcripts in one pass: some seconds of reading. The next pass continues there. */
export const transcriptLookBytesMax = 64 * 1024 * 1024
/** How long (ms) a call waits for a look: what is known until then is shown. */
export const transcriptLookMsMax = 500
/** How long (ms) it is not looked for a transcript again that was not there. */
export const transcriptSearchMs = 2_000
/** Names in folders that are gone through in search of one. */
export const transcriptNamesMax = 20_000
/** Files of one conversation: its own, and those of its helpers. */
export const transcriptFilesMax = 100
/** Agents whose transcripts are followed. */
export const transcriptsMax = 500
/** Requests whose usage is remembered: a program reports the same request again soon after. */
export const requestsRememberedMax = 1_000
/** Pages of a database that one look may read, and frames of its log that are known: 80 MB, and 64 MB. */
export const databasePagesMax = 20_000
export const databaseFramesMax = 16_000
/** Messages of a conversation that a look takes in, and those in which an answer is searched for: the newest. */
export const messagesReadMax = 4_000
export const messagesSearchedMax = 50
/** Conversations among which that of an agent is searched for: the newest. */
export const conversationsSearchedMax = 500
/** Bytes of the beginning and of the end of a transcript that are searched for a task. */
export const transcriptSearchBytesMax = 1024 * 1024

/** Terminals above one another at most; the notes of each name all of them. */
export const treeDepthMax = 32
const minutesMax = 7 * 24 * 60
const tokensMax = 1_000_000_000_000

export interface SetTreeLimits {
  readonly depth: number
  readonly children: number
  readonly total: number
  readonly startsPerMinute: number
  /** Null: no end. */
  readonly wallMinutes: number | null
  /** Null: any. */
  readonly tokens: number | null
}

/** A person has as many terminals as `sessionsMax` allows: these hold for what programs in terminals open. */
export const treeLimitsDefault: SetTreeLimits = {
  depth: 5,
  children: 50,
  total: 200,
  startsPerMinute: 30,
  wallMinutes: null,
  tokens: null,
}

const whole = (max: number) => z.number().int().min(0).max(max).optional()

export const TreeLimits = z.strictObject({
  depth: whole(treeDepthMax).describe('How many levels may be below it. Default 5.'),
  children: whole(10_000).describe('How many terminals each may have open that it has opened itself. Default 50.'),
  total: whole(10_000).describe('How many may be open below it together. Default 200.'),
  startsPerMinute: whole(1_000).describe('How many may be opened below it within any minute. Default 30.'),
  wallMinutes: whole(minutesMax).describe(
    'How long one may last: then it is closed with all below it. Default: without end.',
  ),
  tokens: whole(tokensMax).describe(
    'How many tokens it and all below it may use together, in and out: then nothing is started below it, and none of them is instructed. Default: any.',
  ),
})
export type TreeLimits = z.infer<typeof TreeLimits>

/** Limits that a terminal was given when it was opened. They count for it and all below it. */
export const GivenLimits = z.object({ of: z.string(), limits: TreeLimits })
export type GivenLimits = z.infer<typeof GivenLimits>
