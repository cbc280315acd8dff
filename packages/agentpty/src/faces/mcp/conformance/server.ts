/**
 * The named fixtures that the protocol's conformance suite calls, beside our own way of serving: what is tested is how
 * requests come in and answers go out, with tools that do nothing.
 */

import { randomBytes } from 'node:crypto'
import {
  createRequestStateCodec,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from '@modelcontextprotocol/server'
import type { LiveClient } from '../../../contracts/client.ts'
import { TermError } from '../../../contracts/errors.ts'
import { tasksExtension } from '../../../contracts/mcp/task.ts'
import type { Tellers } from '../http-endpoint.ts'
import { ResourceWatcher } from '../resource-watcher.ts'
import { addTasks, type Tasks } from '../tasks/tasks.ts'
import { type AskingTool, askingTools } from './asking-tools.ts'
import { embedded, image, pixel, text } from './content.ts'
import { taskTools } from './task-tools.ts'
import { plainTools } from './tools.ts'

export interface ConformanceOptions {
  readonly version: string
  readonly pause: (ms: number) => Promise<void>
  readonly tasks: Tasks
}

/** Nothing here is a terminal. */
export function watchNothing(tellers: Tellers): ResourceWatcher {
  const gone = () =>
    Promise.reject(new TermError('session_not_found', 'There are no terminals here.', 'None can come.'))
  const client: LiveClient = {
    call: gone,
    close: async () => {},
    follow: () => ({ [Symbol.asyncIterator]: () => ({ next: gone }) }),
  }
  return new ResourceWatcher({ client, watchTerminals: () => () => {}, ...tellers })
}

const key = randomBytes(32)
const emptySchema = { type: 'object', properties: {} } as const

export function createConformanceServer({ version, pause, tasks }: ConformanceOptions): Server {
  const states = createRequestStateCodec<string>({ key })
  const server = new Server(
    { name: 'agentpty-conformance', version },
    {
      capabilities: {
        ...{ tools: { listChanged: true }, prompts: { listChanged: true }, resources: { subscribe: true } },
        ...{ completions: {}, logging: {}, extensions: { [tasksExtension]: {} } },
      },
      requestState: { verify: states.verify },
    },
  )
  addTools(server, { ...plainTools(pause), ...askingTools(states), ...taskTools(tasks, pause) })
  addTasks(server, tasks)
  addPrompts(server)
  addResources(server)
  server.setRequestHandler('completion/complete', () => ({ completion: { values: ['paris', 'park', 'party'] } }))
  return server
}

function addTools(server: Server, tools: Readonly<Record<string, AskingTool>>): void {
  server.setRequestHandler('tools/list', () => ({
    tools: Object.entries(tools).map(([name, { description, inputSchema = emptySchema }]) => ({
      ...{ name, description },
      inputSchema: inputSchema as typeof emptySchema,
    })),
  }))
  server.setRequestHandler('tools/call', ({ params: { name, arguments: input = {} } }, context) => {
    const tool = tools[name]
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No tool "${name}".`)
    return tool.call(input, context)
  })
}

const arg = (name: string) => ({ name, description: `The ${name} of a test.`, required: true })

const prompts = [
  { name: 'test_simple_prompt', description: 'A simple prompt.' },
  { name: 'test_prompt_with_arguments', description: 'Shows its arguments.', arguments: [arg('arg1'), arg('arg2')] },
  { name: 'test_prompt_with_embedded_resource', description: 'Embeds one.', arguments: [arg('resourceUri')] },
  { name: 'test_prompt_with_image', description: 'Shows an image.' },
  { name: 'test_input_required_result_prompt', description: 'Asks for its context.' },
]

const user = <Content>(...contents: readonly Content[]) =>
  contents.map((content) => ({ role: 'user' as const, content }))

function addPrompts(server: Server): void {
  server.setRequestHandler('prompts/list', () => ({ prompts }))
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: given = {} } }, { mcpReq }) => {
    switch (name) {
      case 'test_simple_prompt':
        return { messages: user(text('This is a simple prompt for testing.')) }
      case 'test_prompt_with_arguments':
        return { messages: user(text(`Prompt with arguments: arg1='${given['arg1']}', arg2='${given['arg2']}'`)) }
      case 'test_prompt_with_embedded_resource': {
        const resource = embedded(given['resourceUri'] ?? '', 'text/plain', 'Embedded resource content for testing.')
        return { messages: [...user(resource), ...user(text('Please process the embedded resource above.'))] }
      }
      case 'test_prompt_with_image':
        return { messages: [...user(image), ...user(text('Please analyze the image above.'))] }
      case 'test_input_required_result_prompt': {
        if (mcpReq.inputResponses?.['user_context'] !== undefined) return { messages: user(text('With its context.')) }
        const requestedSchema = {
          type: 'object' as const,
          properties: { context: { type: 'string' as const } },
          required: ['context'],
        }
        const user_context = inputRequired.elicit({ message: 'What context should the prompt use?', requestedSchema })
        return inputRequired({ inputRequests: { user_context } })
      }
      default:
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No prompt "${name}".`)
    }
  })
}

const watched = 'test://watched-resource'
const resources = [
  { uri: 'test://static-text', name: 'text', description: 'Text.', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'binary', description: 'A pixel.', mimeType: 'image/png' },
  { uri: watched, name: 'watched', description: 'To subscribe to.', mimeType: 'text/plain' },
]

function addResources(server: Server): void {
  server.setRequestHandler('resources/list', () => ({ resources }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }],
  }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => ({ contents: [contentOf(uri)] }))
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
}

function contentOf(uri: string) {
  if (uri === 'test://static-text')
    return { uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }
  if (uri === 'test://static-binary') return { uri, mimeType: 'image/png', blob: pixel }
  if (uri === watched) return { uri, mimeType: 'text/plain', text: 'Watched.' }
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  if (id === undefined) throw new ResourceNotFoundError(uri)
  const data = { id, templateTest: true, data: `Data for ID: ${id}` }
  return { uri, mimeType: 'application/json', text: JSON.stringify(data) }
}
