/**
 * Messages between agents. Each lies in the inbox of its receiver until it is typed there, or the receiver takes it; it is never both, and
 * neither twice.
 */

import * as z from 'zod'

/**
 * `steering`: an instruction for the turn that is under way, from whoever leads the agent; any other message is data for it.
 */
export const MessageKind = z.enum(['message', 'steering'])
export type MessageKind = z.infer<typeof MessageKind>

export const MessageState = z
  .enum(['waiting', 'delivered', 'taken', 'uncertain', 'undeliverable'])
  .describe(
    '`waiting`: in the inbox. `delivered`: typed, and proved to be taken. `taken`: the receiver has fetched it. `uncertain`: the server ended while it was typed, or it stands in the input box; it is not typed again. `undeliverable`: the receiver has ended first.',
  )
export type MessageState = z.infer<typeof MessageState>

const Sender = z.strictObject({
  /** Null for a person or a program outside of terminals. */
  terminalId: z.string().nullable(),
  /** Of its terminal, or of the program outside. */
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
  /** Of the receiver. */
  terminalId: z.string(),
  /** The number of the last message that it was sent. */
  last: z.number().int().min(0),
  /** In the order in which they were sent. */
  messages: z.array(KeptMessage),
})
export type KeptInbox = Readonly<z.infer<typeof KeptInbox>>

/** Keeps inboxes for the next server. Errors: `environment`, on a full disk say. */
export interface InboxStore {
  readonly loadInboxes: () => readonly KeptInbox[]
  readonly saveInbox: (inbox: KeptInbox) => void
  readonly dropInbox: (terminalId: string) => void
}

/** A message as callers see it. */
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
