/** A person takes a terminal over from agents and gives it back: with real processes and a real daemon. */

import type { WireClient } from '@agentpty/protocol/wire'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Instance, until } from '../harness/instance.ts'
import type { McpCaller } from '../harness/mcp-caller.ts'
import { scratchInstance } from '../harness/scratch.ts'

let instance: Instance
let person: WireClient
let agent: McpCaller
beforeEach(async () => {
  instance = scratchInstance()
  person = await instance.rpc({}, { isPerson: true, program: 'ada' })
  agent = await instance.mcp()
})

const refused = { code: 'person_types' }

async function shell(): Promise<string> {
  const { terminalId } = await person.call('create', { waitFor: 'ready' })
  return terminalId
}

const bytes = (text: string) => Buffer.from(text).toString('base64')
const lineOf = async (terminalId: string) => {
  const { screen } = await person.call('screenshot', { terminalId, format: 'plain' })
  return screen.trimEnd().split('\n').at(-1) ?? ''
}

describe('while a person has the lease', () => {
  test('an agent’s input and actions are refused, with the holder and the next step', async () => {
    const terminalId = await shell()
    await person.call('take', { terminalId, reason: 'merging by hand' })
    const refusals = [
      agent.call('send', { terminalId, text: 'echo no' }),
      agent.call('sendKeys', { terminalId, keys: ['enter'] }),
      agent.call('run', { terminalId, command: 'echo no' }),
      agent.call('resize', { terminalId, cols: 100, rows: 30 }),
      agent.call('close', { terminalIds: [terminalId] }),
    ]
    for (const refusal of refusals)
      await expect(refusal).rejects.toMatchObject({
        code: 'person_types',
        message: expect.stringMatching(
          /^A person has taken term-1 over \(ada: "merging by hand"\)\. Nothing was typed\.$/,
        ),
        hint: expect.stringContaining('ifTaken:"wait"'),
      })
    expect(await lineOf(terminalId)).not.toContain('echo no')
  })

  test('agents read and wait as before, and see the holder', async () => {
    const terminalId = await shell()
    await person.call('take', { terminalId })
    await person.call('send', { terminalId, text: 'echo from-ada' })
    const result = await agent.call('read', { terminalId, since: 0 })
    expect(result).toMatchObject({
      output: expect.stringContaining('from-ada'),
      takenBy: expect.stringMatching(/^ada/),
    })
  })

  test('an agent cannot take, give back, or type as a person', async () => {
    const terminalId = await shell()
    await person.call('take', { terminalId })
    const program = await instance.rpc()
    const denied = { code: 'denied', hint: expect.stringContaining('terminal_ask_person') }
    await expect(program.call('release', { terminalId })).rejects.toMatchObject(denied)
    await expect(program.call('take', { terminalId })).rejects.toMatchObject(denied)
    await expect(program.call('write', { terminalId, data: bytes('x') })).rejects.toMatchObject({
      code: 'person_types',
    })
    const inside = (await person.call('create', { command: ['cat'] })).terminalId
    const pid = (await person.call('list', {})).terminals.find((one) => one.terminalId === inside)?.pid ?? 0
    const within = await instance.rpcFrom(pid, { isPerson: true })
    await expect(within.call('take', { terminalId })).rejects.toMatchObject({ code: 'denied' })
  })

  test('the lease survives a kill of the daemon, and ends in time', async () => {
    const terminalId = await shell()
    await person.call('take', { terminalId, forMs: 3_600_000 })
    await instance.killDaemon()
    const next = await instance.rpc({}, { isPerson: true, program: 'ada' })
    const other = await instance.mcp()
    await expect(other.call('send', { terminalId, text: 'echo no' })).rejects.toMatchObject(refused)
    await next.call('take', { terminalId, forMs: 1_000 })
    const result = await other.call('send', { terminalId, text: 'echo yes', ifTaken: 'wait' })
    expect(result).toMatchObject({
      output: 'yes\n$',
      handedBack: expect.stringMatching(/^ada had this terminal for \d+ s, until its time was over\./),
    })
  })
})

