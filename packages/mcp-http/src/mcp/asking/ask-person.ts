/**
 * `terminal_ask_person`: shows a program's question to the person in front of the client, and types their answer.
 *
 * A secret is asked for on a page of ours, which the client only opens: neither it nor the model sees what is typed. Where
 * that cannot be, the person is sent to the terminal itself.
 */

import { isTermError, type ServerClient, TermError, waitMsMax } from '@agentpty/protocol'
import { parseInput, TerminalId } from '@agentpty/protocol/call'
import type { ToolDescription } from '@agentpty/protocol/mcp'
import type { AskedByProgram, Question, Questions } from '@agentpty/protocol/questions'
import { leaseReasonCharactersMax } from '@agentpty/protocol/session'
import { isObject, type JsonObject } from '@agentpty/protocol/wire'
import {
  type CallToolResult,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
} from '@modelcontextprotocol/server'
import * as z from 'zod'
import { brief } from '../tool-list.ts'
import { type PendingQuestion, seal } from './approve.ts'

/** Input of `terminal_ask_person`, which is not a verb. */
const askInput = z.strictObject({
  terminalId: TerminalId,
  /** Instead of an answer: why a person is to take the terminal over. */
  takeOver: z.string().min(1).max(leaseReasonCharactersMax).optional(),
})

export const askTool: ToolDescription = {
  name: 'terminal_ask_person',
  description:
    'Have the person answer what a program asks. You see no secrets. takeOver: why they should type there themselves.',
  inputSchema: {
    type: 'object',
    properties: { terminalId: { type: 'string' }, takeOver: { type: 'string' } },
    required: ['terminalId'],
  },
  annotations: { title: 'Ask the person', destructiveHint: true },
}

interface Asking {
  readonly client: ServerClient
  readonly questions: Questions
  /** The address of the page for answers; null without HTTP. */
  readonly pageUrl: () => string | null
  readonly signal: AbortSignal
}

interface Elicitation {
  readonly form: boolean
  readonly url: boolean
}

/** Returns the way in which a client can ask its user; null when it cannot. A client that names no way means forms. */
export function elicitationOf(capabilities: unknown): Elicitation | null {
  const elicitation = isObject(capabilities) ? capabilities['elicitation'] : undefined
  if (!isObject(elicitation)) return null
  const form = isObject(elicitation['form'])
  const url = isObject(elicitation['url'])
  return { form: form || !url, url }
}

type AskResult = CallToolResult | InputRequiredResult

/** Errors: `invalid_input`, `session_not_found`, `not_asking`, `limit_reached`. */
export async function askPerson(
  input: unknown,
  asking: Asking,
  { context, elicitation }: { readonly context: ServerContext; readonly elicitation: Elicitation },
): Promise<AskResult> {
  const { terminalId, takeOver } = parseInput(askInput, input, {
    name: askTool.name,
    example: { terminalId: 'term-1' },
  })
  if (takeOver !== undefined) return result(await askToTake(terminalId, takeOver, asking))
  const { inputResponses, requestState } = context.mcpReq
  const pending = requestState<PendingQuestion>()
  // A state that could not be verified is still the text that came.
  const isKnown = isObject(pending) && pending.terminalId === terminalId
  if (inputResponses?.['answer'] === undefined || !isKnown)
    return put(asking.questions.add(await readQuestion(asking.client, terminalId)), asking, elicitation)
  return result(await take(pending, inputResponses['answer'], asking))
}

async function askToTake(terminalId: string, reason: string, { client, signal }: Asking): Promise<JsonObject> {
  const asked = await client.call('askToTake', { terminalId, reason, waitTimeoutMs: waitMsMax }, { signal })
  const note = 'Still asked: call it again to go on waiting, or do something else meanwhile.'
  return brief(asked.outcome === 'timeout' ? { ...asked, note } : { ...asked })
}

async function put(asked: Question, asking: Asking, { form, url }: Elicitation): Promise<AskResult> {
  const { questionId, terminalId, cursor, isSecret } = asked
  const page = url ? asking.pageUrl() : null
  if (form && !isSecret)
    return question(simpleForm(lead(asked), { answer }), { questionId, terminalId, cursor, way: 'form' })
  if (page !== null) {
    const address = `${page}?id=${questionId}`
    const request = inputRequired.elicitUrl({ message: `${lead(asked)}Answer it on a page of agentpty.`, url: address })
    return question(request, { questionId, terminalId, cursor, way: 'page' })
  }
  const way = `in the terminal: agentpty attach ${terminalId}`
  if (!form) return result({ answered: false, note: `This client cannot ask that. The person can answer ${way}` })
  return question(simpleForm(`${lead(asked)}Answer it ${way}`, {}), { questionId, terminalId, cursor, way: 'terminal' })
}

const answer = { type: 'string', title: 'Answer', description: 'Typed as it is, with Enter.' }

