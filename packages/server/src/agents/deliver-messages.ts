/**
 * Delivers messages to agents. Waiting messages are typed once the agent is idle, its input box is empty, and no dialog
 * or other work is open. All waiting messages are typed together, because each turn costs a whole request.
 *
 * A terminal without waiting messages is not inspected. While messages wait, the delivery waits for the terminal's turn
 * like any caller.
 */

import { defined, ignoring, isTermError, TermError, waitMsMax } from '@agentpty/protocol'
import { type AgentTerminals, type Message, markedText, typedTogetherBytesMax } from '@agentpty/protocol/agents'
import type { Kind } from '@agentpty/protocol/session'
import type { WaitedTerminal } from '@agentpty/protocol/verbs'
import type { Addressed, Inboxes } from './inboxes.ts'
import type { KeptByTerminal } from './kept-nodes.ts'

interface Delivering {
  readonly inboxes: Inboxes
  readonly kept: KeptByTerminal
  /** Returns a nonce that cannot be predicted. */
  readonly newNonce: () => string
}

/** How long (ms) an agent that was idle a moment ago may take to be so again; then its turn is waited for. */
const idleMs = 1_000

/** The kinds of programs, started as agents, that read lines without an agent's input box. */
const readingKinds: ReadonlySet<Kind | undefined> = new Set<Kind | undefined>(['line', 'repl', 'tui', 'other'])

export class Deliveries {
  readonly #delivering: Delivering
  /** Those whose messages are being delivered. */
  readonly #going = new Set<string>()
  #terminals: AgentTerminals | null = null

  constructor(delivering: Delivering) {
    this.#delivering = delivering
  }

  /** Resumes the delivery of messages that already wait. */
  start(terminals: AgentTerminals): void {
    this.#terminals = terminals
    for (const terminalId of this.#delivering.inboxes.receivers) this.deliver(terminalId)
  }

  deliver(terminalId: string): void {
    const terminals = this.#terminals
    if (terminals === null || this.#going.has(terminalId)) return
    this.#going.add(terminalId)
    // When the server is ending, or the disk is full, waiting messages are kept and delivered with the next message or by
    // the next server.
    this.#deliverAll(terminalId, terminals).catch(ignoring())
  }

  async #deliverAll(terminalId: string, terminals: AgentTerminals): Promise<void> {
    try {
      await this.#untilNoneWaits(terminalId, terminals)
    } finally {
      // Removed immediately: a message that arrives next starts a new delivery.
      this.#going.delete(terminalId)
    }
  }

  async #untilNoneWaits(terminalId: string, terminals: AgentTerminals): Promise<void> {
    const { inboxes, kept } = this.#delivering
    let since = 0
    while (inboxes.waitingIn(terminalId).length > 0) {
      const turn = await turnOf({ terminalId, since, waitFor: 'ready' }, terminals)
      if (turn === null || turn.state === 'exited') {
        inboxes.endAll(terminalId, `${terminalId} has ended.`)
        return
      }
      since = turn.cursor
      const claimed = kept.claimOf(terminalId)
      const mayType = claimed === null && this.#isFree(terminalId) && this.#takesText(terminalId, turn)
      if (mayType && (await this.#typeNext(terminalId, terminals))) continue
      // The terminal does not change until the dialog is answered, the typing is finished, or the agent has the task
      // that it waits for.
      const over = new AbortController()
      const changed = turnOf({ terminalId, since, waitFor: 'output', signal: over.signal }, terminals)
      const busyWith = [claimed, kept.pending.get(terminalId), kept.loading.get(terminalId)]
      await Promise.race([changed, ...busyWith.map((going) => going ?? never)])
      over.abort()
    }
  }

  /** Returns false while a task or the loading of a conversation must come first. */
  #isFree(terminalId: string): boolean {
    const { pending, loading } = this.#delivering.kept
    return !pending.has(terminalId) && !loading.has(terminalId)
  }

  /** A shell would run it, a dialog take it for an answer. */
  #takesText(terminalId: string, { state, needs, kind }: WaitedTerminal): boolean {
    if (state !== 'ready' || needs === 'answer') return false
    return kind === 'agent' || (this.#delivering.kept.agentOf(terminalId) !== null && readingKinds.has(kind))
  }

  /** False where nothing was typed, and its screen must change first. */
  async #typeNext(terminalId: string, terminals: AgentTerminals): Promise<boolean> {
    const { inboxes, kept, newNonce } = this.#delivering
    if (kept.taskOf(terminalId) !== null) await keepAnswer(terminalId, terminals)
    const batch = together(inboxes.waitingIn(terminalId))
    if (batch.length === 0) return true
    const ids = new Set(batch.map(({ messageId }) => messageId))
    let hasBegun = false
    const beginsTyping = () => {
      if (kept.claimOf(terminalId) !== null) throw new TermError('agent_busy', `${terminalId} gets a task.`, '')
      inboxes.beginTyping(terminalId, ids)
      hasBegun = true
    }
    const text = messagesInWords(
      batch.map((message) => said(message, terminals.scopeOf(terminalId))),
      newNonce,
    )
    const input = { terminalId, text, instruct: true, waitFor: 'none', waitTimeoutMs: idleMs } as const
    const typing = terminals.call('send', input, { isMessage: true, beginsTyping })
    const over = typing.then(
      () => {},
      () => {},
    )
    kept.typing.set(terminalId, over)
    try {
      await typing
      inboxes.end(terminalId, ids, { state: 'delivered', why: null })
      return true
    } catch (error) {
      if (!isTermError(error)) throw error
      if (hasBegun) inboxes.end(terminalId, ids, { state: 'uncertain', why: error.message })
      else if (error.code === 'denied') inboxes.end(terminalId, ids, { state: 'undeliverable', why: error.message })
      // Nothing was typed, and it may be later: by its turn, where that is what was in the way.
      return hasBegun || error.code === 'denied' || error.code === 'agent_busy'
    } finally {
      if (kept.typing.get(terminalId) === over) kept.typing.delete(terminalId)
    }
  }
}

