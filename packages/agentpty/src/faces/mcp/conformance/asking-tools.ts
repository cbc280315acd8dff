/**
 * The suite's tools that need an answer from the client before they have their own: asked again, they find it. For
 * clients of 2025 the library asks in the older way.
 */

import {
  acceptedContent,
  type CallToolResult,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { text } from './content.ts'

export interface AskingTool {
  readonly description: string
  readonly inputSchema?: Readonly<Record<string, unknown>>
  readonly call: (
    input: Readonly<Record<string, unknown>>,
    context: ServerContext,
  ) => Promise<CallToolResult | InputRequiredResult>
}

type Properties = Parameters<typeof inputRequired.elicit>[0]['requestedSchema']

const form = (message: string, properties: object, required: readonly string[] = []): InputRequest =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties, required: [...required] } as Properties,
  })

const sample = (prompt: string, maxTokens: number): InputRequest =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: text(prompt) }], maxTokens })

export const name = form('What is your name?', { name: { type: 'string' } }, ['name'])
const confirm = form('Please confirm', { ok: { type: 'boolean' } }, ['ok'])
const says = (words: string): CallToolResult => ({ content: [text(words)] })

/** What a client answered, whatever it is. */
const answered = ({ mcpReq }: ServerContext, key: string): unknown => mcpReq.inputResponses?.[key]

/** One question; its answer is shown as it came. */
function asksOnce(key: string, request: (input: Readonly<Record<string, unknown>>) => InputRequest, lead: string) {
  return async (input: Readonly<Record<string, unknown>>, context: ServerContext) => {
    const answer = answered(context, key)
    if (answer === undefined) return inputRequired({ inputRequests: { [key]: request(input) } })
    return says(`${lead}${textOf(answer)}`)
  }
}

function textOf(answer: unknown): string {
  const { content } = answer as { readonly content?: { readonly text?: string } }
  return content?.text ?? JSON.stringify(answer)
}

const user = {
  username: { type: 'string', description: "User's response" },
  email: { type: 'string', description: "User's email address" },
}

const withDefaults = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
}

const options = ['option1', 'option2', 'option3']
const titled = (word: string) =>
  ['First', 'Second', 'Third'].map((title, at) => ({ const: `value${at + 1}`, title: `${title} ${word}` }))
const choices = {
  untitledSingle: { type: 'string', enum: options },
  titledSingle: { type: 'string', oneOf: titled('Option') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
  titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
}

/** `states` seals what a tool wants to find again. */
export const askingTools = (states: RequestStateCodec<string>): Readonly<Record<string, AskingTool>> => ({
  test_sampling: {
    description: 'Asks the client’s model.',
    inputSchema: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
    call: asksOnce('sampled', ({ prompt }) => sample(String(prompt), 100), 'LLM response: '),
  },
  test_elicitation: {
    description: 'Asks the user.',
    inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    call: asksOnce('user', ({ message }) => form(String(message), user, ['username', 'email']), 'User response: '),
  },
  test_elicitation_sep1034_defaults: {
    description: 'Asks with defaults.',
    call: asksOnce('values', () => form('Values with defaults', withDefaults), 'Elicitation completed: '),
  },
  test_elicitation_sep1330_enums: {
    description: 'Asks for choices.',
    call: asksOnce('choices', () => form('Choose', choices), 'Elicitation completed: '),
  },
  test_streaming_elicitation: { description: 'Asks within a stream.', call: asksOnce('name', () => name, 'Hello, ') },
  test_input_required_result_elicitation: {
    description: 'Asks for a name.',
    call: async (_input, { mcpReq }) => {
      const given = acceptedContent<{ name?: unknown }>(mcpReq.inputResponses, 'user_name')?.name
      if (typeof given !== 'string') return inputRequired({ inputRequests: { user_name: name } })
      return says(`Hello, ${given}!`)
    },
  },
  test_input_required_result_sampling: {
    description: 'Asks for a capital.',
    call: asksOnce('capital_question', () => sample('What is the capital of France?', 100), ''),
  },
  test_input_required_result_list_roots: {
    description: 'Asks for the roots.',
    call: asksOnce('client_roots', () => inputRequired.listRoots(), 'Roots: '),
  },
  test_input_required_result_request_state: { description: 'Keeps a state.', call: keepsState(states, 'state-ok') },
  test_input_required_result_tampered_state: { description: 'Guards its state.', call: keepsState(states, 'done') },
  test_input_required_result_multiple_inputs: {
    description: 'Asks three things at once.',
    call: async (_input, context) => {
      const inputRequests = {
        user_name: name,
        greeting: sample('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      }
      const isWhole = Object.keys(inputRequests).every((key) => answered(context, key) !== undefined)
      if (!isWhole) return inputRequired({ inputRequests, requestState: await states.mint('asked') })
      return says('All three were answered.')
    },
  },
  test_input_required_result_multi_round: {
    description: 'Asks twice.',
    call: async (_input, context) => {
      if (answered(context, 'step2') !== undefined) return says('Both steps were answered.')
      const [round, step, request] =
        answered(context, 'step1') === undefined
          ? (['round-1', 'step1', form('Step 1: What is your name?', { name: { type: 'string' } }, ['name'])] as const)
          : ([
              'round-2',
              'step2',
              form('Step 2: What is your favorite color?', { color: { type: 'string' } }, ['color']),
            ] as const)
      return inputRequired({ inputRequests: { [step]: request }, requestState: await states.mint(round) })
    },
  },
  test_input_required_result_capabilities: {
    description: 'Asks only for what the client can do.',
    call: async (_input, { mcpReq }) => {
      const { sampling, elicitation } = capabilitiesOf(mcpReq.envelope)
      const inputRequests = {
        ...(sampling === undefined ? {} : { greeting: sample('Generate a greeting', 50) }),
        ...(elicitation === undefined ? {} : { user_name: name }),
      }
      return inputRequired({ inputRequests })
    },
  },
})

function keepsState(states: RequestStateCodec<string>, words: string): AskingTool['call'] {
  return async (_input, context) => {
    if (answered(context, 'confirm') !== undefined) return says(words)
    return inputRequired({ inputRequests: { confirm }, requestState: await states.mint('confirm') })
  }
}

function capabilitiesOf(envelope: object | undefined): { readonly sampling?: object; readonly elicitation?: object } {
  const told = (envelope as Record<string, unknown> | undefined)?.['io.modelcontextprotocol/clientCapabilities']
  return typeof told === 'object' && told !== null ? told : {}
}
