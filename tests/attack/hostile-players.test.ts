/** A player that does not do the work gets 0, and counts in the mean, whatever it leaves in the container before the verdict. */

import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratchInstance } from '../harness/scratch.ts'
import { actions, rewardIf, TaskWriter } from '../harness/task-writer.ts'

const instance = scratchInstance()
const tasks = new TaskWriter()
let jobs = 0

interface Played {
  readonly rows: readonly {
    readonly outcome: string
    readonly reward: number | null
    readonly problem: string | null
  }[]
}

/** Plays the line as a cheat in the task, whose solution is an answer of 42. */
async function playAs(line: string, files: Readonly<Record<string, string>> = {}): Promise<Played['rows'][number]> {
  const task = tasks.write(`cheated-${++jobs}`, {
    'task.toml': '',
    'tests/test.sh': rewardIf('[ "$(cat /app/answer.txt)" = 42 ]'),
    'cheat/one.jsonl': actions(line),
    ...files,
  })
  const out = join(tasks.folder, 'jobs')
  mkdirSync(out, { recursive: true })
  const words = ['gym', 'run', task, '--agent', 'cheat', '--out', out, '--name', `job-${jobs}`, '--json']
  const { stdout, stderr } = await instance.cli(...words)
  expect(stdout, stderr).toMatch(/^\{/)
  const [row] = (JSON.parse(stdout) as Played).rows
  if (row === undefined) throw new Error(stdout)
  return row
}

const separate = (...artifacts: readonly string[]) => ({
  'task.toml': `artifacts = ${JSON.stringify(artifacts)}\n[verifier]\nenvironment_mode = "separate"\n`,
})
const reward = '/logs/verifier/reward.txt'

test.each<[string, string, Readonly<Record<string, string>>?]>([
  ['a reward in a folder that it has closed', `echo 1 > ${reward}; chmod 444 ${reward}; chmod 555 /logs/verifier`],
  [
    'a reward behind closed folders',
    `mkdir -p /logs/verifier/a/b; echo 1 > ${reward}; chmod 000 /logs/verifier/a /logs/verifier; chmod 555 /logs`,
  ],
  [
    'a link in place of the folder of rewards',
    'rm -rf /logs/verifier; mkdir /app/v; echo 1 > /app/v/reward.txt; ln -s /app/v /logs/verifier',
  ],
  [
    'its own tests that cannot be replaced',
    `mkdir -p /tests; echo 'echo 1 > ${reward}' > /tests/test.sh; chmod 555 /tests/test.sh /tests`,
  ],
  ['a reward that is an artifact', `echo 1 > ${reward}`, separate('/logs')],
  [
    'an artifact behind its own link',
    `rm -rf /logs/artifacts; ln -s verifier /logs/artifacts; echo 1 > ${reward}`,
    separate('/logs/artifacts/reward.txt'),
  ],
  ['no folder for temporary files', 'rm -rf /tmp; touch /tmp'],
  ['a closed folder for temporary files', 'chmod 000 /tmp /logs'],
  ['no folder of logs', 'rm -rf /logs; touch /logs'],
  ['a full container', 'dd if=/dev/zero of=/root/x bs=1M count=600 2>/dev/null'],
  ['an artifact that cannot be read', 'mkdir -p /logs/artifacts/d/e; chmod 000 /logs/artifacts/d'],
  ['an artifact named as the list of artifacts', 'mkdir -p /logs/artifacts/manifest.json/x'],
  [
    'output like that of a verifier that lacks a program',
    'echo "x: reward: not found" > answer.txt',
    { 'tests/test.sh': `#!/bin/bash\ncat /app/answer.txt\necho 0 > ${reward}\n` },
  ],
])('with %s', async (_what, line, files) => {
  const row = await playAs(line, files)
  expect([row.outcome, row.reward ?? 0, row.problem]).toEqual([
    expect.stringMatching(/^(rewarded|unrewarded)$/),
    0,
    row.problem,
  ])
})

test('the work itself gets 1', async () => {
  expect(await playAs('echo 42 > answer.txt')).toMatchObject({ outcome: 'rewarded', reward: 1 })
})

test('a trial keeps the list of its artifacts, whatever the player has put there', async () => {
  const last = readdirSync(join(tasks.folder, 'jobs')).length
  expect(last).toBeGreaterThan(0)
  for (const job of readdirSync(join(tasks.folder, 'jobs')))
    for (const trial of readdirSync(join(tasks.folder, 'jobs', job)).filter((name) => name.startsWith('cheated')))
      expect(JSON.parse(readFileSync(join(tasks.folder, 'jobs', job, trial, 'result.json'), 'utf8'))).toMatchObject({
        trial_name: trial,
      })
})
