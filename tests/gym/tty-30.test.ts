/** The thirty tasks included in agentpty, one seed of each. For five seeds with every cheat: `agentpty gym validate tty-30 --seeds 1..5`. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readTask, taskDigest } from '@agentpty/gym'
import type { RunSummary } from '@agentpty/protocol/gym'
import { expect, test } from 'vitest'
import { scratchFolder, scratchInstance } from '../harness/scratch.ts'

const tasks = readdirSync('packages/agentpty/gym/tty-30', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== '__pycache__')
  .map(({ name }) => name)
const minutes = 60_000
const instance = scratchInstance()
const folder = scratchFolder()

async function rewards(agent: string) {
  const { stdout, stderr } = await instance.cli(
    ...['gym', 'run', 'tty-30', '--agent', agent, '--seeds', '3'],
    ...['--n', '4', '--out', folder, '--name', agent, '--json'],
  )
  expect(stdout, stderr).toMatch(/^\{/)
  const { rows }: RunSummary = JSON.parse(stdout)
  return Object.fromEntries(rows.map(({ task, reward, problem }) => [task, problem ?? reward]))
}

const all = (reward: number) => Object.fromEntries(tasks.map((name) => [`tty-30/${name}`, reward]))

test('there are thirty', () => {
  expect(tasks).toHaveLength(30)
})

test('each is solved by its solution', async () => expect(await rewards('oracle')).toEqual(all(1)), 10 * minutes)

test('none is solved by doing nothing', async () => expect(await rewards('nop')).toEqual(all(0)), 10 * minutes)

test(
  'a seed reproduces its task, and another seed gives another task',
  async () => {
    for (const [name, seed] of [
      ['one', '7'],
      ['same', '7'],
      ['other', '8'],
    ] as const) {
      const { code, stderr } = await instance.cli('gym', 'write', 'tty-30', join(folder, name), '--seed', seed)
      expect([code, stderr]).toEqual([0, ''])
    }
    const digest = (set: string, task: string) => taskDigest(join(folder, set, task))
    for (const task of tasks) {
      expect([task, digest('same', task)]).toEqual([task, digest('one', task)])
      expect([task, digest('other', task)]).not.toEqual([task, digest('one', task)])
      expect(readTask(join(folder, 'one', task)).instruction?.length).toBeGreaterThan(0)
    }
  },
  5 * minutes,
)

test('the expected result is not readable by the player', () => {
  for (const task of tasks) {
    const given = join(folder, 'one', task, 'environment')
    const names = readdirSync(given, { recursive: true, encoding: 'utf8' })
    expect([task, names.filter((name) => /^(?:tests|solution|cheat|generate\.py|check\.py)/.test(name))]).toEqual([
      task,
      [],
    ])
    expect(readFileSync(join(folder, 'one', task, 'instruction.md'), 'utf8')).not.toContain('/tests')
  }
})
