/** Real agents whose transcripts are read: the exact answers, the usage, and the conversation id for a resume. */

import assert from 'node:assert/strict'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { claude } from '../../bench/agents/clients/claude.ts'
import type { AgentClient } from '../../bench/agents/clients/client.ts'
import { codex } from '../../bench/agents/clients/codex.ts'
import { copilot } from '../../bench/agents/clients/copilot.ts'
import { gemini } from '../../bench/agents/clients/gemini.ts'
import { opencode } from '../../bench/agents/clients/opencode.ts'
import { installClients } from '../../bench/agents/lib/install.ts'
import { type FakeModel, startFakeModel } from '../../tools/fake-model/server.ts'
import { until } from '../harness/instance.ts'
import { AgentHome } from './agent-home.ts'
import { CommandedAgents } from './commanded-agents.ts'

const testTimeoutMs = 300_000
let home: AgentHome
let model: FakeModel

/** A line that no screen shows: raw Markdown, and blanks at its end. */
const row = Array.from({ length: 75 }, (_, index) => String(1000 + index)).join('')
const table = `| ${row} | b |\n|---|---|\n| 1 | 2 |\n\`\`\`js\nconst a = 1   \n\n\tb\n\`\`\`\n**bold** end`
const answering = (match: string, answer: string, usage: { readonly input: number; readonly output: number }) => ({
  match,
  steps: [
    {
      text: `So:\n{{prompt:/BEGIN-RESPONSE-[a-z0-9]+/}}\n${answer}\n{{prompt:/END-RESPONSE-[a-z0-9]+/}}`,
      delayMs: 200,
      usage,
    },
  ],
})
const script = {
  turns: [
    answering('Remember the plum', table, { input: 1_000, output: 30 }),
    answering('Name the fruit', 'It was named.', { input: 5_000, output: 50 }),
  ],
}

beforeAll(() => installClients(), testTimeoutMs)

beforeEach(async () => {
  home = new AgentHome()
  model = await startFakeModel({ script })
})

afterEach(async () => {
  await model.close()
  assert.deepEqual(await home.close(), [])
})

test.each<[string, AgentClient, string]>([
  ['claude', claude, 'Yes, I trust'],
  ['codex', codex, 'Yes'],
  ['gemini', gemini, 'Trust folder'],
  ['copilot', copilot, 'Yes'],
  ['opencode', opencode, 'Yes'],
])(
  'the answer and usage of %s are read from its transcript, and its conversation continues',
  async (name, client, trust) => {
    const commanded = new CommandedAgents(home, client, model.url)
    const usages = async () => {
      const { agents } = JSON.parse((await commanded.agent('ls', '--json')).stdout)
      return agents.map(({ usage }: { usage?: { input: number; output: number } }) => [usage?.input, usage?.output])
    }
    // It may be on the screen a moment before it is in the transcript.
    const written = async (terminalId: string) => {
      let answer: { readonly source?: string } = {}
      await until(async () => {
        answer = JSON.parse(await commanded.answerOf(terminalId, '--json'))
        return answer.source === 'transcript'
      })
      return answer
    }
    const first = await commanded.begin(['spawn', name, '--limits', 'tokens=1000'], 'Remember the plum', trust)
    expect(await written(first)).toMatchObject({ output: table })
    expect(await usages()).toEqual([[1_000, 30]])
    const refused = await commanded.agent('send', first, 'Name the fruit')
    expect(refused.stderr).toContain(`${first} and those below it have used 1030 tokens`)
    assert.equal((await commanded.agent('kill', first)).code, 0)
    const again = await commanded.begin(['resume', first], 'Name the fruit', trust)
    expect(await written(again)).toMatchObject({ output: 'It was named.' })
    expect(await usages()).toEqual([[5_000, 50]])
  },
  testTimeoutMs,
)
