/** The verbs of messages: who may write to whom, and who sees what. */

import { type Clock, invalidInput, TermError } from '@agentpty/protocol'
import type { Agents, AgentTerminals, InboxStore, KeptMessage, Message, Sender } from '@agentpty/protocol/agents'
import { leads, ownIdOf, ownTerminal } from './agent-terminals.ts'
import { Deliveries, messagesInWords, withoutControls } from './deliver-messages.ts'
import { type Addressed, Inboxes, isOpen } from './inboxes.ts'
import type { KeptByTerminal } from './kept-nodes.ts'

export interface Messaging {
  readonly store: InboxStore
  readonly kept: KeptByTerminal
  readonly clock: Clock
  readonly newNonce: () => string
}

type MessageVerbs = Pick<Agents, 'deliverMessages' | 'sendMessage' | 'inbox' | 'sentMessages'>

export function messageVerbs({ store, kept, clock, newNonce }: Messaging): MessageVerbs {
  const inboxes = new Inboxes(store, clock)
  const deliveries = new Deliveries({ inboxes, kept, newNonce })
  return {
    deliverMessages: (terminals) => deliveries.start(terminals),
    async sendMessage({ terminalId: named, toParent, text: written, steer }, terminals) {
      if ((named === undefined) === (toParent === undefined))
        throw invalidInput('One receiver is needed.', 'Name its terminal, or the parent.')
      // A separate call, which is judged like any call to that terminal.
      if (named === undefined) {
        return terminals.call('sendMessage', { terminalId: parentOf(terminals), text: written, steer })
      }
      const terminalId = terminals.idOf(named)
      assertReceives(terminalId, terminals)
      if (steer) assertLeads(terminalId, terminals, 'Only the caller that started an agent can steer it', 'not')
      const text = withoutControls(written)
      if (text.trim() === '') throw invalidInput('The message is empty.', '')
      const kind = steer ? 'steering' : 'message'
      const { messageId } = inboxes.add(terminalId, { from: senderOf(terminals), kind, text })
      deliveries.deliver(terminalId)
      return { messageId, terminalId, state: 'waiting' }
    },
    async inbox({ terminalId: named, take, ended }, terminals) {
      const terminalId =
        named === undefined ? ownTerminal(terminals, 'you have no inbox', inboxHint) : terminals.idOf(named)
      if (take !== 'none')
        assertLeads(terminalId, terminals, 'Only an agent itself, or who has started it, takes its messages', 'too')
      const isWanted = ({ kind }: KeptMessage) => take === 'all' || kind === 'steering'
      const messages =
        take === 'none'
          ? inboxes.messagesOf(terminalId).filter((message) => ended || isOpen(message))
          : inboxes.take(terminalId, isWanted)
      const shown = messages.map((message) => shownTo(message, terminals))
      return { messages: shown, text: take === 'none' ? '' : messagesInWords(shown, newNonce) }
    },
    async sentMessages({ messageIds, waitTimeoutMs }, terminals) {
      const deadline = clock.now() + waitTimeoutMs
      const { signal } = terminals.context
      for (;;) {
        const sent = inboxes.all().filter((message) => isSentBy(message, terminals))
        const found = messageIds === undefined ? sent : messageIds.map((id) => findIn(sent, id))
        const isOver = !found.some(isOpen) || clock.now() >= deadline || signal?.aborted === true
        if (isOver) return { messages: found.map((message) => shownTo(message, terminals)) }
        await inboxes.changed(deadline, signal)
      }
    },
  }
}

const inboxHint = 'Name one: agentpty agent inbox ID. See agentpty agent ls.'

function parentOf(terminals: AgentTerminals): string {
  const own = ownIdOf(terminals)
  const parent = own === null ? null : (terminals.placeOf(own)?.parent ?? null)
  // A caller that may not see the parent does not learn that it exists.
  if (parent !== null && terminals.isSeen(parent)) return parent
  const what =
    own === null ? 'You run in no terminal of agentpty' : `${own} was opened from no terminal that you may write to`
  throw invalidInput(`${what}, so you have no parent.`, 'Name the receiver: agentpty agent ls')
}

function senderOf(terminals: AgentTerminals): Sender {
  const { context, placeOf } = terminals
  const terminalId = ownIdOf(terminals)
  const name = terminalId === null ? (context.program ?? null) : (placeOf(terminalId)?.name ?? null)
  return { terminalId, name, scope: context.scope?.id ?? null }
}

/** Errors: `session_exited`; `invalid_input` for its own. */
function assertReceives(terminalId: string, terminals: AgentTerminals): void {
  if (ownIdOf(terminals) === terminalId)
    throw invalidInput('You would write to yourself.', 'See who there is: agentpty agent tree')
  if (terminals.placeOf(terminalId)?.hasEnded !== false)
    throw new TermError(
      'session_exited',
      `The program in ${terminalId} has ended: it reads no messages.`,
      `Go on with its conversation: agentpty agent resume ${terminalId}`,
    )
}

/** Errors: `denied`. */
function assertLeads(terminalId: string, terminals: AgentTerminals, what: string, own: 'too' | 'not'): void {
  if (leads(terminalId, terminals, own)) return
  const message = `${what}, and ${terminalId} was not started by ${ownIdOf(terminals)}.`
  throw new TermError('denied', message, 'Send it a message instead.')
}

function isSentBy({ from }: Addressed, terminals: AgentTerminals): boolean {
  const { scope } = terminals.context
  const own = ownIdOf(terminals)
  if (own !== null) return from.terminalId === own
  return scope === undefined || from.scope === scope.id
}

function findIn(sent: readonly Addressed[], messageId: string): Addressed {
  const found = sent.find((message) => message.messageId === messageId)
  if (found !== undefined) return found
  const hint = 'It may be forgotten: of each receiver the last are kept.'
  throw invalidInput(`You have sent no message "${messageId}".`, hint)
}

/** The sender only to those who see it. */
function shownTo({ from, state, ...message }: Addressed, { isSeen, context }: AgentTerminals): Message {
  const isKnown = from.terminalId === null ? context.scope === undefined : isSeen(from.terminalId)
  return {
    ...message,
    from: isKnown ? from.terminalId : null,
    fromName: isKnown ? from.name : null,
    state: state === 'typing' ? 'waiting' : state,
  }
}
