/**
 * Real agent programs with agentpty as their server. Each is registered and finds the tools. A scripted model makes it open a
 * terminal, run a program that asks, answer it and read the result.
 */

import assert from 'node:assert/strict'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Launch } from '../../bench/agents/clients/client.ts'
import { installClients } from '../../bench/agents/lib/install.ts'
import { startFakeModel } from '../../tools/fake-model/server.ts'
import { AgentHome } from './agent-home.ts'
import { type TestedAgent, testedAgents } from './agents.ts'
import { askAlone } from './ask-alone.ts'
import { Matrix } from './matrix.ts'
import { askOnScreen } from './on-screen.ts'
import { packages } from './packages.ts'
import { readByModel } from './read-by-model.ts'

/** Installing takes a minute the first time; a client starts slowly on a busy machine. */
const testTimeoutMs = 300_000

const script = {
  turns: [
    {
      match: 'GREET',
      steps: [
        {
          tool: 'agentpty/terminal_create',
          args: { command: `python3 -c "name = input('Name? '); print('Hello', name + '!')"` },
        },
        { tool: 'agentpty/terminal_send', args: { terminalId: '{{last:/term-\\d+/}}', text: 'Ada' } },
        // Longer than the default limit of a result.
        { tool: 'agentpty/terminal_create', args: { command: 'seq 1 22000 | tr 0-9 a-j', waitFor: 'exit' } },
        { text: 'RESULT={{result.1:/Hello \\w+!/}}' },
      ],
    },
  ],
}
const prompt = 'GREET id=1'

const matrix = new Matrix('agents')
let home: AgentHome

beforeAll(() => {
  installClients()
  packages.install()
}, testTimeoutMs)

beforeEach(() => {
  home = new AgentHome()
})

afterEach(async () => {
  assert.deepEqual(await home.close(), [])
})

async function register({ client }: TestedAgent, ...how: readonly string[]): Promise<void> {
  assert.equal((await home.agentpty('init', ...how, '--client', client.name, '--yes')).code, 0)
}

afterAll(() => matrix.report())

interface Way {
  readonly transport: 'stdio' | 'HTTP'
  /** The agent's output after its registration and task. */
  readonly ask: (agent: TestedAgent, modelUrl: string) => Promise<string>
}

const ways: Readonly<Record<string, Way>> = {
  stdio: {
    transport: 'stdio',
    ask: async (agent, modelUrl) => {
      const launch = prepare(agent, modelUrl)
      await register(agent)
      return askAlone(home, agent, launch, prompt)
    },
  },
  HTTP: {
    transport: 'HTTP',
    ask: async (agent, modelUrl) => {
      const launch = prepare(agent, modelUrl)
      await register(agent, '--http')
      return askAlone(home, agent, launch, prompt)
    },
  },
  TUI: {
    transport: 'stdio',
    ask: async (agent, modelUrl) => {
      const { command, env } = prepare(agent, modelUrl)
      await register(agent)
      const caller = await home.caller()
      const launch = { command: [...command, ...agent.permitting], env: { ...env, ...agent.env } }
      return askOnScreen(caller, { client: agent.client, launch, home }, prompt)
    },
  },
}

const launchOptionsOf = ({ program }: TestedAgent, modelUrl: string) => ({
  home: home.path,
  cwd: home.cwd,
  modelUrl,
  program,
})

const prepare = (agent: TestedAgent, modelUrl: string): Launch => agent.client.prepare(launchOptionsOf(agent, modelUrl))

const cases = testedAgents.flatMap((agent) => Object.keys(ways).map((way) => [agent.client.name, way, agent] as const))

test.each(cases)(
  '%s over %s answers a program that asks',
  async (client, way, agent) => {
    const model = await startFakeModel({ script, dumpFolder: home.dumps })
    const { ask, transport } = ways[way]!
    const outcome = { client, version: agent.version(), way }
    await matrix
      .running(outcome, async () => {
        expect(await ask(agent, model.url)).toContain('RESULT=Hello Ada!')
        const { results, request } = readByModel(script, home.dumps)
        assert.equal(results.length, 3)
        const opensAt = transport === 'stdio' || agent.namesFolder ? home.cwd : home.path
        assert.equal(/cwd\\?":\\?"([^"\\]*)/.exec(results[0] ?? '')?.[1], opensAt)
        assert.equal(timesIn(request, 'Hello Ada!'), 1, 'the model reads a result once')
        assert.doesNotMatch(request, /\\"sent\\"/, 'and nothing that goes without saying')
        assert.equal(timesIn(request, 'bytes omitted (offsets'), 1, 'a long one is shortened by us, not by the client')
        assert.match(results[2] ?? '', /cursor\\?":\d+.*ccaaa/s, 'and says where to read on')
        return home.spoken(transport)
      })
      .finally(() => model.close())
  },
  testTimeoutMs,
)

const timesIn = (text: string, what: string) => text.split(what).length - 1