describe('an agent that waits for it', () => {
  test('continues when it is given back, and receives the person’s commands once', async () => {
    const terminalId = await shell()
    await person.call('take', { terminalId })
    const waiting = agent.call('run', { terminalId, command: 'echo mine', ifTaken: 'wait' })
    for (const text of ['cd /tmp', 'false']) await person.call('send', { terminalId, text })
    await person.call('release', { terminalId })
    expect(await waiting).toMatchObject({
      output: 'mine',
      handedBack: expect.stringMatching(
        /^ada had this terminal for \d+ s\. Commands run: 2: "cd \/tmp" \(exit 0\), "false" \(exit 1\)\. What came meanwhile is from \d+ on\.$/,
      ),
    })
    const result = await agent.call('run', { terminalId, command: 'pwd' })
    expect(result).toMatchObject({ output: '/tmp' })
    expect(result).not.toHaveProperty('handedBack')
  })

  test('fails in time if it is not given back', async () => {
    const terminalId = await shell()
    await person.call('take', { terminalId })
    const call = { terminalId, text: 'echo no', ifTaken: 'wait', waitTimeoutMs: 200 } as const
    await expect(agent.call('send', call)).rejects.toMatchObject(refused)
  })
})

describe('a partial line of an agent', () => {
  const programs: readonly (readonly [string, string[] | undefined, string, RegExp])[] = [
    ['at a shell’s prompt', undefined, 'rm -rf build', /\$ $/],
    ['at the prompt of a shell without marks', ['bash', '--norc'], 'rm -rf build', /[$#] $/],
    ['in a line that the terminal edits', ['cat'], 'rm -rf build', /^$/],
    ['in Python’s prompt', ['python3', '-q'], 'import shutil; shu', />>> $/],
  ]
  test.each(programs)(
    '%s is taken back, and never entered with a person’s line',
    async (_where, command, text, empty) => {
      const { terminalId } = await person.call('create', { command, waitFor: 'ready' })
      await agent.call('send', { terminalId, text, newline: false, waitFor: 'output' })
      expect(await person.call('take', { terminalId })).toMatchObject({ removed: text })
      await until(async () => empty.test(`${(await lineOf(terminalId)).trimEnd()}${empty.source === '^$' ? '' : ' '}`))
      await person.call('release', { terminalId })
      const result = await agent.call('wait', { terminalIds: [terminalId] })
      expect(result).toMatchObject({
        terminals: [{ handedBack: expect.stringContaining(`Taken back of what you typed: ${JSON.stringify(text)}.`) }],
      })
    },
  )

  test('in a program that keeps it is reported to the person', async () => {
    const { terminalId } = await person.call('create', { command: ['vim', '-u', 'NONE'], waitFor: 'ready' })
    await agent.call('send', { terminalId, text: 'ihalf', newline: false, waitFor: 'output' })
    expect(await person.call('take', { terminalId })).toMatchObject({ leftover: 'ihalf' })
  })
})

test('an agent waits for the line that a person is typing, without a take-over', async () => {
  const terminalId = await shell()
  await person.call('write', { terminalId, data: bytes('echo of-a-') })
  const typed = agent.call('run', { terminalId, command: 'echo of-an-agent' })
  await person.call('write', { terminalId, data: bytes('person\r') })
  expect(await typed).toMatchObject({ output: 'of-an-agent' })
  expect((await person.call('read', { terminalId, since: 0 })).output).toMatch(/^of-a-person$/m)
})

test('a person’s ctrl+c reaches a program that does not read, past all agents’ input', async () => {
  const { terminalId } = await person.call('create', { command: ['sleep', '1000'], waitFor: 'none' })
  const { note } = await agent.call('send', { terminalId, text: 'x\n'.repeat(30_000), waitFor: 'none' })
  expect(note).toMatch(/^The program has not read all of the input yet\./)
  const { droppedBytes } = await person.call('take', { terminalId })
  expect(droppedBytes).toBeGreaterThan(40_000)
  await person.call('write', { terminalId, data: bytes('\x03') })
  const { terminals } = await person.call('wait', { terminalIds: [terminalId], waitFor: 'exit' })
  expect(terminals).toMatchObject([{ state: 'exited', signal: 'SIGINT' }])
})

test('every follower sees the holder', async () => {
  const terminalId = await shell()
  const stop = new AbortController()
  const seen: (string | null)[] = []
  const following = (async () => {
    for await (const event of person.follow(terminalId, { lease: true, signal: stop.signal }))
      if (event.type === 'lease') seen.push(event.lease.holder)
  })()
  await until(() => seen.length === 1)
  await person.call('take', { terminalId })
  await until(() => seen.length === 2)
  await person.call('release', { terminalId })
  await until(() => seen.length === 3)
  stop.abort()
  await following
  expect(seen).toEqual([null, 'ada', null])
})

test('agentpty take and release report what they have done', async () => {
  const terminalId = await shell()
  await agent.call('send', { terminalId, text: 'rm -rf build', newline: false, waitFor: 'output' })
  const taken = await instance.cli('take', terminalId, '--for', '20m', '--reason', 'careful')
  expect(taken.stdout).toMatch(/^term-1 is yours for 1[12]\d\d s: .*\nTaken back of an agent’s line: "rm -rf build"\n$/)
  expect(JSON.parse((await instance.cli('ls', '--json')).stdout).terminals[0].takenBy).toMatch(/: careful$/)
  expect((await instance.cli('release', terminalId)).stdout).toBe('term-1: agents and persons may type\n')
  expect((await instance.cli('take', terminalId, '--for', 'ever')).code).toBe(2)
})

test('numbered keys are typed once, even if the next daemon receives them again', async () => {
  const { terminalId } = await person.call('create', { command: ['cat'], waitFor: 'ready' })
  const numbered = (number: number, text: string) => ({
    terminalId,
    data: bytes(text),
    numbered: { writer: 4711, number },
  })
  await person.call('write', numbered(1, 'once '))
  await person.call('write', numbered(1, 'once '))
  await instance.killDaemon()
  const next = await instance.rpc({}, { isPerson: true })
  await next.call('write', numbered(1, 'once '))
  await next.call('write', numbered(2, 'twice\r'))
  await next.call('wait', { terminalIds: [terminalId], since: [0], waitFor: { text: 'once twice\nonce twice' } })
  expect((await next.call('read', { terminalId, since: 0 })).output).toBe('once twice\nonce twice')
})

describe('an agent that asks for a person', () => {
  const reason = 'Solve the merge conflict, please.'

  test('is woken after they have taken over and given back', async () => {
    const terminalId = await shell()
    const asking = agent.protocol.callTool({
      name: 'terminal_ask_person',
      arguments: { terminalId, takeOver: reason },
    })
    await until(async () => (await person.call('needs', {})).needs.length > 0)
    expect((await person.call('needs', {})).needs).toMatchObject([
      { kind: 'takeOver', terminalId, text: reason, answerBy: { verb: 'take', input: { terminalId }, answer: null } },
    ])
    await person.call('take', { terminalId })
    await person.call('send', { terminalId, text: 'echo solved' })
    await person.call('release', { terminalId })
    expect((await asking).structuredContent).toMatchObject({
      outcome: 'returned',
      handedBack: expect.stringContaining('"echo solved" (exit 0)'),
    })
    expect((await person.call('needs', {})).needs).toEqual([])
  })

  test('keeps waiting with the next call, and receives the refusal', async () => {
    const terminalId = await shell()
    const program = await instance.rpc()
    const ask = { terminalId, reason, waitTimeoutMs: 100 }
    expect(await program.call('askToTake', ask)).toMatchObject({ outcome: 'timeout' })
    await person.call('take', { terminalId })
    expect(await program.call('askToTake', ask)).toMatchObject({ outcome: 'timeout', takenBy: 'ada' })
    await person.call('release', { terminalId })
    expect(await program.call('askToTake', ask)).toMatchObject({ outcome: 'returned' })
    await program.call('send', { terminalId, text: 'true' })
    const asking = program.call('askToTake', { ...ask, waitTimeoutMs: 30_000 })
    await until(async () => (await person.call('needs', {})).needs.length > 0)
    const [{ needId = '' } = {}] = (await person.call('needs', {})).needs
    await person.call('dismiss', { needId })
    expect(await asking).toMatchObject({ outcome: 'declined' })
  })
})
