/**
 * Real agent programs with agentpty as their server: each is registered, finds the tools, and a scripted model has it open a
 * terminal, run a program that asks, answer it and read the result.
 */

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Launch } from '../../bench/agents/clients/client.ts'
import { installClients } from '../../bench/agents/lib/install.ts'
import { startFakeModel } from '../../tools/fake-model/server.ts'
import type { Finished } from '../e2e/instance.ts'
import { AgentHome } from './agent-home.ts'
import { type TestedAgent, testedAgents } from './agents.ts'
import { Matrix } from './matrix.ts'
import { askOnScreen } from './on-screen.ts'
import { packages } from './packages.ts'

/** Installing takes a minute the first time; a client on a busy machine takes its time to start. */
const patience = 300_000

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
        { text: 'RESULT={{last:/Hello \\w+!/}}' },
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
}, patience)

beforeEach(() => {
  home = new AgentHome()
})

afterEach(async () => {
  assert.deepEqual(await home.close(), [])
})

async function register({ client }: TestedAgent): Promise<void> {
  assert.equal((await home.agentpty('init', '--client', client.name, '--yes')).code, 0)
}

afterAll(() => matrix.tell())

interface Way {
  readonly transport: 'stdio' | 'HTTP'
  /** What the agent shows, once it is registered and has been asked. */
  readonly ask: (agent: TestedAgent, modelUrl: string) => Promise<string>
}

const ways: Readonly<Record<string, Way>> = {
  stdio: {
    transport: 'stdio',
    ask: async (agent, modelUrl) => {
      const launch = prepare(agent, modelUrl)
      await register(agent)
      return askAlone(agent, launch)
    },
  },
  HTTP: {
    transport: 'HTTP',
    ask: async (agent, modelUrl) => {
      const launch = prepare(agent, modelUrl)
      agent.registerAddress(placeOf(agent, modelUrl), await home.address())
      return askAlone(agent, launch)
    },
  },
  TUI: {
    transport: 'stdio',
    ask: async (agent, modelUrl) => {
      const { command, env } = prepare(agent, modelUrl)
      await register(agent)
      const caller = await home.caller()
      const launch = { command: [...command, ...agent.permitting], env: { ...env, ...agent.env } }
      return askOnScreen(caller, { client: agent.client, launch, cwd: home.cwd }, prompt)
    },
  },
}

const placeOf = ({ program }: TestedAgent, modelUrl: string) => ({ home: home.path, cwd: home.cwd, modelUrl, program })

const prepare = (agent: TestedAgent, modelUrl: string): Launch => agent.client.prepare(placeOf(agent, modelUrl))

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
        const read = readByModel()
        assert.equal(read.split('Hello Ada!').length - 1, 1, 'the model reads a result once')
        assert.doesNotMatch(read, /\\"sent\\"/, 'and nothing that goes without saying')
        return home.spoken(transport)
      })
      .finally(() => model.close())
  },
  patience,
)

/** The model's last request, with all that the client gave it. */
function readByModel(): string {
  const requests = readdirSync(home.dumps).map((name) => readFileSync(join(home.dumps, name), 'utf8'))
  return requests.findLast((text) => text.includes('Hello Ada!')) ?? ''
}

/** Both streams, when it has ended. */
async function askAlone(agent: TestedAgent, { command, env }: Launch): Promise<string> {
  const { stdout, stderr } = await runWithoutInput([...command, ...agent.ask(prompt), ...agent.permitting], {
    ...home.env,
    ...env,
    ...agent.env,
  })
  return `${stdout}\n${stderr}`
}

/** Some clients wait for their standard input to end. */
function runWithoutInput([file = '', ...args]: readonly string[], env: Readonly<Record<string, string>>) {
  return new Promise<Omit<Finished, 'code'>>((resolve, reject) => {
    const child = spawn(file, [...args], { cwd: home.cwd, env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      return parts
    })
    child.once('error', reject)
    child.once('close', () =>
      resolve({ stdout: Buffer.concat(stdout ?? []).toString(), stderr: Buffer.concat(stderr ?? []).toString() }),
    )
  })
}
