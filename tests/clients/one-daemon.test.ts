/** Codex passes few variables to its servers. Its entry must lead it to the same daemon nevertheless. */

import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rosterRow } from '@agentpty/protocol/agents'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { codex } from '../../bench/agents/clients/codex.ts'
import { installClients } from '../../bench/agents/lib/install.ts'
import { startFakeModel } from '../../tools/fake-model/server.ts'
import { processesWith, program, run } from '../harness/instance.ts'
import { AgentHome } from './agent-home.ts'
import { testedAgents } from './agents.ts'
import { askAlone } from './ask-alone.ts'

/** Installing takes a minute the first time. */
const testTimeoutMs = 300_000

const script = {
  turns: [
    {
      match: 'OPEN',
      steps: [
        { tool: 'agentpty/terminal_create', args: { command: 'cat', name: 'from-codex' } },
        { text: 'RESULT={{result.0:/term-\\d+/}}' },
      ],
    },
  ],
}

let home: AgentHome
/** The variables of the person's session, in which Codex is started. */
let session: Readonly<Record<string, string>>

beforeAll(() => installClients(), testTimeoutMs)
beforeEach(() => {
  home = new AgentHome()
  const runtime = join(home.path, 'session')
  mkdirSync(runtime, { mode: 0o700 })
  const passed = { LC_ALL: 'C.UTF-8', LOGNAME: 'person', TZ: 'UTC', USER: 'person' }
  session = { ...home.env, ...passed, XDG_RUNTIME_DIR: runtime, OTHER: 'x' }
})
afterEach(async () => {
  await cli('stop', '--all')
  assert.deepEqual(await home.close(), [])
})

const cli = (...args: readonly string[]) => run(process.execPath, [program, ...args], session)
const daemons = () =>
  processesWith(`HOME=${home.path}`).filter((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes('daemon'),
  )

const agent = testedAgents.find(({ client }) => client === codex)!

test.each<[string, () => Readonly<Record<string, string>>]>([
  ['at the usual folders', () => ({})],
  ['with its own home', () => ({ AGENTPTY_HOME: join(home.path, 'instance') })],
  ['with its own state folder', () => ({ XDG_STATE_HOME: join(home.path, 'state') })],
])(
  'Codex reaches the daemon of the session %s, and the doctor confirms it',
  async (_where, more) => {
    session = { ...session, ...more() }
    const model = await startFakeModel({ script, dumpFolder: home.dumps })
    try {
      const launch = codex.prepare({ home: home.path, cwd: home.cwd, modelUrl: model.url, program: agent.program })
      const { daemon } = JSON.parse((await cli('status', '--start', '--json')).stdout)
      assert.equal((await cli('init', '--client', 'codex', '--yes')).code, 0)
      const names = join(home.path, 'names')
      const spy = `[mcp_servers.spy]\ncommand = "/bin/sh"\nargs = ["-c", "/usr/bin/env > ${names}"]\n`
      appendFileSync(join(home.path, '.codex/config.toml'), spy)
      const answer = await askAlone(home, agent, { ...launch, env: { ...session, ...launch.env } }, 'OPEN id=1')
      const [, terminalId] = /RESULT=(term-\d+)/.exec(answer) ?? []
      const { terminals } = JSON.parse((await cli('ls', '--json')).stdout)
      expect(terminals).toMatchObject([{ terminalId, name: 'from-codex' }])
      expect(daemons()).toEqual([daemon.pid])
      const found = readFileSync(names, 'utf8')
        .split('\n')
        .map((line) => line.replace(/=.*/, ''))
      const { passes } = rosterRow('codex')
      expect(found.filter((name) => name in session && name !== 'PWD').toSorted()).toEqual(
        Object.keys(session)
          .filter((name) => passes.includes(name))
          .toSorted(),
      )
      const { findings } = JSON.parse((await cli('doctor', '--json')).stdout)
      const ofCodex = findings.find(({ name }: { name: string }) => name === 'Codex')
      expect(ofCodex).toMatchObject({ mark: 'ok', found: expect.stringContaining('connected over stdio') })
      expect(daemons()).toEqual([daemon.pid])
    } finally {
      await model.close()
    }
  },
  testTimeoutMs,
)
