import { TermError } from '@agentpty/protocol'
import type { Approval } from '@agentpty/protocol/approvals'
import type { Overview } from '@agentpty/protocol/overview'
import { FakeClock } from '@agentpty/protocol/testing'
import { needsApproval } from '@agentpty/server/testing'
import { beforeEach, expect, test } from 'vitest'
import { AgentClient } from '../link/agent-client.ts'
import type { Hello, OpenClient } from '../link/connect.ts'
import { Observable } from '../link/observable.ts'
import { rowOf, settled } from '../testing/fake-daemon.ts'
import { CancellationTokenSource, editor, forgetAll, type MarkdownString } from '../testing/vscode.ts'
import { offeredTools } from './editor-tools.ts'
import { registerTools } from './register-tools.ts'

beforeEach(forgetAll)

type Called = readonly [toolset: string, tool: string, input: unknown, signal: AbortSignal | undefined]

/** A daemon with these tool results. */
function register(answers: (tool: string) => Promise<string> | string) {
  const called: Called[] = []
  const client = {
    tools: {
      call: async (toolset: string, tool: string, input: unknown, { signal }: { readonly signal: AbortSignal }) => {
        called.push([toolset, tool, input, signal])
        return { text: await answers(tool) }
      },
    },
  }
  const clock = new FakeClock()
  const overview = new Observable<Overview | null>({ rows: [rowOf('term-1', { name: 'build' })], nodes: [], needs: [] })
  registerTools({ openClient: async () => client as never, overview, clock })
  const needs = (...ids: readonly string[]) =>
    overview.set({ rows: [], nodes: [], needs: ids.map((needId) => ({ needId })) as unknown as Overview['needs'] })
  return { called, clock, needs }
}

function invoke(name: string, input: object, token = new CancellationTokenSource().token) {
  const tool = editor.tools.get(name)
  if (tool === undefined) throw new Error(`no tool ${name}`)
  return tool.invoke({ input }, token).then(({ content }) => content.map(({ value }) => value).join(''))
}

test('each tool calls the daemon’s tool of the same name and returns the same result as MCP', async () => {
  const { called } = register((tool) => `{"by":"${tool}"}`)
  for (const tool of offeredTools)
    expect(await invoke(`agentpty_${tool}`, { terminalId: 'x' })).toBe(`{"by":"${tool}"}`)
  expect(called.map(([toolset, tool]) => `${toolset} ${tool}`)).toEqual(offeredTools.map((tool) => `terminal ${tool}`))
})

/** The error as the daemon words it. */
const mustAllow = () =>
  needsApproval(
    {
      approvalId: 'ap-7',
      rule: 'deletion',
      resolved: 'rm -rf x',
      effects: ['deletes x'],
    } as Partial<Approval> as Approval,
    { reason: '', tool: 'terminal_run', id: 'au-1' },
  )

test('waits for the answer to that approval, then calls again', async () => {
  let isAllowed = false
  const { called, needs } = register(() => {
    if (!isAllowed) throw mustAllow()
    return 'done'
  })
  const answer = invoke('agentpty_terminal_run', { command: 'rm -rf x' })
  await settled()
  needs('ap-6', 'ap-7')
  needs('ap-7')
  expect(called).toHaveLength(1)
  isAllowed = true
  needs('ap-8')
  expect(await answer).toBe('done')
  expect(called).toHaveLength(2)
})

test('without an answer, the agent receives the open approval and nothing is run', async () => {
  const { called, needs, clock } = register(() => {
    throw mustAllow()
  })
  const answer = invoke('agentpty_terminal_run', { command: 'rm -rf x' })
  await settled()
  needs('ap-7')
  clock.advance(60_000)
  const refusal = JSON.parse(await answer)
  expect(refusal.code).toBe('needs_approval')
  expect(refusal.message).toContain('asked as ap-7')
  expect(refusal.hint).toContain('agentpty_terminal_run')
  expect(called).toHaveLength(1)
})

test('an error is returned with the next step, in the tool names used here', async () => {
  register(() => {
    throw new TermError('session_not_found', 'No terminal.', 'Look with terminal_list.')
  })
  expect(JSON.parse(await invoke('agentpty_terminal_run', { command: 'ls', terminalId: 'x' }))).toEqual({
    code: 'session_not_found',
    message: 'No terminal.',
    hint: 'Look with agentpty_terminal_list.',
  })
})

test('a defect fails the tool', async () => {
  register(() => {
    throw new Error('broken')
  })
  await expect(invoke('agentpty_terminal_list', {})).rejects.toThrow('broken')
})

test('cancelling the call cancels it in the daemon, too', async () => {
  const { called } = register(() => new Promise(() => {}))
  const source = new CancellationTokenSource()
  void invoke('agentpty_terminal_wait', { terminalIds: ['term-1'] }, source.token)
  await Promise.resolve()
  await Promise.resolve()
  source.cancel()
  expect(called[0]?.[3]?.aborted).toBe(true)
})

test('the confirmation shows the text to type and the name of the terminal', () => {
  register(() => '')
  const prepared = editor.tools
    .get('agentpty_terminal_send')
    ?.prepareInvocation({ input: { terminalId: 'term-1', text: 'make' } }) as {
    readonly confirmationMessages: { readonly title: string; readonly message: MarkdownString }
  }
  expect(prepared.confirmationMessages.title).toBe('Type this into “build” (/work)?')
  expect(prepared.confirmationMessages.message.value).toContain('make')
})

test('agents use a separate connection that is not a person’s, and it is reopened after a loss', async () => {
  const hellos: Hello[] = []
  const ends: (() => void)[] = []
  const agents = new AgentClient({
    paths: {} as never,
    hello: { client: 'vscode-1', program: 'VS Code 1', cwd: '/', env: {}, isPerson: true },
    open: async (_paths, hello) => {
      hellos.push(hello)
      const ended = new Promise<void>((resolve) => ends.push(resolve))
      return { ended, close: async () => {} } as unknown as OpenClient
    },
  })
  expect(await agents.open()).toBe(await agents.open())
  expect(hellos).toEqual([
    { client: 'vscode-1-agents', program: 'VS Code 1 (agents of the editor)', cwd: '/', env: {} },
  ])
  ends[0]?.()
  await Promise.resolve()
  await agents.open()
  expect(hellos).toHaveLength(2)
})
