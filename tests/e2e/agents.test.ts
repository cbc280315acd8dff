/** The agents of a machine, as listed before any is started. */

import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { versionAnswerMs } from '@agentpty/protocol'
import type { AgentProgram, Finding } from '@agentpty/protocol/setup'
import { FakeClock } from '@agentpty/protocol/testing'
import { askVersion } from '@agentpty/server/testing'
import { beforeEach, expect, test } from 'vitest'
import { type Instance, until } from '../harness/instance.ts'
import { scratchFolder, scratchInstance } from '../harness/scratch.ts'

let instance: Instance
let bin: string

beforeEach(() => {
  bin = scratchFolder()
  instance = scratchInstance({ PATH: `${bin}:/usr/bin:/bin` })
})

const install = (name: string, script: string) =>
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
const set = (text: string) => writeFileSync(join(instance.home, 'config.yaml'), text)

async function listed(): Promise<Readonly<Record<string, AgentProgram>>> {
  const { code, stdout, stderr } = await instance.cli('agents', '--json')
  assert.deepEqual([code, stderr], [0, ''])
  return Object.fromEntries(JSON.parse(stdout).agents.map((one: AgentProgram) => [one.name, one]))
}

test('installed agents are listed with version, settings and problems, without a daemon', async () => {
  install('codex', 'test "$*" = --version && echo "codex-cli 1.2.3"')
  install('gemini', 'echo "no such library" >&2; exit 3')
  install('amp', 'yes amp')
  install('deploy', `touch ${join(bin, 'deployed')}`)
  set('agents:\n  reviewer:\n    command: codex\n    description: Looks for defects\n  ship: {command: deploy}\n')
  const agents = await listed()
  expect(agents['codex']).toMatchObject({ path: join(bin, 'codex'), version: '1.2.3', origin: null, problem: null })
  expect(agents['reviewer']).toMatchObject({
    path: join(bin, 'codex'),
    version: '1.2.3',
    description: 'Looks for defects',
    origin: `${join(instance.home, 'config.yaml')}:2`,
  })
  expect(agents['gemini']).toMatchObject({
    version: null,
    problem: { what: 'does not say its version, and ends with 3: no such library' },
  })
  expect(agents['amp']).toMatchObject({ problem: { what: 'says no version, but much else' } })
  expect(agents['claude']).toMatchObject({ path: null, problem: null })
  expect(agents['ship']).toMatchObject({ path: join(bin, 'deploy'), version: null, problem: null })
  await until(() => instance.processes().length === 0)
  const { stdout } = await instance.cli('agents')
  expect(stdout).toMatch(/^NAME +VERSION .*\ncodex +1\.2\.3 +ask +any /)
})

test('a program that never reports its version is ended with all its processes', async () => {
  const started = join(bin, 'started')
  install('codex', `trap "" TERM; touch ${started}; sleep 1000 & wait`)
  const clock = new FakeClock()
  const asked = askVersion(join(bin, 'codex'), { clock, env: { ...instance.env } })
  let answer: Awaited<typeof asked> | null = null
  void asked.then((said) => (answer = said))
  await until(() => existsSync(started))
  await until(() => {
    clock.advance(versionAnswerMs)
    return answer !== null
  })
  expect(answer).toEqual({ version: null, problem: 'does not say its version within 10 s' })
  assert.deepEqual(instance.processes(), [])
})

test('the doctor reports the same in a line, and names problems', async () => {
  install('codex', 'echo 1.2.3')
  set('agents:\n  reviewer: {command: nosuch}\n')
  const { stdout } = await instance.cli('doctor', '--json')
  const findings: readonly Finding[] = JSON.parse(stdout).findings
  expect(findings.filter(({ name }) => name === 'agents')).toMatchObject([
    { mark: 'ok', found: 'codex 1.2.3' },
    { mark: 'warn', found: 'reviewer: command not found: nosuch' },
  ])
})

test('an invalid configuration is named with its line', async () => {
  set('agents:\n  reviewer: {comand: x}\n')
  const { code, stderr } = await instance.cli('agents')
  assert.equal(code, 2)
  expect(stderr).toMatch(/config.yaml:2: agents: reviewer.comand: there is no such key/)
})
