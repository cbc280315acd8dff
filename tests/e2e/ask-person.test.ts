/** `terminal_ask_person`: a program's question is put to the client's person, and secrets bypass the model. */

import assert from 'node:assert/strict'
import type { CallToolResult, ElicitRequest, ElicitResult } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { type Era, program } from '../harness/instance.ts'
import type { McpCaller } from '../harness/mcp-caller.ts'
import { scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()

type Person = (asked: ElicitRequest['params']) => Promise<ElicitResult> | ElicitResult
type Elicitation = { readonly form?: Record<string, never>; readonly url?: Record<string, never> }
type Way = 'stdio' | 'HTTP'

const both = { form: {}, url: {} }

async function clientWith(way: Way, era: Era, person: Person, elicitation: Elicitation = both): Promise<McpCaller> {
  const capabilities = { elicitation }
  const caller =
    way === 'stdio' ? await instance.mcp(era, program, capabilities) : await instance.http(era, '', capabilities)
  caller.protocol.setRequestHandler('elicitation/create', ({ params }) => person(params))
  return caller
}

async function ask({ protocol }: McpCaller, terminalId: string): Promise<CallToolResult> {
  return (await protocol.callTool({ name: 'terminal_ask_person', arguments: { terminalId } })) as CallToolResult
}

const opened = async (caller: McpCaller, code: string) =>
  (await caller.call('create', { command: ['python3', '-c', code] })).terminalId

const colour = "print('got', input('Which colour? '))"
const pin = "import getpass; print('length', len(getpass.getpass('PIN: ')))"

const ways = (['stdio', 'HTTP'] as const).flatMap((way) => (['new', 'old'] as const).map((era) => [way, era] as const))

describe.each(ways)('over %s in the %s era', (way, era) => {
  test('a person’s answer is typed, and the following output is the result', async () => {
    let message = ''
    const caller = await clientWith(way, era, (asked) => {
      message = asked.message
      return { action: 'accept', content: { answer: 'blue' } }
    })
    const { structuredContent, content } = await ask(caller, await opened(caller, colour))
    expect(message).toContain('Which colour?')
    expect(structuredContent).toMatchObject({ answered: true, state: 'exited' })
    expect(JSON.stringify(content)).toContain('got blue')
  })

  test('a secret is answered on a page, and never returned', async () => {
    const seen: string[] = []
    const caller = await clientWith(way, era, async (asked) => {
      assert.ok(asked.mode === 'url')
      const page = await fetch(asked.url)
      const text = await page.text()
      expect(text).toContain('PIN:')
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
      assert.equal((await answer(asked.url, 'swordfish')).status, 200)
      seen.push(asked.message)
      return { action: 'accept' }
    })
    const result = await ask(caller, await opened(caller, pin))
    expect(result.structuredContent).toMatchObject({ answered: true })
    expect(JSON.stringify(result)).toContain('length 9')
    expect(JSON.stringify([result, seen])).not.toContain('swordfish')
  })

  test('the first answer counts, from whichever interface', async () => {
    const other = await instance.rpc()
    const caller = await clientWith(way, era, async () => {
      const { questions } = await other.call('questions', {})
      const asked = questions.find((one) => one.terminalId === terminalId)
      assert.ok(asked)
      expect(asked).toMatchObject({ text: 'Which colour?', isSecret: false })
      const answer = { questionId: asked.questionId, text: 'green', waitFor: 'exit' } as const
      expect(await other.call('answer', answer)).toMatchObject({ answered: true, output: 'got green' })
      await expect(other.call('answer', answer)).rejects.toMatchObject({ code: 'not_asking' })
      expect((await other.call('questions', {})).questions).not.toContainEqual(asked)
      return { action: 'accept', content: { answer: 'blue' } }
    })
    const terminalId = await opened(caller, colour)
    const { structuredContent } = await ask(caller, terminalId)
    expect(structuredContent).toEqual({ answered: false, note: expect.stringContaining('nothing was typed') })
  })

  test('without a page the person is sent to the terminal', async () => {
    const other = await instance.rpc()
    const caller = await clientWith(
      way,
      era,
      async ({ message }) => {
        const [, terminalId = ''] = /agentpty attach (term-\d+)/.exec(message) ?? []
        await other.call('send', { terminalId, text: '1234', waitFor: 'none' })
        return { action: 'accept', content: {} }
      },
      { form: {} },
    )
    const { structuredContent } = await ask(caller, await opened(caller, pin))
    expect(structuredContent).toMatchObject({ answered: true, output: expect.stringContaining('length 4') })
  })

  test.each(['decline', 'cancel'] as const)('a person who refuses (%s) leaves the question open', async (action) => {
    const caller = await clientWith(way, era, () => ({ action }))
    const terminalId = await opened(caller, colour)
    const { structuredContent } = await ask(caller, terminalId)
    expect(structuredContent).toMatchObject({ answered: false, note: expect.stringContaining(action) })
    expect(await caller.call('send', { terminalId, text: 'red' })).toMatchObject({
      output: expect.stringContaining('got red'),
    })
  })

  test('a late answer is not typed', async () => {
    const other = await instance.rpc()
    const caller = await clientWith(way, era, async () => {
      await other.call('send', { terminalId, text: 'first', waitFor: 'ready' })
      return { action: 'accept', content: { answer: 'rm -rf x' } }
    })
    const terminalId = await opened(caller, `${colour}; ${colour}`)
    const { structuredContent } = await ask(caller, terminalId)
    expect(structuredContent).toMatchObject({ answered: false, note: expect.stringContaining('gone on') })
    expect((await caller.call('read', { terminalId })).output).not.toContain('rm -rf')
  })
})

const answer = (url: string, text: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ answer: text }), headers })