const lead = ({ terminalId, program, text }: Question) => `${program} (${terminalId}) asks: ${text}\n`

function simpleForm(message: string, properties: JsonObject): InputRequest {
  type Schema = Parameters<typeof inputRequired.elicit>[0]['requestedSchema']
  const requestedSchema = { type: 'object', properties, required: Object.keys(properties) }
  return inputRequired.elicit({ message, requestedSchema: requestedSchema as Schema })
}

async function question(request: InputRequest, pending: PendingQuestion): Promise<InputRequiredResult> {
  return inputRequired({ inputRequests: { answer: request }, requestState: await seal(pending) })
}

async function take(pending: PendingQuestion, response: unknown, asking: Asking): Promise<JsonObject> {
  const { terminalId, cursor, way } = pending
  const { action, content } = isObject(response) ? response : {}
  if (action !== 'accept') return { answered: false, note: `The person said no (${String(action)}). It still asks.` }
  if (way === 'form') return type(pending, isObject(content) ? content['answer'] : undefined, asking)
  const isTyped = await isAnswered(pending, asking)
  if (!isTyped) return { answered: false, note: 'Nothing is typed yet: terminal_wait for "output" tells when it is.' }
  const { client, signal } = asking
  const seen = await client.call('read', { terminalId, since: cursor, waitFor: 'ready' }, { signal })
  return { answered: true, ...brief({ ...seen }) }
}

/** The answer was given on the page, or in the terminal itself: there we only see that the program continues. */
async function isAnswered(
  { questionId, terminalId, cursor, way }: PendingQuestion,
  { client, questions, signal }: Asking,
) {
  const enough = new AbortController()
  const waiting = client.call(
    'wait',
    { terminalIds: [terminalId], since: [cursor], waitFor: ['output', 'exit'], waitTimeoutMs: waitMsMax },
    { signal: AbortSignal.any([signal, enough.signal]) },
  )
  const goesOn = waiting.then(({ terminals }) => terminals[0]?.outcome !== 'timeout')
  if (way === 'terminal') return goesOn
  try {
    // Some programs print nothing after a secret.
    return await Promise.race([goesOn, questions.whenSettled(questionId)])
  } finally {
    enough.abort()
  }
}

async function type({ questionId }: PendingQuestion, text: unknown, { client, signal }: Asking): Promise<JsonObject> {
  if (typeof text !== 'string') return { answered: false, note: 'The answer came empty. It still asks.' }
  try {
    return brief({ ...(await client.call('answer', { questionId, text }, { signal, isPerson: true })) })
  } catch (error) {
    // Another person has answered, or the program has continued.
    if (!isTermError(error) || error.code !== 'not_asking') throw error
    return { answered: false, note: 'It has gone on meanwhile, so nothing was typed: look with terminal_read.' }
  }
}

const result = (fields: JsonObject): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(fields) }],
  structuredContent: fields,
})

const questionCharactersMax = 500

/** Input there is run as a command. */
const commandKinds: ReadonlySet<string> = new Set(['shell', 'continuation'])

/** Errors: `session_not_found`, `not_asking`. */
async function readQuestion(client: ServerClient, terminalId: string): Promise<AskedByProgram> {
  const cursor = await cursorOf(client, terminalId)
  const { screen, cursorRow, state, kind, question } = await client.call('screenshot', { terminalId, format: 'plain' })
  if (state !== 'ready') {
    const hint = 'Wait with terminal_wait until it is ready.'
    throw new TermError('not_asking', `${terminalId} is ${state}: nothing is asked.`, hint)
  }
  if (kind !== undefined && commandKinds.has(kind)) {
    const hint = 'Type commands with terminal_send; ask the person in your own words.'
    throw new TermError('not_asking', `${terminalId} is at a prompt for commands: an answer would be run as one.`, hint)
  }
  const line = screen.split('\n')[cursorRow]?.trim() ?? ''
  return {
    terminalId,
    program: await programOf(client, terminalId),
    text: (question ?? line).slice(0, questionCharactersMax),
    isSecret: kind === 'password',
    cursor,
  }
}

/** A program that has just started, or was just typed into, may be about to ask; so may one that a new daemon has not looked at yet. */
const aboutToAskMs = 2_000

/** Returns the end of its output once it waits for input, or after a moment. Errors: `session_not_found`. */
async function cursorOf(client: ServerClient, terminalId: string): Promise<number> {
  const { terminals } = await client.call('wait', {
    terminalIds: [terminalId],
    waitFor: 'ready',
    waitTimeoutMs: aboutToAskMs,
  })
  return terminals[0]?.cursor ?? 0
}

/** The command that runs in the terminal. */
async function programOf(client: ServerClient, terminalId: string): Promise<string> {
  const { terminals } = await client.call('list', {})
  return terminals.find((one) => one.terminalId === terminalId || one.name === terminalId)?.command ?? terminalId
}
