/** Every dialect, used like a client: complete and streamed, with text, tools, holds and errors. */

import { afterEach, expect, test } from 'vitest'
import type { WrittenScript } from './script.ts'
import { type FakeModel, startFakeModel } from './server.ts'
import type { DialectName } from './types.ts'

let model: FakeModel | null = null
afterEach(() => model?.close())

const start = async (script: WrittenScript): Promise<FakeModel> => {
  model = await startFakeModel({ script })
  return model
}

const script: WrittenScript = {
  turns: [
    { name: 'greet', match: 'hello', steps: [{ text: 'Hello, {{prompt}}.' }] },
    { name: 'list', match: 'list', steps: [{ tool: 'files/list', args: { path: '/tmp' } }, { text: 'got {{last}}' }] },
  ],
}

/** Each client's request with one tool on offer, and the position of the text in a complete answer. */
const clients: Readonly<
  Record<DialectName, { path: string; streamPath?: string; ask: (prompt: string) => object; words: RegExp }>
> = {
  anthropic: {
    path: '/v1/messages',
    ask: (content) => ({ messages: [{ role: 'user', content }], tools: [{ name: 'mcp__files__list' }] }),
    words: /"content":\[\{"type":"text","text":"Hello, hello you\."/,
  },
  responses: {
    path: '/v1/responses',
    ask: (input) => ({ input, tools: [{ type: 'function', name: 'mcp__files__list' }] }),
    words: /"type":"output_text","text":"Hello, hello you\."/,
  },
  chat: {
    path: '/v1/chat/completions',
    ask: (content) => ({
      messages: [{ role: 'user', content }],
      tools: [{ type: 'function', function: { name: 'files_list' } }],
    }),
    words: /"content":"Hello, hello you\."/,
  },
  gemini: {
    path: '/v1beta/models/m:generateContent',
    streamPath: '/v1beta/models/m:streamGenerateContent',
    ask: (text) => ({
      contents: [{ role: 'user', parts: [{ text }] }],
      tools: [{ functionDeclarations: [{ name: 'mcp_files_list' }] }],
    }),
    words: /"parts":\[\{"text":"Hello, hello you\."/,
  },
}
const each = Object.entries(clients)

async function post(path: string, body: object): Promise<{ status: number; type: string; text: string }> {
  const response = await fetch(`${model?.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
  return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() }
}

test.each(each)('%s: a prompt is answered whole', async (_name, { path, ask, words }) => {
  await start(script)
  const { status, text } = await post(path, ask('hello you'))
  expect(status).toBe(200)
  expect(text).toMatch(words)
})

test.each(each)('%s: a prompt is answered as a stream', async (_name, { path, streamPath, ask }) => {
  const { log } = await start({ defaults: { chunkSize: 4 }, turns: script.turns } as WrittenScript)
  const { type, text } = await post(streamPath ?? path, { ...ask('hello you'), stream: true })
  expect(type).toContain('text/event-stream')
  const pieces = [...text.matchAll(/"(?:text|delta|content)":"((?:[^"\\]|\\.){1,4})"/g)].map(([, piece]) => piece)
  expect(pieces.join('')).toContain('Hello, hello you.')
  expect(log.at(-1)).toMatchObject({ ev: 'done', final: true })
})

test.each(each)('%s: a tool is called by the name this client gave it', async (_name, { path, ask }) => {
  const { log } = await start(script)
  const { text } = await post(path, ask('list it'))
  expect(text).toMatch(/(mcp__)?files_+list/)
  expect(text).toContain('/tmp')
  expect(log.at(-1)).toMatchObject({ ev: 'done', final: false })
})

test.each(each)('%s: an error is sent in the words of this service', async (_name, { path, ask }) => {
  await start([{ error: { status: 529, message: 'overloaded' } }])
  const { status, text } = await post(path, ask('anything'))
  expect(status).toBe(529)
  expect(JSON.parse(text).error.message).toBe('overloaded')
})

test('the result of a tool leads to the next step, whichever request brings it', async () => {
  await start(script)
  const messages = [
    { role: 'user', content: 'list it' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'mcp__files__list', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'a.txt' }] },
  ]
  const { text } = await post('/v1/messages', { messages, tools: [{ name: 'mcp__files__list' }] })
  expect(JSON.parse(text).content).toEqual([{ type: 'text', text: 'got a.txt' }])
})

test('a request without tools is housekeeping and leaves the script where it is', async () => {
  const { log } = await start(script)
  const { text } = await post('/v1/messages', { messages: [{ role: 'user', content: 'hello' }] })
  expect(JSON.parse(text).content[0].text).toBe('ok')
  expect(log).toContainEqual(expect.objectContaining({ ev: 'request', kind: 'side' }))
})

test('a hidden tool is searched for before it is called', async () => {
  await start(script)
  const tools = [{ name: 'ToolSearch' }]
  const { text } = await post('/v1/messages', { messages: [{ role: 'user', content: 'list it' }], tools })
  expect(JSON.parse(text).content[0]).toMatchObject({ name: 'ToolSearch', input: { query: 'select:mcp__files__list' } })
})

test('in code mode the call is wrapped in JavaScript for the one tool there is', async () => {
  await start(script)
  const exec = { type: 'custom', name: 'exec', description: 'Runs JavaScript.' }
  const tools = [{ type: 'namespace', name: 'functions', tools: [exec] }]
  const { text } = await post('/v1/responses', { input: 'list it', tools })
  const [call] = JSON.parse(text).output
  expect(call).toMatchObject({ type: 'custom_tool_call', name: 'exec', namespace: 'functions' })
  expect(call.input).toContain('"files_list"')
})

test('a held answer is sent when released, and not before', async () => {
  const { log, release } = await start([{ hold: 'door', text: 'open' }])
  const pending = post('/v1/messages', clients.anthropic.ask('knock'))
  await expect.poll(async () => (await fetch(`${model?.url}/__fake/held`)).json()).toEqual(['door'])
  expect(log.some(({ ev }) => ev === 'respond')).toBe(false)
  expect(release('door')).toBe(1)
  expect(JSON.parse((await pending).text).content[0].text).toBe('open')
})

test('a disconnected client is logged, and its held answers are dropped', async () => {
  const { log } = await start([{ hold: 'door', text: 'open' }])
  const leave = new AbortController()
  const body = JSON.stringify(clients.anthropic.ask('knock'))
  const pending = fetch(`${model?.url}/v1/messages`, { method: 'POST', body, signal: leave.signal })
  await expect.poll(async () => (await fetch(`${model?.url}/__fake/held`)).json()).toEqual(['door'])
  leave.abort()
  await expect(pending).rejects.toThrow()
  await expect.poll(() => log.at(-1)?.ev).toBe('client-closed')
  expect(await (await fetch(`${model?.url}/__fake/held`)).json()).toEqual([])
})

test('a connection is cut where the script says', async () => {
  await start([{ text: 'never whole', dropAfter: 2 }])
  await expect(post('/v1/messages', { ...clients.anthropic.ask('go'), stream: true })).rejects.toThrow()
})

test('a new script is accepted over the wire, and an invalid one is refused', async () => {
  await start([{ text: 'old' }])
  expect((await post('/__fake/script', [{ text: 'new' }])).status).toBe(200)
  expect((await post('/__fake/script', { turns: 'none' })).status).toBe(400)
  expect((await post('/v1/messages', clients.anthropic.ask('which?'))).text).toContain('"new"')
})