test('an agent’s answer is judged like its input, and a person’s is not', async () => {
  const agent = await instance.rpc()
  const refusals: unknown[] = []
  const caller = await clientWith('stdio', 'new', async () => {
    const { questions } = await agent.call('questions', {})
    const questionId = questions.find((one) => one.terminalId === terminalId)?.questionId ?? ''
    await agent
      .call('answer', { questionId, text: 'exit()\nrm -rf build' })
      .catch((error: { code: string }) => refusals.push(error.code))
    return { action: 'accept', content: { answer: 'exit()' } }
  })
  const { terminalId } = await caller.call('create', { shell: 'bash', waitFor: 'ready' })
  await caller.call('send', { terminalId, text: 'python3 -q' })
  const { structuredContent } = await ask(caller, terminalId)
  expect(refusals).toEqual(['needs_approval'])
  expect(structuredContent).toMatchObject({ answered: true, kind: 'shell' })
  expect((await agent.call('approvals', {})).approvals).toMatchObject([{ terminalId, rule: 'deletion' }])
})

test('a client that only opens pages gets one for every question', async () => {
  const caller = await clientWith(
    'stdio',
    'new',
    async (asked) => {
      assert.ok(asked.mode === 'url')
      await answer(asked.url, 'green')
      return { action: 'accept' }
    },
    { url: {} },
  )
  const { structuredContent } = await ask(caller, await opened(caller, colour))
  expect(structuredContent).toMatchObject({ answered: true, output: expect.stringContaining('got green') })
})

test('a secret prompt without output is answered, too', async () => {
  const caller = await clientWith('stdio', 'new', async (asked) => {
    if (asked.mode === 'url') await answer(asked.url, 'x')
    return { action: 'accept' }
  })
  const command = ['bash', '-c', "read -rs -p 'PIN: ' pin; read next"]
  const { terminalId } = await caller.call('create', { command })
  expect((await ask(caller, terminalId)).structuredContent).toMatchObject({ answered: true })
  await caller.call('close', { terminalId })
})

test('a page works once, not for other sites, and not after the program has moved on', async () => {
  let url = ''
  const caller = await clientWith('stdio', 'new', (asked) => {
    if (asked.mode === 'url') url = asked.url
    return { action: 'decline' }
  })
  await ask(caller, await opened(caller, pin))
  assert.equal((await answer(url, 'x', { origin: 'https://evil.example' })).status, 403)
  assert.equal((await answer(url.replace(/id=.*/, 'id=guess'), 'x')).status, 410)
  assert.equal((await answer(url, 'x'.repeat(100_000))).status, 413)
  assert.equal((await answer(url, 'once')).status, 200)
  assert.equal((await answer(url, 'twice')).status, 410)
  assert.equal((await fetch(url)).status, 410)
  const terminalId = await opened(caller, `${pin}; input('Name? ')`)
  await ask(caller, terminalId)
  await caller.call('send', { terminalId, text: '12' })
  assert.equal((await answer(url, 'would be shown')).status, 410)
  expect((await caller.call('read', { terminalId })).output).not.toContain('would be shown')
})

test('a question of an ended daemon is put again', async () => {
  const messages: string[] = []
  const caller = await clientWith('stdio', 'new', async ({ message }) => {
    if (messages.push(message) === 1) {
      await instance.killDaemon()
      // The next daemon has the terminals.
      await instance.status()
    }
    return { action: 'accept', content: { answer: 'violet' } }
  })
  const { structuredContent } = await ask(caller, await opened(caller, colour))
  expect(structuredContent).toMatchObject({ answered: true, output: expect.stringContaining('got violet') })
  assert.equal(messages.length, 2)
  assert.equal(messages[0], messages[1])
})

test('a shell at its prompt has no question, because an answer would be run', async () => {
  const caller = await clientWith('stdio', 'new', () => ({ action: 'accept', content: { answer: 'touch ~/run' } }))
  const { terminalId } = await caller.call('create', { shell: '/bin/bash' })
  const { isError, structuredContent } = await ask(caller, terminalId)
  assert.equal(isError, true)
  expect(structuredContent).toMatchObject({ code: 'not_asking', hint: expect.stringContaining('terminal_send') })
  expect((await caller.call('read', { terminalId })).output).toBe('$')
  await caller.call('close', { terminalId })
})

test('a program that asks nothing is reported as such', async () => {
  const caller = await clientWith('stdio', 'new', () => ({ action: 'accept', content: { answer: 'x' } }))
  const { terminalId } = await caller.call('create', { command: 'sleep 600', waitFor: 'none' })
  const { isError, structuredContent } = await ask(caller, terminalId)
  assert.equal(isError, true)
  expect(structuredContent).toMatchObject({ code: 'not_asking', hint: expect.stringContaining('terminal_wait') })
  await caller.call('close', { terminalId })
})

test.each(['new', 'old'] as const)(
  'a client that cannot ask receives where the person answers, in the %s era',
  async (era) => {
    const { protocol } = await instance.mcp(era)
    expect((await protocol.listTools()).tools.map(({ name }) => name)).toContain('terminal_ask_person')
    const rpc = await instance.rpc()
    const { terminalId } = await rpc.call('create', {
      command: ['sh', '-c', 'read -p "Name? " name'],
      waitFor: 'ready',
    })
    const { structuredContent } = await protocol.callTool({ name: 'terminal_ask_person', arguments: { terminalId } })
    expect(structuredContent).toMatchObject({
      answered: false,
      note: `This client cannot ask that. The person can answer in the terminal: agentpty attach ${terminalId}`,
    })
  },
)
