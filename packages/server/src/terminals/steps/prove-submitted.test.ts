import { agentTypes, type FakeSession, openFakeSession, testTypist } from '@agentpty/engine/testing'
import type { Facts } from '@agentpty/protocol'
import { expect, test } from 'vitest'
import { assertNoDraft, proveSubmitted } from './prove-submitted.ts'

/** An agent’s process sits in its event loop whatever it does. */
const inEventLoop: Partial<Facts> = {
  canonical: false,
  echo: false,
  wait: 'epoll',
  otherFds: 6,
  sockets: 2,
  threads: 12,
  timeoutMs: 900,
  foreground: 100,
  waiter: 100,
  waiterThread: 100,
  name: 'agent',
}

const line = '─'.repeat(60)
/** Its input box, with the cursor behind what was typed. */
const box = (draft: string, row = 1) =>
  `\x1b[${row}H\x1b[2K${line}\r\n\x1b[2K❯ ${draft}\r\n\x1b[2K${line}\x1b[${row + 1};${3 + draft.length}H`
const working = '\x1b]7501;state=working:app=agent\x1b\\'
const idle = '\x1b]7501;state=idle:app=agent\x1b\\'

function openAgent(): FakeSession {
  const agent = openFakeSession({ info: { argv: ['agent'], shell: null } })
  agent.session.watch()
  agent.pty.prints(`\x1b[?2004h${idle}${box('')}`)
  agent.pty.reports(inEventLoop)
  return agent
}

/** Time, in steps while the program does this. The screen is drawn in each, and looked at as often as one step of the proof does. */
async function pass({ clock, pty, session }: FakeSession, ms: number, does = inEventLoop): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) {
    pty.reports(does)
    clock.advance(50)
    for (let looks = 0; looks < 3; looks++) {
      await session.screen()
      await new Promise(setImmediate)
    }
  }
}

/** The fate of the proof of an instruction that was just typed and entered. */
async function type(agent: FakeSession, text: string, isFirst = false) {
  const startedWith = isFirst ? (await agent.session.screen()).picture().text : null
  await agentTypes(agent.session, Buffer.from(`${text}\r`))
  const state = { is: 'pending' }
  const settle = (is: string) => {
    state.is = is
  }
  proveSubmitted(
    { clock: agent.clock },
    agent.session,
    { text, startedWith, typist: testTypist(agent.session, false) },
    {},
  ).then(
    (isTaken) => settle(isTaken ? 'submitted' : 'lost'),
    ({ code }) => settle(code),
  )
  return state
}

test('it is submitted when the agent works and its box is empty', async () => {
  const agent = openAgent()
  const proof = await type(agent, 'fix it')
  agent.pty.prints(box('fix it'))
  await pass(agent, 500)
  expect(proof.is).toBe('pending')
  agent.pty.prints(box('') + working)
  await pass(agent, 100)
  expect([proof.is, agent.pty.written]).toEqual(['submitted', 'fix it\r'])
})

test('what empties the box and begins nothing is submitted as well', async () => {
  const agent = openAgent()
  const proof = await type(agent, '/help')
  agent.pty.prints(box(''))
  await pass(agent, 1_000)
  expect(proof.is).toBe('pending')
  await pass(agent, 1_000)
  expect(proof.is).toBe('submitted')
})

test('an Enter that was swallowed is pressed again, and the text is typed once', async () => {
  const agent = openAgent()
  const proof = await type(agent, 'fix it')
  agent.pty.prints(box('fix it'))
  await pass(agent, 1_700)
  expect(agent.pty.written).toBe('fix it\r\r')
  agent.pty.prints(box('') + working)
  await pass(agent, 100)
  expect(proof.is).toBe('submitted')
})

test('Enter is not pressed again while the agent has not come to it', async () => {
  const agent = openAgent()
  const proof = await type(agent, 'fix it')
  agent.pty.prints(box('fix it'))
  await pass(agent, 4_000, { ...inEventLoop, wait: 'none' })
  await pass(agent, 4_000, { ...inEventLoop, unread: 1 })
  expect([proof.is, agent.pty.written]).toEqual(['pending', 'fix it\r'])
  await pass(agent, 1_700)
  expect(agent.pty.written).toBe('fix it\r\r')
})

test('what ends while it has not read the text is no sign that it has taken it', async () => {
  const agent = openAgent()
  agent.pty.prints(working)
  const proof = await type(agent, 'fix it')
  agent.pty.prints(idle)
  await pass(agent, 1_000, { ...inEventLoop, unread: 7 })
  expect(proof.is).toBe('pending')
  agent.pty.prints(box('fix it'))
  await pass(agent, 1_000)
  expect(proof.is).toBe('pending')
  agent.pty.prints(box('') + working)
  await pass(agent, 100)
  expect([proof.is, agent.pty.written]).toEqual(['submitted', 'fix it\r'])
})

test('what stays in the box is not submitted, and says so', async () => {
  const agent = openAgent()
  const proof = await type(agent, 'fix it')
  agent.pty.prints(box('fix it'))
  await pass(agent, 6_000)
  expect([proof.is, agent.pty.written]).toEqual(['not_submitted', 'fix it\r\r\r'])
})

test('Enter is not pressed again into a question', async () => {
  const agent = openAgent()
  const proof = await type(agent, 'fix it')
  agent.pty.prints(`${box('fix it')}\x1b]7501;state=blocked:kind=permission:app=agent\x1b\\`)
  await pass(agent, 3_000)
  expect([proof.is, agent.pty.written]).toEqual(['submitted', 'fix it\r'])
})

