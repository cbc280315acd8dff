/**
 * Agents for programs: started, instructed, waited for and asked for their answers. Every method is a verb of the API; see docs/agents.md.
 *
 * A wait lasts as long as the caller asks, over as many calls as it takes; asking again gives the same answer.
 */

import { type Client, defined, TermError, waitMsMax } from '@agentpty/protocol'
import type { Message } from '@agentpty/protocol/agents'
import type { VerbInput, VerbOutput } from '@agentpty/protocol/verbs'
import { inLibraryWords } from './approving.ts'
import type { Terminals } from './terminals.ts'

export type SpawnAgentOptions = Omit<VerbInput<'spawn'>, 'agent' | 'command' | 'shell' | 'nodeId'>
export type ForkOptions = Omit<VerbInput<'fork'>, 'terminalId'>
export type InstructOptions = Omit<VerbInput<'instruct'>, 'terminalId' | 'text'>
export interface MessageOptions {
  /** An instruction for its turn that is under way, which a hook hands over; else it waits as any message. */
  readonly steer?: boolean
}
export type AgentTurn = VerbOutput<'awaitAgents'>['agents'][number]
export type Dialog = VerbOutput<'reply'>

export interface FinishedOptions {
  /** The longest wait in ms; default: no limit. */
  readonly timeoutMs?: number
  /** `end`: a dialog ends the wait, which is the default; `wait`: the wait continues until the dialog is answered. */
  readonly atDialog?: 'end' | 'wait'
}

/** One agent in a terminal. Errors of every method: `session_not_found` once its terminal is closed. */
export class TeamAgent {
  /** The id of its terminal. */
  readonly id: string
  readonly #client: Client

  /** Made by {@link Team}. */
  constructor(client: Client, id: string) {
    this.#client = client
    this.id = id
  }

