/** An agent's question to its person, on the agent's own screen. */

import assert from 'node:assert/strict'
import { afterEach, beforeAll, beforeEach, test } from 'vitest'
import { installClients } from '../../bench/agents/lib/install.ts'
import { startFakeModel } from '../../tools/fake-model/server.ts'
import { AgentHome } from './agent-home.ts'
import { testedAgents } from './agents.ts'
import { openOnScreen, showing } from './on-screen.ts'

const testTimeoutMs = 300_000

const script = {
  turns: [
    {
      match: 'ASK',
      steps: [
        { tool: 'agentpty/terminal_create', args: { command: `python3 -c "print('got', input('Colour? '))"` } },
        { tool: 'agentpty/terminal_ask_person', args: { terminalId: '{{last:/term-\\d+/}}' } },
        { text: 'RESULT={{last:/got \\w+/}}' },
      ],
    },
  ],
}

let home: AgentHome

beforeAll(() => installClients(), testTimeoutMs)

beforeEach(() => {
  home = new AgentHome()
})

afterEach(async () => {
  assert.deepEqual(await home.close(), [])
})

/** The keys that its person presses after the answer and Enter. */
const accepting: Readonly<Record<string, readonly string[]>> = { claude: ['enter'], copilot: [] }

test.each(Object.entries(accepting))(
  '%s puts the question to its person',
  async (name, keys) => {
    const agent = testedAgents.find(({ client }) => client.name === name)
    assert.ok(agent)
    const model = await startFakeModel({ script, dumpFolder: home.dumps })
    try {
      const options = { home: home.path, cwd: home.cwd, modelUrl: model.url, program: agent.program }
      const { command, env } = agent.client.prepare(options)
      await home.agentpty('init', '--client', name, '--yes')
      const caller = await home.caller()
      const launch = { command: [...command, ...agent.permitting], env: { ...env, ...agent.env } }
      const terminalId = await openOnScreen(caller, { client: agent.client, launch, home })
      await caller.call('send', { terminalId, text: 'ASK id=1', instruct: true, waitFor: 'none' })
      await showing(caller, terminalId, /asks: Colour\?/)
      await caller.call('send', { terminalId, text: 'blue', waitFor: { stableMs: 500 } })
      if (keys.length > 0) await caller.call('sendKeys', { terminalId, keys: [...keys], waitFor: 'none' })
      await showing(caller, terminalId, /RESULT=got blue/)
    } finally {
      await model.close()
    }
  },
  testTimeoutMs,
)