test('a question that comes up before the agent has ever worked has taken the place of the instruction', async () => {
  const question = `${box('')}\x1b]7501;state=blocked:kind=question:app=agent\x1b\\`
  const starting = openAgent()
  const lost = await type(starting, 'fix it', true)
  starting.pty.prints(question)
  await pass(starting, 2_000)
  expect([lost.is, starting.pty.written]).toEqual(['needs_answer', 'fix it\r'])
  const atWork = openAgent()
  const taken = await type(atWork, 'fix it', true)
  atWork.pty.prints(working)
  await pass(atWork, 50)
  atWork.pty.prints(question)
  await pass(atWork, 2_000)
  expect(taken.is).toBe('submitted')
})

test('a first instruction is lost when the box is empty, nothing of it is shown and nothing comes of it', async () => {
  const agent = openAgent()
  const lost = await type(agent, 'fix it', true)
  agent.pty.prints(box(''))
  await pass(agent, 11_000)
  expect([lost.is, agent.pty.written]).toEqual(['lost', 'fix it\r'])
  const shown = await type(agent, 'fix it now', true)
  agent.pty.prints(`\x1b[H\x1b[J│ > fix │\r\n│ it now │${box('', 4)}`)
  await pass(agent, 500)
  expect(shown.is).toBe('submitted')
})

test('an agent that starts has not taken what is still in its box, even while the caret is drawn before it', async () => {
  const agent = openAgent()
  const proof = await type(agent, 'fix it now', true)
  agent.pty.prints(`${box('fix it now')}\x1b[2;3H`)
  await pass(agent, 500)
  expect(proof.is).toBe('pending')
  agent.pty.prints(box('fix it now'))
  await pass(agent, 1_700)
  expect([proof.is, agent.pty.written]).toEqual(['pending', 'fix it now\r\r'])
})

test('an agent that shows neither its input nor that it works has taken the input once it has an effect', async () => {
  const agent = openAgent()
  const proof = await type(agent, 'fix it', true)
  agent.pty.prints(`${box('')}\x1b[8;1HThe first row of an answer,\r\nand the second.\x1b[2;3H`)
  await pass(agent, 11_000)
  expect([proof.is, agent.pty.written]).toEqual(['submitted', 'fix it\r'])
})

test('a long text that is shown as pasted is the caller’s', async () => {
  const agent = openAgent()
  await type(agent, 'word '.repeat(200))
  agent.pty.prints(box('[Pasted text #1]'))
  const before = agent.pty.written.length
  await pass(agent, 1_700)
  expect(agent.pty.written.length).toBe(before + 1)
})

test('a box that is taken away while the agent draws is no sign that it has begun', async () => {
  const agent = openAgent()
  const proof = await type(agent, 'fix it')
  agent.pty.prints('\x1b[2J\x1b[H')
  await pass(agent, 3_000)
  expect(proof.is).toBe('pending')
  agent.pty.prints(box('') + working)
  await pass(agent, 100)
  expect([proof.is, agent.pty.written]).toEqual(['submitted', 'fix it\r'])
})

test.each([
  ['somebody’s text', 'half a thou', 'line_not_empty'],
  ['nothing', '', null],
])('before an instruction is typed, %s in the box is seen', async (_name, draft, code) => {
  const agent = openAgent()
  agent.pty.prints(box(draft))
  let seen: unknown = 'pending'
  assertNoDraft(agent, agent.session, {}).then(
    () => {
      seen = null
    },
    (error) => {
      seen = error.code
    },
  )
  await pass(agent, 4_000)
  expect(seen).toBe(code)
})

test('text that is entered meanwhile is no draft', async () => {
  const agent = openAgent()
  agent.pty.prints(box('half a thou'))
  const checked = assertNoDraft(agent, agent.session, {})
  await pass(agent, 1_000)
  agent.pty.prints(box(''))
  expect(await checked).toBe(true)
})

test('a program without such a box is left to the caller that waits for it', async () => {
  const cat = openFakeSession({ info: { argv: ['cat'], shell: null } })
  const agent = openAgent()
  expect(await assertNoDraft(cat, cat.session, {})).toBe(false)
  expect(await assertNoDraft(agent, agent.session, {})).toBe(true)
})

test('a draft is seen by a server that knows nothing of the program yet', async () => {
  const agent = openFakeSession({ info: { argv: ['agent'], shell: null } })
  agent.pty.prints(`\x1b[?2004h${idle}${box('half a thought')}`)
  const checked = expect(assertNoDraft(agent, agent.session, {})).rejects.toMatchObject({ code: 'line_not_empty' })
  await Promise.resolve()
  agent.pty.reports(inEventLoop)
  await pass(agent, 4_000)
  await checked
})

test('text that the agent has not read yet is seen once it is drawn', async () => {
  const agent = openAgent()
  await agentTypes(agent.session, Buffer.from('half a thought'))
  const checked = expect(assertNoDraft(agent, agent.session, {})).rejects.toMatchObject({ code: 'line_not_empty' })
  await pass(agent, 1_000, { ...inEventLoop, unread: 14 })
  await pass(agent, 200, { ...inEventLoop, wait: 'none' })
  agent.pty.prints(box('half a thought'))
  await pass(agent, 4_000)
  await checked
})

test('an agent that never reads what was typed is busy', async () => {
  const agent = openAgent()
  await agentTypes(agent.session, Buffer.from('half a thought'))
  const checked = expect(assertNoDraft(agent, agent.session, {})).rejects.toMatchObject({ code: 'agent_busy' })
  await pass(agent, 4_000, { ...inEventLoop, unread: 14 })
  await checked
})