/** Returns the message with its sender. A sender that the receiver cannot see is named only as outside. */
function said({ from, kind, text }: Addressed, scope: string | null) {
  const isSeen = scope === null || from.scope === scope
  return { kind, text, from: isSeen ? from.terminalId : null, fromName: isSeen ? from.name : null }
}

const never = new Promise<void>(() => {})

interface Awaited {
  readonly terminalId: string
  readonly since: number
  readonly waitFor: 'ready' | 'output'
  readonly signal?: AbortSignal
}

/** Null when it is gone. */
async function turnOf({ terminalId, since, waitFor, signal }: Awaited, terminals: AgentTerminals) {
  const input = { terminalIds: [terminalId], since: [since], waitFor, waitTimeoutMs: waitMsMax }
  const waited = await terminals.call('wait', input, defined({ signal })).catch(ignoring('session_not_found'))
  return waited?.terminals[0] ?? null
}

/** Stores the answer to the agent's task, which would scroll away. A terminal that has gone is noticed by the next wait. */
async function keepAnswer(terminalId: string, terminals: AgentTerminals): Promise<void> {
  await terminals.call('artifact', { terminalId, capture: 'missing' }).catch(ignoring('session_not_found'))
}

/** Returns the messages from the front of the queue that are typed together. */
function together(waiting: readonly Addressed[]): readonly Addressed[] {
  let bytes = 0
  const end = waiting.findIndex(({ text }, index) => {
    bytes += Buffer.byteLength(text)
    return index > 0 && bytes > typedTogetherBytesMax
  })
  return end < 0 ? waiting : waiting.slice(0, end)
}

// Messages as the text that their receiver reads: who each is from, and that it is data.

const nameCharactersMax = 60

type From = Pick<Message, 'from' | 'fromName'>
type Said = From & Pick<Message, 'kind' | 'text'>

/** @example senderInWords({ from: 'term-5', fromName: 'review' }) // 'review (term-5)' */
function senderInWords({ from, fromName }: From): string {
  // Outside it is a program's own word: nothing of it may look like the end of a mark.
  const name = (fromName ?? '')
    .replaceAll(/[^\p{L}\p{N} ._@/-]+/gu, ' ')
    .trim()
    .slice(0, nameCharactersMax)
  if (from === null) return name === '' ? 'outside' : `${name}, outside of terminals`
  return name === '' ? from : `${name} (${from})`
}

/** Joins messages into one text. It has one line when each message has one, for programs that read lines. */
export function messagesInWords(messages: readonly Said[], newNonce: () => string): string {
  const blank = messages.some(({ text }) => text.includes('\n')) ? '\n' : ' '
  return messages.map((message) => inWords(message, newNonce)).join(blank)
}

/** Returns a message in words. Steering comes from the parent of the agent and is an instruction, not data. */
function inWords({ kind, text, ...sender }: Said, newNonce: () => string): string {
  const who = senderInWords(sender)
  if (kind === 'steering') return `[from ${who}, who leads you: take this into account from now on] ${text}`
  return markedText(text, `message from ${who}`, newNonce())
}

/** Nothing that presses a key: line breaks and tabs are all that stays of control characters. */
export function withoutControls(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '')
}
