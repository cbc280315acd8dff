import { type FakeSession, openFakeSession } from '@agentpty/engine/testing'
import type { Call } from '@agentpty/protocol/call'
import type { OverviewAgent, SessionInfo } from '@agentpty/protocol/session'
import { FakeClock } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import { McpClients } from './mcp-clients.ts'

const keptMs = 3_600_000
const agent: OverviewAgent = { type: 'claude', conversation: null, task: null, tokens: null }

function clientsOf(infos: readonly Partial<SessionInfo>[], options: { keptMs?: number | null; agent?: boolean } = {}) {
  const clock = new FakeClock()
  const fakes = infos.map((info, at): FakeSession => openFakeSession({ info: { id: `term-${at + 1}`, ...info } }))
  const sessions = fakes.map(({ session }) => session)
  const closed: string[] = []
  const ended: string[] = []
  const clients = new McpClients({
    clock,
    host: {
      sessions,
      known: (id) => sessions.find(({ info }) => info.id === id) ?? null,
      noteClient: (session, client) => {
        session.info = { ...session.info, ...client }
      },
      close: async (session) => {
        closed.push(session.info.id)
        return { survivors: 0 }
      },
    },
    agents: { glance: () => (options.agent === true ? agent : null) },
    keptMs: options.keptMs === undefined ? keptMs : options.keptMs,
    ended: (client) => void ended.push(client),
    asking: () => ['client-gone'],
  })
  /** Lets the sweeps of this time run. */
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 60_000) {
      clock.advance(60_000)
      for (const fake of fakes) fake.clock.advance(60_000)
      await settled()
    }
  }
  return { clock, sessions, clients, closed, ended, pass }
}

const settled = () => new Promise<void>((resolve) => void setImmediate(resolve))

const call = (context: Partial<Call['context']>): Call => ({
  name: 'send',
  input: {},
  typesInto: 'term-1',
  context: { client: 'other', cwd: '/', env: {}, ...context },
})

test('the terminals of a client are marked when its last connection ends, and not before', () => {
  const { clients, sessions, ended } = clientsOf([{ mcpClient: 'a' }, { mcpClient: 'b' }, {}])
  const first = clients.connect('a')
  const second = clients.connect('a')
  first()
  first()
  expect(sessions[0]?.info.clientEndedAt).toBeNull()
  second()
  expect(sessions.map(({ info }) => info.clientEndedAt !== null)).toEqual([true, false, false])
  expect(ended).toEqual(['a'])
})

test('a client that connects again takes the mark back', () => {
  const { clients, sessions } = clientsOf([{ mcpClient: 'a' }])
  clients.connect('a')()
  clients.connect('a')
  expect(sessions[0]?.info.clientEndedAt).toBeNull()
})

test('a daemon that ends marks nothing', () => {
  const { clients, sessions, ended } = clientsOf([{ mcpClient: 'a' }])
  const disconnect = clients.connect('a')
  clients.close()
  disconnect()
  expect(sessions[0]?.info.clientEndedAt).toBeNull()
  expect(ended).toEqual([])
})

test('clients that do not come back after a restart count as ended a minute later', async () => {
  const { clients, sessions, ended, pass } = clientsOf([{ mcpClient: 'a' }, { mcpClient: 'b' }])
  clients.connect('a')
  await pass(60_000)
  expect(sessions.map(({ info }) => info.clientEndedAt !== null)).toEqual([false, true])
  expect(ended).toEqual(['client-gone'])
})

test('a terminal is closed when the configured time has passed since its client ended', async () => {
  const { clients, closed, pass } = clientsOf([{ mcpClient: 'a' }, {}])
  clients.connect('a')()
  await pass(keptMs - 60_000)
  expect(closed).toEqual([])
  await pass(60_000)
  expect(closed).toContain('term-1')
  expect(closed).not.toContain('term-2')
})

test('without a configured time nothing is closed', async () => {
  const { clients, closed, pass } = clientsOf([{ mcpClient: 'a' }], { keptMs: null })
  clients.connect('a')()
  await pass(10 * keptMs)
  expect(closed).toEqual([])
})

test.each<[string, readonly Partial<SessionInfo>[]]>([
  [
    'a person has taken over',
    [{ mcpClient: 'a', lease: { mayType: 'person', holder: 'ada', epoch: 1, since: 0 } as never }],
  ],
  ['from which another runs', [{ mcpClient: 'a' }, { ancestors: ['term-1'] }]],
])('a terminal %s is not closed', async (_which, infos) => {
  const { clients, closed, pass } = clientsOf(infos)
  clients.connect('a')()
  await pass(2 * keptMs)
  expect(closed).toEqual([])
})

test('an agent at work is not closed', async () => {
  const { clients, closed, pass } = clientsOf([{ mcpClient: 'a' }], { agent: true })
  clients.connect('a')()
  await pass(2 * keptMs)
  expect(closed).toEqual([])
})

test('the next client that types into a terminal takes it over', async () => {
  const { clients, sessions, closed, pass } = clientsOf([{ mcpClient: 'a' }])
  clients.connect('a')()
  clients.connect('b')
  clients.follow(call({ client: 'b', isMcp: true }))
  expect(sessions[0]?.info).toMatchObject({ mcpClient: 'b', clientEndedAt: null })
  await pass(2 * keptMs)
  expect(closed).toEqual([])
})

test('a terminal that the command line types into stays for good', async () => {
  const { clients, sessions, closed, pass } = clientsOf([{ mcpClient: 'a' }])
  clients.connect('a')()
  clients.follow(call({}))
  expect(sessions[0]?.info).toMatchObject({ mcpClient: null, clientEndedAt: null })
  await pass(2 * keptMs)
  expect(closed).toEqual([])
})
