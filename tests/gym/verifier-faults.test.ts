/** Plays whose reward of 0 would be wrong: each is refused before it starts, or ends as a fault of the machinery, with the next step. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readTrialResult } from '@agentpty/gym'
import type { RunRequest, RunSummary } from '@agentpty/protocol/gym'
import { makeEnv } from 'agentpty/gym'
import { expect, test } from 'vitest'
import { scratchInstance } from '../harness/scratch.ts'
import { actions, rewardIf, separate, TaskWriter } from '../harness/task-writer.ts'
import { play as playTasks } from './play.ts'

const instance = scratchInstance()
const tasks = new TaskWriter()

const play = (folders: readonly string[], agent: string, options: Partial<RunRequest> = {}) =>
  playTasks(instance, { tasks: folders, agent, out: tasks.folder, ...options })

const hello = {
  'task.toml': 'schema_version = "1.3"\n',
  'solution/keys.jsonl': actions('echo hello > out.txt'),
  'tests/test.sh': rewardIf('grep -qx hello /app/out.txt'),
}
const fetching =
  '#!/bin/bash\ncurl -LsSf https://tools.example/install.sh | sh\nno-such-runner /tests/test_outputs.py\n'
const rewardOfLast = 'if [ $? -eq 0 ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n'

interface Case {
  readonly files: Readonly<Record<string, string>>
  readonly options?: Partial<RunRequest>
  readonly problem: RegExp
}

const unjudged: Readonly<Record<string, Case>> = {
  'a verifier without the network that it needs': {
    files: { 'tests/test.sh': `${fetching}${rewardOfLast}` },
    problem: /InvalidTaskError: .*needs the network: tests\/test\.sh, line 2.*--allow-network.*--offline-ok/,
  },
  'the same verifier, played without the network all the same': {
    files: { 'tests/test.sh': `${fetching}${rewardOfLast}` },
    options: { offlineOk: true },
    problem:
      /InfraError: The verifier (?:could not reach the network|needs no-such-runner).*(?:--allow-network|Install)/,
  },
  'a program of the verifier that reaches out by itself': {
    files: {
      'tests/fetch.py': 'import urllib.request\nurllib.request.urlopen("https://data.example/expected")\n',
      'tests/test.sh': `#!/bin/bash\npython3 /tests/fetch.py\n${rewardOfLast}`,
    },
    problem: /InfraError: The verifier could not reach the network: .*--allow-network/,
  },
  'a verifier whose tool is not on this machine': {
    files: { 'tests/test.sh': `#!/bin/bash\nno-such-pytest /tests/test_outputs.py\n${rewardOfLast}` },
    problem: /InfraError: The verifier needs no-such-pytest.*Install no-such-pytest/,
  },
  'a verifier whose module of Python is not on this machine': {
    files: { 'tests/test.sh': `#!/bin/bash\npython3 -m no_such_pytest /tests/test_outputs.py\n${rewardOfLast}` },
    problem: /InfraError: The verifier needs the Python module no_such_pytest/,
  },
  'a solution that lacks the image of FROM': {
    files: {
      'environment/Dockerfile': 'FROM registry.example/with-data:1\nWORKDIR /app\n',
      'solution/keys.jsonl': actions('cp /opt/of-the-image out.txt'),
    },
    problem: /InfraError: .*its image registry\.example\/with-data:1 is not used.*Harbor and Docker/,
  },
  'RUN that is not allowed': {
    files: { 'environment/Dockerfile': 'FROM debian:12\nRUN make\n' },
    problem: /InvalidTaskError: .*--allow-run/,
  },
  'RUN that fails': {
    files: { 'environment/Dockerfile': 'FROM debian:12\nRUN exit 3\n' },
    options: { allowRun: true },
    problem: /InfraError: Dockerfile, line 2: exit code 3/,
  },
  'RUN of a verifier of its own that fails': {
    files: {
      'task.toml': `schema_version = "1.3"\n${separate('/app/out.txt')}`,
      'tests/Dockerfile': 'FROM debian:12\nRUN exit 3\n',
    },
    problem: /InfraError: Dockerfile, line 2: exit code 3/,
  },
  'a verifier that takes too long whatever was played': {
    files: { 'task.toml': '[verifier]\ntimeout_sec = 1.0\n', 'tests/test.sh': '#!/bin/bash\nsleep 600\n' },
    problem: /InfraError: The verifier gives no reward.*VerifierTimeoutError.*Correct tests\/test\.sh/,
  },
  'a verifier that writes no reward whatever was played': {
    files: { 'tests/test.sh': '#!/bin/bash\nexit 0\n' },
    problem: /InfraError: The verifier gives no reward.*RewardFileNotFoundError.*Correct tests\/test\.sh/,
  },
  'a network that is asked for by name': {
    files: { 'task.toml': '[environment]\nallow_internet = true\n' },
    problem: /InvalidTaskError: .*task\.toml: environment\.network_mode is "public".*--allow-network/,
  },
  'a network that the verifier alone may have': {
    files: { 'task.toml': '[environment]\nnetwork_mode = "no-network"\n[verifier]\nnetwork_mode = "public"\n' },
    options: { allowNetwork: true },
    problem: /InvalidTaskError: .*not possible in one container/,
  },
}

test.each(Object.entries(unjudged))('%s is not a reward of 0', async (what, { files, options, problem }) => {
  const folder = tasks.write(what.replaceAll(/\W+/g, '-'), { ...hello, ...files })
  const { row, summary, trial } = await play([folder], 'oracle', options)
  expect(row).toMatchObject({ outcome: 'failed', reward: null, problem: expect.stringMatching(problem) })
  expect(summary.meanReward).toBeNull()
  const { verifier_result, exception_info } = readTrialResult(trial) ?? {}
  expect([verifier_result, exception_info?.exception_type]).toEqual([null, expect.stringMatching(/^(Infra|Invalid)/)])
})

test.each<[string, Readonly<Record<string, string>>]>([
  [
    'a program that the player was to make',
    {
      'instruction.md': 'Write a program greet.\n',
      'tests/test.sh': `#!/bin/bash\ngreet | grep -qx hello\n${rewardOfLast}`,
    },
  ],
  [
    'a module that the player was to make',
    {
      'instruction.md': 'Write greet.py.\n',
      'tests/test.sh': `#!/bin/bash\npython3 -m greet\n${rewardOfLast}`,
    },
  ],
  [
    'output of the player that reads like a fault',
    {
      'solution/keys.jsonl': actions('echo "test.sh: line 3: no-tool: command not found" > out.txt'),
      'tests/test.sh': `#!/bin/bash\ncat /app/out.txt; grep -qx hello /app/out.txt\n${rewardOfLast}`,
    },
  ],
])('%s is missed, and the reward is 0', async (what, files) => {
  const folder = tasks.write(what.replaceAll(/\W+/g, '-'), { ...hello, ...files })
  const agent = what.startsWith('output') ? 'oracle' : 'nop'
  expect((await play([folder], agent)).row).toMatchObject({ outcome: 'rewarded', reward: 0 })
})

test('a verifier that fails only because of the player’s work is not a fault of the machinery', async () => {
  const folder = tasks.write('kept-from-it', {
    ...hello,
    'tests/test.sh': '#!/bin/bash\n[ ! -e /app/out.txt ] && echo 0 > /logs/verifier/reward.txt\n',
  })
  const { row, summary } = await play([folder], 'oracle')
  expect(row).toMatchObject({ outcome: 'unrewarded', problem: expect.stringContaining('RewardFileNotFoundError') })
  expect(summary.meanReward).toBe(0)
})

test('a task without network needs is played as before', async () => {
  const files = { ...hello, 'tests/test.sh': `# curl https://tools.example/\n${hello['tests/test.sh']}` }
  expect((await play([tasks.write('silent', files)], 'oracle')).row).toMatchObject({ reward: 1, notes: [] })
  const local = { ...hello, 'tests/test.sh': rewardIf('grep -qx hello /app/out.txt || curl http://localhost:8000') }
  expect((await play([tasks.write('local', local)], 'oracle')).row).toMatchObject({ reward: 1 })
})

test('an unused image is named for each task, and stored in its result', async () => {
  const files = { ...hello, 'environment/Dockerfile': 'FROM registry.example/image:1\nWORKDIR /app\n' }
  const folder = tasks.write('image', files)
  const note = 'Dockerfile, line 1: The image registry.example/image:1 is not used'
  const { row, trial } = await play([folder], 'oracle')
  expect(row).toMatchObject({ reward: 1, notes: [expect.stringContaining(note)] })
  expect(JSON.parse(readFileSync(join(trial, 'result.json'), 'utf8')).agentpty.notes[0]).toContain(note)
  const words = ['gym', 'run', folder, '--agent', 'oracle', '--attempts', '2', '--out', tasks.folder]
  const { stdout } = await instance.cli(...words, '--name', 'printed')
  expect(stdout.split(note)).toHaveLength(2)
  const json: RunSummary = JSON.parse((await instance.cli(...words, '--name', 'json', '--json')).stdout)
  expect(json.rows[1]?.notes[0]).toContain(note)
})

test('a separate verifier gets /logs/artifacts, its own Dockerfile, and nothing else of the play', async () => {
  const folder = tasks.write('conventional-artifacts', {
    'task.toml': 'artifacts = ["/tmp/named"]\n[verifier]\nenvironment_mode = "separate"\n',
    'environment/Dockerfile': 'FROM debian:12\n',
    'solution/solve.sh': 'echo kept > /logs/artifacts/answer.txt; echo named > /tmp/named; echo own > /tmp/own\n',
    'tests/Dockerfile': 'FROM debian:12\nCOPY test.sh /tests/test.sh\nRUN echo ready > /tmp/ready\n',
    'tests/test.sh': rewardIf(
      '[ "$(cat /logs/artifacts/answer.txt /tmp/named /tmp/ready)" = $\'kept\\nnamed\\nready\' ] && [ ! -e /tmp/own ]',
    ),
  })
  const { row, trial } = await play([folder], 'oracle')
  expect(row).toMatchObject({ reward: 1, problem: null })
  expect(readFileSync(join(trial, 'artifacts/answer.txt'), 'utf8')).toBe('kept\n')
  expect(JSON.parse(readFileSync(join(trial, 'artifacts/manifest.json'), 'utf8'))[0]).toEqual({
    source: '/logs/artifacts',
    destination: '.',
    type: 'directory',
    status: 'ok',
  })
})

test('an incomplete task folder is one failed trial of its job, and the others are played', async () => {
  const broken = tasks.write('broken', { ...hello, 'task.toml': '[[steps]]\nname = "gone"\n' })
  const nonsense = tasks.write('nonsense', { ...hello, 'task.toml': 'this is no toml' })
  const { summary } = await play([broken, tasks.write('whole', hello), nonsense], 'oracle')
  const rows = Object.fromEntries(summary.rows.map((row) => [row.task, row]))
  expect(rows['whole']).toMatchObject({ outcome: 'rewarded', reward: 1 })
  expect(rows['broken']).toMatchObject({
    outcome: 'failed',
    problem: expect.stringMatching(/^InvalidTaskError: .*gone/),
  })
  expect(rows['nonsense']).toMatchObject({ outcome: 'failed', problem: expect.stringMatching(/^InvalidTaskError: /) })
  expect(summary.meanReward).toBe(1)
})

test('a task’s environment reports the same: refused at first, or an error of the machinery at its end', async () => {
  const folder = tasks.write('environment', { ...hello, 'tests/test.sh': `${fetching}${rewardOfLast}` })
  await expect(makeEnv({ task: folder })).rejects.toMatchObject({
    code: 'invalid_input',
    hint: expect.stringContaining('"offlineOk":true'),
  })
  await using env = await makeEnv({ task: { folder, offlineOk: true } })
  await env.reset()
  const last = await env.step({ type: 'finish' })
  expect(last).toMatchObject({ truncated: true, info: { infraError: { code: 'machine_unfit' } } })
  await expect(env.verify()).rejects.toMatchObject({ code: 'machine_unfit' })
})