  /** Gives it a task, once it is idle; resolves to the id of the task when it was taken. Errors: `needs_answer`, `agent_busy`, `not_submitted`. */
  async instruct(text: string, options: InstructOptions = {}): Promise<string> {
    return (await inLibraryWords(this.#client.call('instruct', { terminalId: this.id, text, ...options }))).taskId
  }

  /** Puts a message into its inbox, which it reads as data once it is idle; resolves to the id of the message. Errors: `session_exited`, `limit_reached`. */
  async message(text: string, { steer = false }: MessageOptions = {}): Promise<string> {
    const sent = this.#client.call('sendMessage', { terminalId: this.id, text, steer })
    return (await inLibraryWords(sent)).messageId
  }

  /** Takes the messages out that wait for it. */
  async inbox(): Promise<readonly Message[]> {
    return (await inLibraryWords(this.#client.call('inbox', { terminalId: this.id, take: 'all' }))).messages
  }

  /** Waits until it has finished, asks something, has ended or was closed: `outcome` says which. */
  async finished(options: FinishedOptions = {}): Promise<AgentTurn> {
    const [turn] = await awaited(this.#client, [this.id], 'all', options)
    return turn ?? { terminalId: this.id, outcome: 'gone' }
  }

  /** Its answer to its last task, or its last message if it has no fenced answer; null while there is none. */
  async answer(): Promise<string | null> {
    const asked = this.#client.call('artifact', { terminalId: this.id, capture: 'missing' })
    return (await inLibraryWords(asked)).artifact?.output ?? null
  }

  /** The dialog that it shows. Errors: `not_asking`. */
  dialog(): Promise<Dialog> {
    return inLibraryWords(this.#client.call('reply', { terminalId: this.id }))
  }

  /** Chooses an option of its dialog, by number, label or words of it. Errors: `not_asking`, `invalid_input`, `not_submitted`. */
  reply(option: string): Promise<Dialog> {
    return inLibraryWords(this.#client.call('reply', { terminalId: this.id, option }))
  }

  /** Starts a second agent with this one's state. Errors: `invalid_input` if its program cannot. */
  async fork(options: ForkOptions = {}): Promise<TeamAgent> {
    const { terminal } = await inLibraryWords(this.#client.call('fork', { terminalId: this.id, ...options }))
    return agentIn(this.#client, terminal, this.id)
  }

  /** Ends it with every process in its terminal. */
  async kill(): Promise<void> {
    await inLibraryWords(this.#client.call('close', { terminalId: this.id }))
  }
}

/** Agents of one server. */
export class Team implements AsyncDisposable {
  /** The terminals in which they are. */
  readonly terminals: Terminals

  constructor(terminals: Terminals) {
    this.terminals = terminals
  }

  /** Starts an agent by its name (`claude`), or by a command line. Errors: `spawn_failed` when there is no such program. */
  async spawn(agent: string, options: SpawnAgentOptions = {}): Promise<TeamAgent> {
    const { client } = this.terminals
    const { terminal } = await inLibraryWords(client.call('spawn', { ...options, agent }))
    return agentIn(client, terminal, agent)
  }

  /** Starts one that has ended again, with its conversation. Errors: `session_not_found`, `invalid_input`. */
  async resume(agentId: string, options: Omit<VerbInput<'resume'>, 'agentId'> = {}): Promise<TeamAgent> {
    const { client } = this.terminals
    const { terminal } = await inLibraryWords(client.call('resume', { agentId, ...options }))
    return agentIn(client, terminal, agentId)
  }

  /** The agents that there are. */
  async list(): Promise<VerbOutput<'agents'>['agents']> {
    return (await this.terminals.client.call('agents', {})).agents
  }

  /** Returns the state of the messages that this program has sent. With a timeout, waits until none of them is pending or the time is over. */
  async sent(
    messageIds?: readonly string[],
    { timeoutMs = 0 }: Pick<FinishedOptions, 'timeoutMs'> = {},
  ): Promise<readonly Message[]> {
    const { client } = this.terminals
    for (let left = timeoutMs; ; left -= sentMsMax) {
      const input = {
        messageIds: messageIds === undefined ? undefined : [...messageIds],
        waitTimeoutMs: Math.min(left, sentMsMax),
      }
      const { messages } = await inLibraryWords(client.call('sentMessages', defined(input)))
      if (left <= sentMsMax || messages.every(({ state }) => state !== 'waiting')) return messages
    }
  }

  /** Waits until one of them has finished, asks something or is lost; null when the time was over first. */
  async any(agents: readonly TeamAgent[], options: FinishedOptions = {}): Promise<TeamAgent | null> {
    const ids = agents.map(({ id }) => id)
    const turns = await awaited(this.terminals.client, ids, 'any', options)
    const first = turns.find(({ outcome }) => outcome !== undefined && outcome !== 'timeout')
    return agents.find(({ id }) => id === first?.terminalId) ?? null
  }

  /** Waits until all of them have finished; returns their states in the same order. Ends immediately when one of them is lost. */
  all(agents: readonly TeamAgent[], options: FinishedOptions = {}): Promise<readonly AgentTurn[]> {
    const ids = agents.map(({ id }) => id)
    return awaited(this.terminals.client, ids, 'all', options)
  }

  /** Ends the connection; agents of a private server end with it. */
  close(): Promise<void> {
    return this.terminals.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

/** The longest time that one call waits for messages. */
const sentMsMax = 60_000

function agentIn(client: Client, terminal: VerbOutput<'spawn'>['terminal'], what: string): TeamAgent {
  if (terminal !== null) return new TeamAgent(client, terminal.terminalId)
  throw new TermError('spawn_failed', `There is no agent or command "${what}".`, 'See: agentpty agents')
}

async function awaited(
  client: Client,
  terminalIds: readonly string[],
  until: 'all' | 'any',
  { timeoutMs = Number.POSITIVE_INFINITY, atDialog = 'end' }: FinishedOptions,
): Promise<readonly AgentTurn[]> {
  for (let left = timeoutMs; ; left -= waitMsMax) {
    const input = { terminalIds: [...terminalIds], until, atDialog, waitTimeoutMs: Math.min(left, waitMsMax) }
    const { agents } = await inLibraryWords(client.call('awaitAgents', defined(input)))
    const late = agents.filter(({ outcome }) => outcome === 'timeout').length
    const isOver = until === 'any' ? late < agents.length : late === 0
    if (isOver || left <= waitMsMax) return agents
  }
}
