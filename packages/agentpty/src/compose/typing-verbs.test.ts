/**
 * All verbs, and what they type: a verb whose handler writes to a keyboard says so in its record, which the policy, the lease, the scope and
 * the journal read. A new verb is called here by its example.
 */

import { Host } from '@agentpty/engine/host'
import { Keyboard } from '@agentpty/engine/session'
import { isTermError, TermError } from '@agentpty/protocol'
import type { CallContext, Guard } from '@agentpty/protocol/call'
import type { Questions } from '@agentpty/protocol/questions'
import { terminalVariable } from '@agentpty/protocol/session'
import { noGates } from '@agentpty/protocol/testing'
import { isTypingVerb, type TypingVerb, type VerbInput, type VerbName, verbs } from '@agentpty/protocol/verbs'
import {
  type EngineContext,
  type Handler,
  leaseGuard,
  openFakeEngine,
  pass,
  policyGuard,
  scopeGuard,
  sessionsOf,
  typesInto,
  typistOf,
} from '@agentpty/server/testing'
import { noRules } from '@agentpty/shell-policy'
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { handlers } from './handlers.ts'

const quick = { waitFor: 'output', waitTimeoutMs: 0 } as const
const status = (state: string) => `\x1b]7501;state=${state}:app=x\x07`
const prompt = '\x1b]133;A\x07$ \x1b]133;B\x07'

const keyboard = vi.spyOn(Keyboard.prototype, 'writeSecret')
beforeEach(() => void keyboard.mockClear())
afterAll(() => keyboard.mockRestore())

type Engine = Awaited<ReturnType<typeof open>>

/** term-1: an idle agent; term-2: a shell at its prompt; term-3: an agent that shows a dialog. */
async function open(guardsOf: (engine: EngineContext) => readonly Guard[]) {
  let questions: Questions | null = null
  const guards = (context: EngineContext) => {
    questions = context.questions
    return guardsOf(context)
  }
  const engine = openFakeEngine({}, guards, { handlers })
  onTestFinished(pass(engine.clock))
  const { client, pty } = engine
  await client.call('create', { command: ['agent'], ...quick })
  await client.call('create', { shell: '/bin/bash', ...quick, cwd: '/tmp' })
  await client.call('create', { command: ['agent'], ...quick })
  pty(1).prints(status('working') + status('idle'))
  pty(2).prints(prompt)
  pty(3).prints(`${status('blocked')}Do you trust this folder?\r\n\u276f 1. Yes\r\n  2. No\r\n`)
  const stop = whileOpen(() => {
    if (pty(2).isWatched) pty(2).reports({ wait: 'select', canonical: false, echo: false, name: 'bash' })
  })
  onTestFinished(stop)
  const ask = async (terminalId: string) => {
    const [terminal] = (await client.call('wait', { terminalIds: [terminalId], waitFor: 'none' })).terminals
    const question = { terminalId, program: 'bash', text: 'Go on?', isSecret: false, cursor: terminal?.cursor ?? 0 }
    return (questions as unknown as Questions).add(question).questionId
  }
  return { ...engine, ask }
}

/** Calls again and again until it is stopped. */
function whileOpen(act: () => void): () => void {
  let isOpen = true
  const next = () => {
    if (!isOpen) return
    act()
    setImmediate(next)
  }
  next()
  return () => {
    isOpen = false
  }
}

type CallVerb = (engine: Engine, context?: Partial<CallContext>) => Promise<unknown>

/** Inputs that type into the shell, of verbs that need more than a terminal and a text. */
const ownInputs: { readonly [Name in TypingVerb]?: (text: string, ask: Engine['ask']) => Promise<VerbInput<Name>> } = {
  sendKeys: async (text) => ({ terminalId: 'term-2', keys: [...keysOf(text), 'enter'], waitFor: 'none' }),
  run: async (command) => ({ terminalId: 'term-2', command, timeoutMs: 100 }),
  write: async (text) => ({ terminalId: 'term-2', data: Buffer.from(`${text}\r`).toString('base64') }),
  secret: async (text) => ({ terminalId: 'term-1', text }),
  take: async () => ({ terminalId: 'term-1' }),
  answer: async (text, ask) => ({ questionId: await ask('term-2'), text, waitFor: 'none' }),
}

async function inputFor(name: TypingVerb, text: string, ask: Engine['ask']): Promise<object> {
  const own = ownInputs[name]
  if (own !== undefined) return own(text, ask)
  const { input, example } = verbs[name]
  if (!('text' in example)) throw new Error(`How does ${name} type a text? Add its input to ownInputs.`)
  return { ...example, terminalId: 'term-2', text, ...('waitFor' in input.shape ? { waitFor: 'none' } : {}) }
}

