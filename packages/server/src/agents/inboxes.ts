/**
 * The inboxes of agents, by their terminals. Each change is stored before anything follows from it. If a server ends
 * while it types a message, the next one reports the message as uncertain and does not type it again. A message leaves
 * its inbox once.
 */

import { type Clock, changeBefore, limitReached, type Millis, TermError } from '@agentpty/protocol'
import {
  endedMessagesMax,
  type InboxStore,
  inboxesKeptMax,
  type KeptInbox,
  type KeptMessage,
  type MessageState,
  waitingBytesMax,
  waitingMessagesMax,
} from '@agentpty/protocol/agents'

export interface Ended {
  readonly state: Exclude<MessageState, 'waiting'>
  readonly why: string | null
}

export type Addressed = KeptMessage & { readonly terminalId: string }

export class Inboxes {
  readonly #store: InboxStore
  readonly #clock: Clock
  /** The one that was changed last comes last. */
  readonly #inboxes = new Map<string, KeptInbox>()
  readonly #listeners = new Set<() => void>()

  constructor(store: InboxStore, clock: Clock) {
    this.#store = store
    this.#clock = clock
    for (const inbox of store.loadInboxes()) this.#inboxes.set(inbox.terminalId, inbox)
    const why = 'The server ended while it was typed.'
    for (const { terminalId, messages } of [...this.#inboxes.values()])
      if (messages.some(isTyping)) this.#change(terminalId, isTyping, this.#over({ state: 'uncertain', why }))
  }

  get receivers(): readonly string[] {
    return [...this.#inboxes.values()].filter(({ messages }) => messages.some(isOpen)).map((one) => one.terminalId)
  }

  /** Errors: `limit_reached` when it is full, `machine_unfit`; then nothing has changed. */
  add(terminalId: string, draft: Pick<KeptMessage, 'from' | 'kind' | 'text'>): Addressed {
    const { last, messages } = this.#inboxes.get(terminalId) ?? { last: 0, messages: [] }
    assertRoom(terminalId, messages.filter(isOpen), draft.text)
    const number = last + 1
    const message: KeptMessage = {
      messageId: `${terminalId}-m${number}`,
      ...draft,
      sentAt: this.#clock.wall(),
      state: 'waiting',
      endedAt: null,
      why: null,
    }
    this.#keep({ terminalId, last: number, messages: [...messages, message] })
    return { ...message, terminalId }
  }

  messagesOf(terminalId: string): readonly Addressed[] {
    return (this.#inboxes.get(terminalId)?.messages ?? []).map((message) => ({ ...message, terminalId }))
  }

  waitingIn(terminalId: string): readonly Addressed[] {
    return this.messagesOf(terminalId).filter(({ state }) => state === 'waiting')
  }

  all(): readonly Addressed[] {
    return [...this.#inboxes.keys()].flatMap((terminalId) => this.messagesOf(terminalId))
  }

  /** Takes those that wait, and are wanted, out. Errors: `machine_unfit`; then none is. */
  take(terminalId: string, isWanted: (message: KeptMessage) => boolean): readonly Addressed[] {
    const taken = this.waitingIn(terminalId).filter(isWanted)
    if (taken.length === 0) return []
    const ids = new Set(taken.map(({ messageId }) => messageId))
    const over = this.#over({ state: 'taken', why: null })
    this.#change(terminalId, ({ messageId }) => ids.has(messageId), over)
    return taken.map((message) => ({ ...message, ...over }))
  }

  /** Their bytes go out now. Errors: `machine_unfit`; `agent_busy` where one of them has been taken meanwhile. */
  beginTyping(terminalId: string, messageIds: ReadonlySet<string>): void {
    const waiting = this.waitingIn(terminalId).filter(({ messageId }) => messageIds.has(messageId))
    if (waiting.length < messageIds.size) throw new TermError('agent_busy', 'A message was taken meanwhile.', '')
    this.#change(terminalId, ({ messageId }) => messageIds.has(messageId), { state: 'typing' })
  }

  /** Ends those of them that are open. */
  end(terminalId: string, messageIds: ReadonlySet<string>, ended: Ended): void {
    const isMeant = (message: KeptMessage) => messageIds.has(message.messageId) && isOpen(message)
    this.#change(terminalId, isMeant, this.#over(ended))
  }

  endAll(terminalId: string, why: string): void {
    const waiting = this.waitingIn(terminalId)
    const ids = new Set(waiting.map(({ messageId }) => messageId))
    if (ids.size > 0) this.end(terminalId, ids, { state: 'undeliverable', why })
  }

  /** Resolves with the next change of any inbox, at that time, or when the signal aborts. */
  async changed(latest: Millis, signal?: AbortSignal): Promise<void> {
    await changeBefore(this.#listeners, { clock: this.#clock, latest, signal })
  }

  #over({ state, why }: Ended): Partial<KeptMessage> {
    return { state, why, endedAt: this.#clock.wall() }
  }

  #change(terminalId: string, isMeant: (message: KeptMessage) => boolean, change: Partial<KeptMessage>): void {
    const inbox = this.#inboxes.get(terminalId)
    if (inbox === undefined) return
    const messages = inbox.messages.map((message) => (isMeant(message) ? { ...message, ...change } : message))
    this.#keep({ ...inbox, messages })
  }

  #keep(inbox: KeptInbox): void {
    const over = inbox.messages.filter((message) => !isOpen(message))
    const forgotten = new Set(over.slice(0, Math.max(0, over.length - endedMessagesMax)))
    const kept = { ...inbox, messages: inbox.messages.filter((message) => !forgotten.has(message)) }
    this.#store.saveInbox(kept)
    this.#inboxes.delete(kept.terminalId)
    this.#inboxes.set(kept.terminalId, kept)
    this.#forgetOldest()
    for (const listener of [...this.#listeners]) listener()
  }

  #forgetOldest(): void {
    const quiet = [...this.#inboxes.values()].filter(({ messages }) => !messages.some(isOpen))
    for (const { terminalId } of quiet.slice(0, Math.max(0, quiet.length - inboxesKeptMax))) {
      this.#inboxes.delete(terminalId)
      this.#store.dropInbox(terminalId)
    }
  }
}

const isTyping = ({ state }: KeptMessage) => state === 'typing'
export const isOpen = ({ state }: Pick<KeptMessage, 'state'>): boolean => state === 'waiting' || state === 'typing'

/** Errors: `limit_reached`. */
function assertRoom(terminalId: string, waiting: readonly KeptMessage[], text: string): void {
  const bytes = waiting.reduce((sum, one) => sum + Buffer.byteLength(one.text), Buffer.byteLength(text))
  if (waiting.length < waitingMessagesMax && bytes <= waitingBytesMax) return
  throw limitReached(
    `The inbox of ${terminalId} is full: ${waiting.length} messages wait in it. This one was not put there.`,
    'Wait until it has read some (agentpty agent message --wait), or write them to a file and send its path.',
  )
}
