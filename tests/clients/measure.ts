/**
 * Measures how much of a result reaches each agent's model, from its scripted model's dumps: a short result, an error,
 * results of several lengths, and a picture. `node --import tsx tests/clients/measure.ts [--agents claude,codex] [--keep FOLDER]` prints a table.
 */

import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { installClients } from '../../bench/agents/lib/install.ts'
import { startFakeModel } from '../../tools/fake-model/server.ts'
import { AgentHome } from './agent-home.ts'
import { type TestedAgent, testedAgents } from './agents.ts'
import { askAlone } from './ask-alone.ts'
import { packages } from './packages.ts'
import { type ReadByModel, readByModel } from './read-by-model.ts'

const { values: options } = parseArgs({ options: { agents: { type: 'string' }, keep: { type: 'string' } } })
const wanted = options.agents?.split(',')

const asking = '{{result.0:/term-\\d+/}}'
const counting = '{{result.2:/term-\\d+/}}'
const read = (args: object) => ({ tool: 'agentpty/terminal_read', args: { terminalId: counting, since: 0, ...args } })
/** Keyed by request. Each output line is a number, so that the lines that arrived can be identified. */
const asked = {
  question: {
    tool: 'agentpty/terminal_create',
    args: { command: `python3 -c "name = input('Name? '); print('Hello', name + '!')"` },
  },
  answer: { tool: 'agentpty/terminal_send', args: { terminalId: asking, text: 'Ada' } },
  created: { tool: 'agentpty/terminal_create', args: { command: 'seq 1 22000 | tr 0-9 a-j', waitFor: 'exit' } },
  error: { tool: 'agentpty/terminal_read', args: { terminalId: 'term-99' } },
  '9 KB': read({}),
  '20 KB': read({ maxBytes: 20_000 }),
  '30 KB': read({ maxBytes: 30_000 }),
  '50 KB': read({ maxBytes: 50_000 }),
  '125 KB': read({ maxBytes: 1_000_000 }),
  picture: { tool: 'agentpty/terminal_screenshot', args: { terminalId: counting, format: 'png' } },
}
/** The beginning of every PNG, in base64. */
const beginOfPng = 'iVBORw0KGgo'
const script = { turns: [{ match: 'MEASURE', steps: [...Object.values(asked), { text: 'MEASURED' }] }] }

async function resultsOf(agent: TestedAgent): Promise<ReadByModel> {
  const home = new AgentHome()
  const model = await startFakeModel({ script, dumpFolder: home.dumps })
  try {
    const options = { home: home.path, cwd: home.cwd, modelUrl: model.url, program: agent.program }
    const launch = agent.client.prepare(options)
    await home.agentpty('init', '--client', agent.client.name, '--yes')
    const said = await askAlone(home, agent, launch, 'MEASURE id=1')
    assert.match(said, /MEASURED/, said)
    return readByModel(script, home.dumps)
  } finally {
    await model.close()
    assert.deepEqual(await home.close(), [])
  }
}

function summaryOf(text: string): string {
  const lines = new Set(text.match(/(?<![\d-])\d+(?=\\?\\n|\n|\\?")/g))
  const cursors = text.split(/\\?"cursor\\?":/).length - 1
  return `${encode(text).length} tokens, ${text.length} characters, ${lines.size} lines, cursor ${cursors} times`
}

installClients()
packages.install()
for (const agent of testedAgents) {
  const { name } = agent.client
  if (wanted !== undefined && !wanted.includes(name)) continue
  const { results, request } = await resultsOf(agent)
  for (const [index, what] of Object.keys(asked).entries())
    process.stdout.write(`${name} | ${what} | ${summaryOf(results[index] ?? '')}\n`)
  const at = request.indexOf(beginOfPng)
  process.stdout.write(`${name} | the picture | ${at < 0 ? 'not there' : request.slice(at - 160, at)}\n`)
  if (options.keep === undefined) continue
  mkdirSync(options.keep, { recursive: true })
  writeFileSync(join(options.keep, `${name}.json`), JSON.stringify(results, null, 1))
}