const keysOf = (text: string) => [...text].map((character) => (character === ' ' ? 'space' : character))

const callTyping =
  (name: TypingVerb, text = 'rm -rf /'): CallVerb =>
  async ({ client, ask, pty }, context) => {
    // A person who takes a terminal over removes the text that an agent typed.
    if (name === 'take') {
      await client.call(
        'sendKeys',
        { terminalId: 'term-1', keys: ['h', 'a', 'l', 'f'], waitFor: 'none' },
        { isPerson: false },
      )
      pty(1).prints('half')
      keyboard.mockClear()
    }
    const caller = name === 'take' ? { isPerson: true } : {}
    return client.call(name, (await inputFor(name, text, ask)) as never, { ...caller, ...context })
  }

/** Verbs that type by a call of another verb, and that verb. Forks, resumed agents, retries and pipelines give tasks as `spawn` does. */
const inner: { readonly [Name in VerbName]?: { readonly by: TypingVerb; readonly call: CallVerb } } = {
  reply: { by: 'sendKeys', call: ({ client }) => client.call('reply', { terminalId: 'term-3', option: '2' }) },
  instruct: {
    by: 'send',
    call: ({ client }) => client.call('instruct', { terminalId: 'term-1', text: 'count', waitTimeoutMs: 1_000 }),
  },
  sendMessage: {
    by: 'send',
    call: async ({ client }) => {
      const { messageId } = await client.call('sendMessage', { terminalId: 'term-1', text: 'done' })
      return client.call('sentMessages', { messageIds: [messageId], waitTimeoutMs: 5_000 })
    },
  },
  spawn: {
    by: 'send',
    call: async ({ client, pty }) => {
      const spawned = client.call('spawn', { command: ['agent'], instruction: 'count', waitTimeoutMs: 1_000 })
      while ((await client.call('list', {})).terminals.length < 4) await client.call('list', {})
      pty(4).prints(status('working') + status('idle'))
      return spawned
    },
  },
}

/** Calls a verb with the example of its record, in an existing terminal. */
const byExample =
  (name: VerbName): CallVerb =>
  ({ client }) => {
    const example = verbs[name].example as Record<string, unknown>
    const here = {
      ...('terminalId' in example ? { terminalId: 'term-1' } : {}),
      ...('terminalIds' in example ? { terminalIds: ['term-1'] } : {}),
    }
    return client.call(name, { ...example, ...here } as never)
  }

/** A call may be refused; what counts is what it has typed. */
async function attempt(call: Promise<unknown>): Promise<unknown> {
  return call.catch((error: unknown) => {
    if (isTermError(error)) return error.code
    throw error
  })
}

const refuseTyping: Guard = ({ name }) => {
  if (isTypingVerb(name)) throw new TermError('denied', 'No verb may type.', '')
}

describe.each(Object.keys(verbs) as VerbName[])('%s', (name) => {
  const call = isTypingVerb(name) ? callTyping(name) : (inner[name]?.call ?? byExample(name))

  test('types nothing where the verbs that type are refused', async () => {
    const engine = await open(() => [refuseTyping])
    await attempt(call(engine))
    expect(keyboard).not.toHaveBeenCalled()
  })

  test('reaches the keyboard by itself, by a verb that types, or not at all', async () => {
    const passed: string[] = []
    const engine = await open(() => [({ name: verb }) => void passed.push(verb)])
    passed.length = 0
    await attempt(call(engine))
    const typed = keyboard.mock.calls.length > 0
    expect(typed).toBe(isTypingVerb(name) || inner[name] !== undefined)
    const by = isTypingVerb(name) ? name : inner[name]?.by
    if (by !== undefined) expect(passed).toContain(by)
  })
})

