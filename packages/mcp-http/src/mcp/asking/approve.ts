/**
 * A call that a person must allow first: a client that has one in front of it asks, and the call is made again with the answer.
 *
 * The text is agentpty’s own. What is closed without an answer stays open for others, and is not done.
 */

import { randomBytes } from 'node:crypto'
import { ignoring, type ServerClient, withCall } from '@agentpty/protocol'
import type { Approval, GrantChoice } from '@agentpty/protocol/approvals'
import { isObject } from '@agentpty/protocol/wire'
import {
  type CallToolResult,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
} from '@modelcontextprotocol/server'

/** The answers that a person may choose. */
const answers: Readonly<Record<string, { readonly answer: 'allow' | 'deny'; readonly grant?: GrantChoice }>> = {
  'allow once': { answer: 'allow' },
  'allow this here for 8 hours': { answer: 'allow', grant: { where: 'folder', command: 'same' } },
  'allow the like here for 8 hours': { answer: 'allow', grant: { where: 'folder', command: 'like' } },
  deny: { answer: 'deny' },
}
const [once, same, like, no] = Object.keys(answers) as [string, string, string, string]

function answersTo({ offer }: Approval): string[] {
  return [once, ...(offer === null ? [] : [same]), ...(offer?.like == null ? [] : [like]), no]
}

/** Makes the call, with a client that notes what must be allowed, and puts that to the person. */
export async function withApproval(
  client: ServerClient,
  { mcpReq }: ServerContext,
  call: (client: ServerClient) => Promise<CallToolResult>,
): Promise<CallToolResult | InputRequiredResult> {
  const pending = mcpReq.requestState<PendingApproval>()
  const response = mcpReq.inputResponses?.['approval']
  if (response !== undefined && isObject(pending) && typeof pending.approvalId === 'string')
    await decide(client, pending.approvalId, response)
  let asked: Approval | null = null
  const noteApproval = (approval: Approval) => {
    asked = approval
  }
  const result = await call(
    withCall(client, (name, input, context) => client.call(name, input, { ...context, approvalAsked: noteApproval })),
  )
  // A call that continued anyway received another answer meanwhile.
  if (asked === null || result.isError !== true || isNoAnswer(response)) return result
  return inputRequired({
    inputRequests: { approval: question(asked) },
    requestState: await seal({ approvalId: (asked as Approval).approvalId }),
  })
}

async function decide(client: ServerClient, approvalId: string, response: unknown): Promise<void> {
  const answer = answerIn(response)
  if (answer === null) return
  // If another answer was first, it counts, and the call receives it.
  await client.call('decide', { approvalId, ...answer }, { env: {} }).catch(ignoring('not_asking'))
}

/** Null: none was given. */
function answerIn(response: unknown): (typeof answers)[string] | null {
  const { action, content } = isObject(response) ? response : {}
  if (action === 'decline') return { answer: 'deny' }
  const chosen = action === 'accept' && isObject(content) ? String(content['answer']) : ''
  return Object.hasOwn(answers, chosen) ? (answers[chosen] ?? null) : null
}

/** The person has closed the question, or their client has accepted it without asking them: to be asked once more changes nothing. */
function isNoAnswer(response: unknown): boolean {
  return response !== undefined && answerIn(response) === null
}

function question(approval: Approval) {
  const { rule, reason, resolved, text, terminalId, cwd, action, effects, news, offer } = approval
  const where = terminalId === null ? 'a new terminal' : terminalId
  const whole = text.trim() === resolved.trim() ? '' : `\nIt is part of what the agent would ${action}:\n${text.trim()}`
  const requestedSchema = {
    type: 'object',
    properties: { answer: { type: 'string', title: 'Your answer', enum: answersTo(approval) } },
    required: ['answer'],
  } as const
  type Schema = Parameters<typeof inputRequired.elicit>[0]['requestedSchema']
  // Clients fold all but the first lines: the effects are one of them.
  const details = [
    ...(effects.length === 0 ? [] : [`→ ${effects.join('; ')}`]),
    resolved,
    `${rule}: ${reason}`,
    news,
    ...(offer?.like == null ? [] : [`The like: ${offer.like}`]),
  ]
  const message = `Allow this in ${where} (folder ${cwd})?\n${details.join('\n')}${whole}`
  return inputRequired.elicit({ message, requestedSchema: requestedSchema as unknown as Schema })
}

/** A question of a program. */
export interface PendingQuestion {
  readonly questionId: string
  readonly terminalId: string
  readonly cursor: number
  readonly way: 'form' | 'page' | 'terminal'
}

/** An approval that an agent waits for. */
interface PendingApproval {
  readonly approvalId: string
}

const sealed = createRequestStateCodec<PendingQuestion | PendingApproval>({ key: randomBytes(32) })

/** The state between a question to a person and its answer: clients carry it, sealed. */
export const seal: typeof sealed.mint = (state) => sealed.mint(state)

/** A state that this daemon has not sealed is ignored: the question is asked again. */
export const verifyPending: typeof sealed.verify = async (state, context) => {
  try {
    return await sealed.verify(state, context)
  } catch {
    return undefined as never
  }
}
