/** Environments belong to their client: they end with its connection, whatever they are doing, and no others do. */

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { type Instance, program, until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'
import { GymClient } from './gym-client.ts'

let instance: Instance

beforeEach(() => {
  instance = scratchInstance()
})

/** A trainer: two environments, a fork of one, and more endless steps than the queue holds. */
const trainer = `
import sys
from agentpty_gym import Environment
one, other = Environment(), Environment(isolation=sys.argv[1])
one.reset(), other.reset()
one.step("echo forked")
fork, _ = one.fork()
for _ in range(20):
    other.start_step("sleep 1000")
print("steps", flush=True)
sys.stdin.read()
`

async function training(isolation: string): Promise<ChildProcess> {
  const env = { ...instance.env, PYTHONPATH: resolve('python'), AGENTPTY_PROGRAM: program }
  const child = spawn('python3', ['-c', trainer, isolation], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const [said] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  assert.equal(String(said), 'steps\n')
  return child
}

const foldersLeft = () => readdirSync(join(instance.paths.cacheFolder, 'gym')).filter((name) => name.startsWith('env-'))

test.each([['container'], ['none']])(
  'the environments of a killed trainer are closed, one of them with isolation %s',
  async (isolation) => {
    const watcher = await instance.rpc()
    const own = await new GymClient(watcher).make({})
    await own.reset()
    const child = await training(isolation)
    const shown = async () =>
      (await watcher.call('environments', {})).environments.map(({ environmentId }) => environmentId)
    expect(await shown()).toHaveLength(4)
    child.kill('SIGKILL')
    await until(async () => (await shown()).length === 1)
    expect(await shown()).toEqual([own.made.environmentId])
    await until(() => foldersLeft().length === 1)
    expect((await own.step('echo mine')).observation).toContain('mine')
    const { terminals } = await watcher.call('list', {})
    expect(terminals.filter(({ isActive }) => isActive)).toHaveLength(1)
  },
)