describe.each(Object.keys(verbs) as VerbName[])('the record of %s', (name) => {
  const { callers, starts, yields } = verbs[name].safety
  const call = isTypingVerb(name) ? callTyping(name, 'ls') : byExample(name)

  test(`lets viewers call it: ${callers === 'viewer'}`, async () => {
    const engine = await open(({ host }) => [scopeGuard(host)])
    const view = { id: 'v', name: 'v', holds: () => true, view: { terminalId: null } }
    const viewer = { ...engine, client: engine.clientOf({ client: 'v', scope: view }) }
    const outcome = await attempt(call(viewer))
    if (callers === 'viewer') expect(outcome).not.toBe('denied')
    else expect(outcome).toBe('denied')
  })

  test(`lets programs in terminals call it: ${callers === 'viewer' || callers === 'agent'}`, async () => {
    const engine = await open(() => [])
    const inside = { isPerson: true, env: { [terminalVariable]: 'term-1' } }
    const outcome = attempt(call({ ...engine, client: engine.clientOf({ client: 'c', ...inside }) }))
    if (callers === 'outside' || callers === 'person') expect(await outcome).toBe('denied')
    else expect(await outcome).not.toBe('denied')
  })

  test(`lets clients call it that are no persons: ${callers !== 'person'}`, async () => {
    const engine = await open(() => [])
    const outcome = attempt(call({ ...engine, client: engine.clientOf({ client: 'c', env: {} }) }, { isPerson: false }))
    if (callers === 'person') expect(await outcome).toBe('denied')
    else expect(await outcome).not.toBe('denied')
  })

  test(`keeps agents out of a terminal that a person has: ${yields !== null}`, async () => {
    const engine = await open((context) => [leaseGuard(context)])
    for (const terminalId of ['term-1', 'term-2']) await engine.client.call('take', { terminalId }, { isPerson: true })
    if (yields !== null) expect(await attempt(call(engine, { isPerson: false }))).toBe('person_types')
  })

  test(`says whether it starts programs: ${starts}`, async () => {
    const opened = vi.spyOn(Host.prototype, 'open')
    onTestFinished(() => opened.mockRestore())
    const engine = await open(() => [])
    opened.mockClear()
    await attempt(name === 'run' ? engine.client.call('run', { command: 'ls', timeoutMs: 0 }) : call(engine))
    if (starts === null || starts === 'environment') expect(opened).not.toHaveBeenCalled()
    if (starts === 'itself') expect(opened).toHaveBeenCalled()
  })
})

test('a handler whose record does not say that it types cannot type', async () => {
  // The compiler refuses what this handler does; without a permit there is no typist.
  const read: Handler<'rename'> = async ({ host }, { terminalId, name }, context) => {
    // @ts-expect-error The context has no permit.
    const typist = typistOf(host.find(terminalId), context)
    await host.find(terminalId).keyboard.write(Buffer.from(name), typist)
    return { terminalId, name }
  }
  expect(verbs.rename.safety.types).toBeNull()
  expect(read).toBeInstanceOf(Function)
})

const judged = Object.keys(verbs)
  .filter(isTypingVerb)
  .filter((name) => verbs[name].safety.callers !== 'person')

describe.each(judged)('%s is known to', (name) => {
  test('the policy, which refuses what no person may allow', async () => {
    const engine = await open(({ host, clock, approvals }) => [
      policyGuard({
        host,
        clock,
        approvals,
        walls: { settle: () => null },
        gates: { ...noGates, keepsFiles: true },
        rulesFor: () => noRules,
      }),
    ])
    const outcome = await attempt(callTyping(name)(engine))
    // The policy does not read secrets: only whether the caller may type there counts.
    if (name === 'secret') expect(outcome).toEqual({ sent: true })
    else expect([outcome, engine.pty(2).written]).toEqual(['denied', ''])
  })

  test('the lease, which keeps agents out while a person has the terminal', async () => {
    const engine = await open((context) => [leaseGuard(context)])
    for (const terminalId of ['term-1', 'term-2']) await engine.client.call('take', { terminalId }, { isPerson: true })
    const outcome = await attempt(callTyping(name, 'ls')(engine, { isPerson: false }))
    // Only persons have it.
    if (name === 'secret') expect(outcome).toEqual({ sent: true })
    else expect(outcome).toBe('person_types')
  })

  test('the scope, which hides terminals of others', async () => {
    const engine = await open(({ host }) => [scopeGuard(host)])
    const scoped = engine.clientOf({ client: 'a', scope: { id: 'a', name: 'a', holds: () => true } })
    expect(await attempt(callTyping(name, 'ls')({ ...engine, client: scoped }))).toBe('session_not_found')
    const view = { id: 'v', name: 'v', holds: () => true, view: { terminalId: null } }
    const viewer = engine.clientOf({ client: 'v', scope: view })
    expect(await attempt(callTyping(name, 'ls')({ ...engine, client: viewer }))).toBe('denied')
    expect(keyboard).not.toHaveBeenCalled()
  })

  test('the journal, which names the terminal', async () => {
    let noted: readonly string[] = []
    const engine = await open(() => [
      (call) => {
        if (call.name === name) noted = sessionsOf(call, undefined)
      },
    ])
    await attempt(callTyping(name, 'ls')(engine))
    expect(noted).toEqual([name === 'secret' ? 'term-1' : 'term-2'])
  })
})

test('a question that is gone has no terminal', () => {
  expect(typesInto('answer', { questionId: 'q' } as never, { find: () => null })).toBeUndefined()
})
