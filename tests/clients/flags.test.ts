/** The flags with which our adapters start real agent programs: each must be in the help of the program or of its subcommand. */

import assert from 'node:assert/strict'
import { type Adapter, knownAdapters } from '@agentpty/protocol/agents'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { installClients } from '../../bench/agents/lib/install.ts'
import { run } from '../harness/instance.ts'
import { AgentHome } from './agent-home.ts'
import { type TestedAgent, testedAgents } from './agents.ts'
import { packages } from './packages.ts'

/** Installing takes a minute the first time. */
const testTimeoutMs = 300_000

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

/** The argument lists that it may be started with; each may begin with a subcommand. */
function waysToStart({ command, modelFlag, firstInstruction, permissions, conversations }: Adapter) {
  const { begin, resume, fork } = conversations
  const flags = [modelFlag ?? [], firstInstruction.by === 'flag' ? firstInstruction.flag : []].flat()
  const ways = [command.slice(1), flags, ...Object.values(permissions), begin, resume, fork]
  return ways.flatMap((words) => (words === null || words.length === 0 ? [] : [words]))
}

const flagsAmong = (words: readonly string[]) =>
  words.filter((word) => word.startsWith('-')).map((word) => word.split('=')[0] ?? '')

async function helpOf({ client, program, env }: TestedAgent, subcommand: readonly string[]): Promise<string> {
  const launch = client.prepare({ home: home.path, cwd: home.cwd, modelUrl: 'http://127.0.0.1:9', program })
  // Without the arguments that the bench adds after its program.
  const [file = '', ...args] = launch.command.slice(0, launch.command.indexOf(program) + 1)
  const all = { ...home.env, ...launch.env, ...env }
  const { code, stdout, stderr } = await run(file, [...args, ...subcommand, '--help'], all, { cwd: home.cwd })
  assert.equal(code, 0, stderr)
  return `${stdout}\n${stderr}`
}

const hasFlag = (help: string, flag: string) => new RegExp(String.raw`(?<![\w-])${flag}(?![\w-])`).test(help)

const cases = testedAgents.map((agent) => [agent.client.name, agent] as const)

test.each(cases)(
  'every start flag of %s is in its help',
  async (name, agent) => {
    const adapter = knownAdapters.find((one) => one.name === name)
    assert.ok(adapter !== undefined)
    const missing: string[] = []
    const helps = new Map<string, string>()
    for (const words of waysToStart(adapter)) {
      const [first = ''] = words
      const subcommand = /^[a-z]+$/.test(first) ? first : ''
      const help = helps.get(subcommand) ?? (await helpOf(agent, subcommand === '' ? [] : [subcommand]))
      helps.set(subcommand, help)
      missing.push(...flagsAmong(words).filter((flag) => !hasFlag(help, flag)))
    }
    expect(missing).toEqual([])
  },
  testTimeoutMs,
)
