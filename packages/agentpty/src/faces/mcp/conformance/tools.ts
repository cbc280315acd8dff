/** The suite's tools that answer at once, and those that tell how far they are. */

import {
  type CallToolResult,
  LOG_LEVEL_META_KEY,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { audio, embedded, image, text } from './content.ts'

export interface FixtureTool {
  readonly description: string
  readonly inputSchema?: Readonly<Record<string, unknown>>
  readonly call: (input: Readonly<Record<string, unknown>>, context: ServerContext) => Promise<CallToolResult>
}

const pauseMs = 50

const says =
  (...content: CallToolResult['content']): FixtureTool['call'] =>
  async () => ({ content })

const answering: Readonly<Record<string, FixtureTool>> = {
  test_simple_text: { description: 'Text.', call: says(text('This is a simple text response for testing.')) },
  test_image_content: { description: 'An image.', call: says(image) },
  test_audio_content: { description: 'Sound.', call: says(audio) },
  test_embedded_resource: {
    description: 'A resource in the answer.',
    call: says(embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')),
  },
  test_multiple_content_types: {
    description: 'Several kinds of content.',
    call: says(
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ),
  },
  greet: {
    description: 'Greets.',
    inputSchema: { type: 'object', properties: { name: { type: 'string' } } },
    call: async ({ name }) => ({ content: [text(`Hello, ${name}!`)] }),
  },
  test_error_handling: {
    description: 'Always fails.',
    call: async () => ({ isError: true, content: [text('This tool intentionally returns an error for testing')] }),
  },
  test_missing_capability: {
    description: 'Needs a client that samples.',
    call: async () => {
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
    },
  },
  json_schema_2020_12_tool: {
    description: 'Its schema uses all of JSON Schema 2020-12.',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema, never awaited
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    call: async () => ({ content: [text('ok')] }),
  },
}

const reporting = (pause: (ms: number) => Promise<void>): Readonly<Record<string, FixtureTool>> => ({
  test_tool_with_progress: {
    description: 'Tells how far it is.',
    call: async (_input, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken
      for (const progress of [0, 50, 100]) {
        if (progress > 0) await pause(pauseMs)
        if (progressToken === undefined) continue
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
      }
      return { content: [text('done')] }
    },
  },
  test_tool_with_logging: {
    description: 'Logs while it works.',
    call: async (_input, { mcpReq }) => {
      for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } })
        await pause(pauseMs)
      }
      return { content: [text('logged')] }
    },
  },
  test_logging_tool: {
    description: 'Logs where that was asked for.',
    call: async (_input, { mcpReq }) => {
      const level = (mcpReq.envelope as Readonly<Record<string, unknown>> | undefined)?.[LOG_LEVEL_META_KEY]
      if (level === 'info' || level === 'debug')
        await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data: 'asked for' } })
      return { content: [text('logged')] }
    },
  },
})

export const plainTools = (pause: (ms: number) => Promise<void>): Readonly<Record<string, FixtureTool>> => ({
  ...answering,
  ...reporting(pause),
})
