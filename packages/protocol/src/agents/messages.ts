/** Messages between agents. Each waits in its receiver's inbox, and is delivered once: typed there, or fetched by the receiver. */

import * as z from 'zod'
import { Origin } from '../call/call-options.ts'
import { errorCodeOf, errorCodes } from '../errors.ts'

/** `steering`: an instruction for the current turn, from the caller that leads the agent; any other message is data for it. */
const MessageKind = z.enum(['message', 'steering'])

export const MessageState = z
  .enum(['waiting', 'delivered', 'taken', 'uncertain', 'undeliverable'])
  .describe(
    '`waiting`: in the inbox. `delivered`: typed, and proved to be taken. `taken`: the receiver has fetched it. `uncertain`: the server ended while it was typed, or it stands in the input box; it is not typed again. `undeliverable`: the receiver has ended first.',
  )
export type MessageState = z.infer<typeof MessageState>

const Sender = z.strictObject({
  /** Null for a person or a program outside of terminals. */
  terminalId: z.string().nullable(),
  /** Name of the terminal, or of the program outside. */
  name: z.string().nullable(),
  /** The id of its scope; null without one. */
  scope: z.string().nullable(),
})
export type Sender = Readonly<z.infer<typeof Sender>>

const KeptMessage = z.strictObject({
  messageId: z.string(),
  from: Sender,
  kind: MessageKind,
  text: z.string(),
  /** In milliseconds since 1970. */
  sentAt: z.number(),
  /** `typing`: its bytes may be on their way. */
  state: z.enum([...MessageState.options, 'typing']),
  endedAt: z.number().nullable(),
  why: z.string().nullable(),
})
export type KeptMessage = Readonly<z.infer<typeof KeptMessage>>

export const KeptInbox = z.strictObject({
  terminalId: z.string(),
  last: z.number().int().min(0),
  /** In the order in which they were sent. */
  messages: z.array(KeptMessage),
})
export type KeptInbox = Readonly<z.infer<typeof KeptInbox>>

/** Keeps inboxes for the next server. Errors: `machine_unfit`, on a full disk say. */
export interface InboxStore {
  readonly loadInboxes: () => readonly KeptInbox[]
  readonly saveInbox: (inbox: KeptInbox) => void
  readonly dropInbox: (terminalId: string) => void
}

export const Message = z.object({
  messageId: z.string().describe('Its id.'),
  terminalId: z.string().describe('The terminal of its receiver.'),
  from: z
    .string()
    .nullable()
    .describe('The terminal of its sender; null for one outside of terminals, or that the caller does not see.'),
  fromName: z.string().nullable().describe('The name of that terminal, or of the program outside.'),
  kind: MessageKind.describe('`steering`: for the turn that is under way.'),
  text: z.string().describe('What it says: data of its sender.'),
  sentAt: z.number().describe('In milliseconds since 1970.'),
  state: MessageState,
  endedAt: z.number().nullable().describe('When it was delivered, taken or given up; null while it waits.'),
  why: z.string().nullable().describe('Why it was not delivered, in words.'),
})
export type Message = Readonly<z.output<typeof Message>>

/** Another agent that it waits for. */
const KeptDependency = z.strictObject({
  /** Its terminal, or the name under which it is queued. */
  target: z.string(),
  /** Its name in lists. */
  shown: z.string(),
  /** The names by which the task may call its answer. */
  names: z.array(z.string()),
})
export type KeptDependency = Readonly<z.infer<typeof KeptDependency>>

const KeptCode = z.preprocess((code) => (code === 'environment' ? errorCodeOf(code) : code), z.enum(errorCodes))
const KeptFailure = z.strictObject({ code: KeptCode, message: z.string(), hint: z.string() })

/** Records of queued agents, which start once others have finished. They outlive the server. */
export const KeptQueuedAgent = z.strictObject({
  /** That of its terminal, once there is one; until then it is its id. */
  name: z.string(),
  slot: z.number().int().nullable(),
  workspace: z.string().nullable(),
  type: z.string(),
  model: z.string().nullable(),
  cwd: z.string().nullable(),
  throughShell: z.enum(['always', 'never', 'unless-set']).nullable(),
  /** With the answers of others not filled in yet. */
  task: z.string(),
  dependencies: z.array(KeptDependency),
  /** How long they may take, in seconds, and until when that is, in milliseconds since 1970. */
  seconds: z.number(),
  until: z.number(),
  queuedAt: z.number(),
  /** The caller that queued it; the agent is started on its behalf. */
  origin: Origin,
  /** `starting`: its terminal may be there. */
  state: z.enum(['waiting', 'starting', 'failed']),
  /** Why it was not started; null for one that may still be. */
  failure: KeptFailure.nullable(),
})
export type KeptQueuedAgent = Readonly<z.infer<typeof KeptQueuedAgent>>

/** Keeps them, each by its name. Errors: `machine_unfit`, on a full disk say. */
export interface QueuedAgentStore {
  /** The one that was queued first comes first. */
  readonly load: () => readonly KeptQueuedAgent[]
  readonly save: (queued: KeptQueuedAgent) => void
  readonly drop: (name: string) => void
}
