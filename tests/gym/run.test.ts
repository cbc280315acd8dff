/** Harbor tasks, played and judged by `agentpty gym`: what earns a reward, what does not, and what is a fault of the machinery. */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readJobResult, readTrialResult, validateTrajectory } from '@agentpty/gym'
import type { RunSummary, TrialRow } from '@agentpty/protocol/gym'
import type { WireClient } from '@agentpty/protocol/wire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'
import { actions, rewardIf, separate, TaskWriter } from '../harness/task-writer.ts'
import { play as playTasks } from './play.ts'

const instance = scratchInstance()
const tasks = new TaskWriter()
let client: WireClient
let runs = 0

beforeAll(async () => {
  client = await instance.rpc()
})

afterAll(async () => {
  const { environments } = await client.call('environments', {})
  expect(environments).toEqual([])
})

const play = (task: string, agent: string) => playTasks(instance, { tasks: [task], agent, out: tasks.folder })

async function playByCommand(task: string, ...more: readonly string[]) {
  const name = `job-${++runs}`
  const words = ['gym', 'run', task, '--agent', 'oracle', '--out', tasks.folder, '--name', name, '--json', ...more]
  const { stdout, stderr, code } = await instance.cli(...words)
  expect(stdout, stderr).toMatch(/^\{/)
  const summary: RunSummary = JSON.parse(stdout)
  const row = summary.rows[0] as TrialRow
  return { code, summary, row, trial: join(tasks.folder, name, row.trial) }
}

const hello = {
  'task.toml': `schema_version = "1.3"\n${separate('/app/out.txt')}`,
  'environment/given.txt': 'given\n',
  'solution/keys.jsonl': actions('cp given.txt out.txt; echo hello >> out.txt'),
  'tests/test.sh': rewardIf('[ "$(cat /app/out.txt)" = $\'given\\nhello\' ]'),
}

const sharedHello = { ...hello, 'task.toml': 'schema_version = "1.3"\n[environment]\ndocker_image = "debian:12"\n' }

test('the solution of a task is typed, judged in a separate environment, and gets its reward', async () => {
  const { row, trial, summary, code } = await playByCommand(tasks.write('hello', hello))
  expect(row).toMatchObject({ outcome: 'rewarded', reward: 1, steps: 1, problem: null })
  expect([code, summary.meanReward]).toEqual([0, 1])
  expect(readTrialResult(trial)?.verifier_result).toEqual({ rewards: { reward: 1 } })
  expect(readJobResult(join(trial, '..'))?.stats).toMatchObject({ n_completed_trials: 1, n_errored_trials: 0 })
  expect(readFileSync(join(trial, 'artifacts/app/out.txt'), 'utf8')).toBe('given\nhello\n')
  expect(readFileSync(join(trial, 'agent/recording.cast'), 'utf8')).toContain('"m", "1: cp given.txt')
  expect(readFileSync(join(trial, 'agent/screen.txt'), 'utf8')).toContain('echo hello')
  const trajectory = JSON.parse(readFileSync(join(trial, 'agent/trajectory.json'), 'utf8'))
  expect(validateTrajectory(trajectory).outcome).toBe('valid')
  expect(trajectory).toMatchObject({ agent: { name: 'oracle' }, extra: { reward: 1 } })
  expect(trajectory.steps[1]).toMatchObject({ source: 'agent', llm_call_count: 0, extra: { reward: 0, exit_code: 0 } })
})

test.each<[string, Readonly<Record<string, string>>, Partial<TrialRow>]>([
  ['no action gets no reward', { 'solution/keys.jsonl': '' }, { reward: 0 }],
  [
    'a planted reward at the verifier’s path does not count',
    {
      'solution/keys.jsonl': actions(
        'mkdir -p /logs/verifier; echo 1 | tee /logs/verifier/reward.txt /logs/verifier/reward.json',
      ),
    },
    { reward: 0 },
  ],
  [
    'tests planted by the player are not run',
    {
      'solution/keys.jsonl': actions(
        'mkdir -p /tests; printf "#!/bin/bash\\necho 1 > /logs/verifier/reward.txt\\n" | tee /tests/test.sh',
      ),
    },
    { reward: 0 },
  ],
  [
    'a process that survives the play cannot write during the verdict',
    {
      'solution/keys.jsonl': actions(
        '(trap "" HUP TERM; while :; do printf "given\\nhello\\n" > out.txt; echo 1 > /logs/verifier/reward.txt; done) & disown; sleep 0.2',
      ),
      'tests/test.sh':
        '#!/bin/bash\nrm -f /app/out.txt; for i in 1 2 3 4 5 6 7 8; do [ -e /app/out.txt ] && echo 0.5 > /logs/verifier/reward.json; done\n[ -e /app/out.txt ] || echo 0 > /logs/verifier/reward.txt\n',
    },
    { reward: 0 },
  ],
  [
    'a missing verdict is not a reward',
    { 'tests/test.sh': '#!/bin/bash\n[ ! -e /app/out.txt ] && echo 0 > /logs/verifier/reward.txt\n' },
    { reward: null, outcome: 'unrewarded' },
  ],
  ['the verifier’s exit code has no meaning', { 'tests/test.sh': `${rewardIf('true')}exit 7\n` }, { reward: 1 }],
  [
    'several rewards are stored',
    { 'tests/test.sh': '#!/bin/bash\necho \'{"speed": 0.5, "size": 1}\' > /logs/verifier/reward.json\n' },
    { reward: 0.75, rewards: { speed: 0.5, size: 1 } },
  ],
])('%s, in the same files and separately', async (what, files, expected) => {
  const name = what.replaceAll(/\W+/g, '-').slice(0, 40)
  for (const base of [hello, sharedHello]) {
    const { row } = await play(
      tasks.write(`${name}-${base === hello ? 'apart' : 'same'}`, { ...base, ...files }),
      'oracle',
    )
    expect(row).toMatchObject(expected)
  }
})

test('files removed by the player are missing for a separate verifier', async () => {
  const { row } = await play(
    tasks.write('taken-away', {
      ...hello,
      'task.toml': `schema_version = "1.3"\n${separate('/app/folder', '/app/given.txt')}`,
      'environment/folder/a': 'a',
      'environment/folder/b': 'b',
      'solution/keys.jsonl': actions('rm folder/a given.txt'),
      'tests/test.sh': rewardIf('[ "$(ls /app/folder)" = b ] && [ ! -e /app/given.txt ]'),
    }),
    'oracle',
  )
  expect(row).toMatchObject({ reward: 1 })
})

test('a link among the artifacts leads nowhere', async () => {
  const { row, trial } = await play(
    tasks.write('links', {
      ...hello,
      'task.toml': `schema_version = "1.3"\n${separate('/app')}`,
      'solution/keys.jsonl': actions(
        'ln -s /tests evil; mkfifo pipe; ln -s /etc/passwd out.txt; mkdir -p evil2 && ln -s ../../../../etc evil2/etc',
      ),
      'tests/test.sh': rewardIf('[ -L /app/evil ] && [ ! -e /app/pipe ]'),
    }),
    'oracle',
  )
  expect(row).toMatchObject({ reward: 1 })
  expect(existsSync(join(trial, 'artifacts/app/pipe'))).toBe(false)
})

test('a script as solution is run inside, and its output is stored', async () => {
  const files = {
    ...sharedHello,
    'solution/keys.jsonl': '',
    'solution/solve.sh': 'pwd; cp given.txt out.txt; echo hello >> out.txt\n',
  }
  const { 'solution/keys.jsonl': _, ...scripted } = files
  const { row, trial } = await play(tasks.write('script', scripted), 'oracle')
  expect(row).toMatchObject({ reward: 1, problem: null })
  expect(readFileSync(join(trial, 'agent/oracle.txt'), 'utf8')).toBe('/app\n')
})

test('a Dockerfile’s files are at their targets, above the system and in the working folder', async () => {
  const { row } = await play(
    tasks.write('dockerfile', {
      'task.toml': 'schema_version = "1.3"\n',
      'environment/Dockerfile':
        'FROM debian:12\nWORKDIR /data\nENV COLOUR=blue\nCOPY data/*.txt ./\nCOPY --chmod=755 tool /usr/local/bin/tool\nCOPY conf /etc/conf/\n',
      'environment/data/a.txt': 'a',
      'environment/data/b.txt': 'b',
      'environment/tool': '#!/bin/sh\necho tool $COLOUR\n',
      'environment/conf': 'x=1',
      'solution/keys.jsonl': actions('tool > out; ls >> out; cat /etc/conf/conf >> out'),
      'tests/test.sh': rewardIf('[ "$(cat /data/out)" = $\'tool blue\\na.txt\\nb.txt\\nout\\nx=1\' ]'),
    }),
    'oracle',
  )
  expect(row).toMatchObject({ reward: 1, problem: null })
})

test.each<[string, Readonly<Record<string, string>>, RegExp]>([
  ['commands of a Dockerfile', { 'environment/Dockerfile': 'FROM x\nRUN make\n' }, /--allow-run/],
  ['several containers', { 'environment/docker-compose.yaml': 'services: {}\n' }, /several containers/],
  ['another system', { 'task.toml': '[environment]\nos = "windows"\n' }, /Windows/],
  [
    'a program that is not here',
    { 'task.toml': '[metadata.agentpty]\ncommands = ["no-such-program"]\nrequires = ["no-such-package"]\n' },
    /apt-get install no-such-package/,
  ],
  [
    'a variable of this machine',
    { 'task.toml': '[environment]\nenv = { KEY = "${NOT_GIVEN}" }\n' },
    /--host-env NOT_GIVEN/,
  ],
])('unsupported requirements of a task are reported, and are not a reward of 0: %s', async (what, files, problem) => {
  const { 'environment/given.txt': _, ...rest } = sharedHello
  const folder = tasks.write(`refused-${what.replaceAll(/\W+/g, '-')}`, {
    ...rest,
    'task.toml': 'schema_version = "1.3"\n',
    ...files,
  })
  const { row, summary } = await play(folder, 'oracle')
  expect(row).toMatchObject({ outcome: 'failed', reward: null })
  expect(row.problem).toMatch(problem)
  expect(summary.meanReward).toBeNull()
})

test('several steps continue in the same files, and end below a minimum', async () => {
  const step = (name: string, more: string) => `[[steps]]\nname = "${name}"\n${more}`
  const { row, trial } = await play(
    tasks.write('steps', {
      'task.toml': `schema_version = "1.3"\n${step('one', 'min_reward = 1.0\n')}${step('two', 'min_reward = 0.9\n')}${step('three', '')}[environment]\ndocker_image = "debian:12"\n`,
      'environment/base': 'base',
      'steps/one/instruction.md': 'First.\n',
      'steps/one/solution/keys.jsonl': actions('cat base > one'),
      'steps/one/tests/test.sh': rewardIf('[ -e /app/one ]'),
      'steps/two/instruction.md': 'Second.\n',
      'steps/two/workdir/setup.sh': 'echo set > set\n',
      'steps/two/solution/keys.jsonl': actions('cat one set > two'),
      'steps/two/tests/test.sh':
        '#!/bin/bash\n[ "$(cat /app/two)" = baseset ] && echo 0.5 > /logs/verifier/reward.txt\n',
      'steps/three/instruction.md': 'Third.\n',
      'steps/three/solution/keys.jsonl': actions('true'),
      'steps/three/tests/test.sh': rewardIf('true'),
    }),
    'oracle',
  )
  expect(row).toMatchObject({ reward: 0.75 })
  expect(
    readTrialResult(trial)?.step_results?.map(({ step_name, verifier_result }) => [
      step_name,
      verifier_result?.rewards,
    ]),
  ).toEqual([
    ['one', { reward: 1 }],
    ['two', { reward: 0.5 }],
  ])
  expect(statSync(join(trial, 'steps/two/agent/trajectory.json')).isFile()).toBe(true)
})

const player = (body: string) =>
  `import json,sys\ndef say(x): print(json.dumps(x), flush=True)\ndef hear(): return json.loads(sys.stdin.readline())\n${body}`

test.each<[string, string, Partial<TrialRow>, RegExp | null]>([
  ['plays', "hear(); say('cp given.txt out.txt; echo hello >> out.txt'); hear()", { reward: 1 }, null],
  [
    'receives an error for an invalid action, and continues',
    "hear(); print('nonsense', flush=True); assert hear()['type'] == 'error'; say({'type': 'fly'}); assert hear()['type'] == 'error'; say('cp given.txt out.txt; echo hello >> out.txt'); hear()",
    { reward: 1 },
    null,
  ],
  [
    'fails, and is judged all the same',
    "hear(); say('cp given.txt out.txt; echo hello >> out.txt'); hear(); sys.exit(3)",
    { reward: 1 },
    /exit code 3/,
  ],
  [
    'never ends, and is judged after its time limit',
    "hear(); say('cp given.txt out.txt; echo hello >> out.txt'); hear(); import time; time.sleep(1000)",
    { reward: 1 },
    /AgentTimeoutError/,
  ],
  ['reports why it ends', "hear(); sys.exit('no key is set')", { reward: 0 }, /exit code 1: no key is set/],
  ['prints nothing', '', { reward: 0 }, null],
])('a program that speaks JSON lines %s', async (what, body, expected, problem) => {
  const folder = tasks.write(`lines-${what.replaceAll(/\W+/g, '-').slice(0, 30)}`, {
    ...sharedHello,
    'task.toml': 'schema_version = "1.3"\n[agent]\ntimeout_sec = 5.0\n[environment]\ndocker_image = "debian:12"\n',
    'player.py': player(body),
  })
  const { row } = await play(folder, `python3 ${folder}/player.py`)
  expect(row).toMatchObject(expected)
  if (problem === null) expect(row.problem).toBeNull()
  else expect(row.problem).toMatch(problem)
})

test('a task is checked: its solution gets 1, no action 0, each cheat 0; violations are reported', async () => {
  const good = tasks.write('good', { ...hello, 'cheat/plant.jsonl': actions('echo 1 > /logs/verifier/reward.txt') })
  const { code, stdout } = await instance.cli('gym', 'validate', good, '--out', tasks.folder, '--name', 'checked-good')
  expect([code, stdout]).toEqual([0, expect.stringContaining('All 1 tasks are as they should be (3 plays).')])
  const bad = tasks.write('bad', { ...hello, 'tests/test.sh': rewardIf('true'), 'cheat/plant.jsonl': actions('true') })
  const wrong = await instance.cli('gym', 'validate', bad, '--out', tasks.folder, '--name', 'checked-bad')
  expect(wrong.code).toBe(1)
  expect(wrong.stdout).toContain('bad: nop got 1 and not 0')
  expect(wrong.stdout).toContain('bad: cheat:plant got 1 and not 0')
})

test('a trajectory is replayed, and differences are reported', async () => {
  const folder = tasks.write('again', {
    ...sharedHello,
    'solution/keys.jsonl': actions('echo one', 'echo $((40 + 2))', { type: 'keys', keys: ['ctrl+l'] }),
  })
  const { trial } = await play(folder, 'oracle')
  const same = await instance.cli('gym', 'replay', trial)
  expect(same.stdout).toMatch(/^3 steps of oracle in .* Nothing differs\. The screen at the end is the same\.\n$/)
  expect(same.code).toBe(0)
  const moved = tasks.write('again-otherwise', {
    ...sharedHello,
    'environment/given.txt': 'other\n',
    'task.toml': 'schema_version = "1.3"\n[metadata.agentpty]\nprogram = ["cat"]\n',
  })
  const other = await instance.cli('gym', 'replay', trial, '--task', moved, '--json')
  expect(other.code).toBe(1)
  expect(JSON.parse(other.stdout).differences[0]).toMatchObject({ step: 1, recorded: expect.stringContaining('one') })
})

test('Terminus traces are played without their sleeping time, with the same final files', async () => {
  const commands = [
    ['echo start > log\n', 0.5],
    ['for i in 1 2 3; do sleep 0.1; echo $i >> log; done\n', 2],
    ['python3 -q\n', 1],
    ['open("made", "w").write(str(6 * 7))\n', 1],
    ['C-d', 0.5],
    ['cat log made > all\n', 0.5],
  ]
  const steps = commands.map(([keystrokes, duration], at) => ({
    step_id: at + 2,
    source: 'agent',
    message: '',
    tool_calls: [{ tool_call_id: `call_0_${at}`, function_name: 'bash_command', arguments: { keystrokes, duration } }],
  }))
  const trajectory = {
    schema_version: 'ATIF-v1.6',
    session_id: 's',
    agent: { name: 'terminus-2', version: '2' },
    steps: [{ step_id: 1, source: 'user', message: 'Go.' }, ...steps],
  }
  const folder = tasks.write('trace', { 'trajectory.json': JSON.stringify(trajectory) })
  const file = join(folder, 'trajectory.json')
  const fast = JSON.parse((await instance.cli('gym', 'replay', file, '--json')).stdout)
  const slow = JSON.parse((await instance.cli('gym', 'replay', file, '--legacy-sleep', '--json')).stdout)
  expect(fast.files).toBe(slow.files)
  expect(fast.files).toMatch(/^[\da-f]{64}$/)
})

test('steps and resets are measured, and nothing is left', async () => {
  const { stdout, code } = await instance.cli('gym', 'bench', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout).rows.map(({ what }: { readonly what: string }) => what)).toEqual([
    'a step in bash',
    'a step in the REPL of Python',
    'a reset, with its prompt',
    'steps of 16 together',
  ])
})

test.each<[string, readonly string[], RegExp]>([
  ['a folder without a task', ['./nowhere'], /is no task/],
  ['a name that a set does not have', ['tty-30/nope'], /tty-30 has no task "nope"[\s\S]*tty-30\/htop-kill/],
  ['none at once', ['tty-30', '--n', '0'], /--n 0: nothing would be played/],
  ['no attempt', ['tty-30', '--attempts', '0'], /--attempts 0: nothing would be played/],
])('an invalid play is refused before it starts: %s', async (_what, words, why) => {
  const { code, stderr } = await instance.cli(
    'gym',
    'run',
    ...words,
    '--agent',
    'oracle',
    '--out',
    join(tasks.folder, 'jobs'),
  )
  expect(code).toBe(2)
  expect(stderr).toMatch(why)
  expect(readdirSync(tasks.folder)).not.toContain('jobs')
})

test('a lost server fails the running trial, and the rest is played on another one', async () => {
  const waits = { ...sharedHello, 'solution/keys.jsonl': actions('touch started; until [ -e never ]; do :; done') }
  const lost = tasks.write('a-lost', waits)
  const later = tasks.write('b-later', sharedHello)
  const playing = instance.cli(
    'gym',
    'run',
    lost,
    later,
    '--agent',
    'oracle',
    '-n',
    '1',
    '--out',
    tasks.folder,
    '--json',
  )
  await until(async () => (await client.call('environments', {})).environments.length === 1)
  await instance.killDaemon()
  const { stdout, code } = await playing
  expect(code).toBe(1)
  const { rows }: RunSummary = JSON.parse(stdout)
  expect(rows).toMatchObject([
    { outcome: 'failed', reward: null },
    { outcome: 'rewarded', reward: 1 },
  ])
  client = await instance.rpc()
})

test('a trial failed by the machinery is repeated as often as requested, and only the last one is stored', async () => {
  const healthcheck =
    '[environment.healthcheck]\ncommand = "false"\nretries = 1\ninterval_sec = 0.1\nstart_period_sec = 0\n'
  const sick = tasks.write('sick', { ...sharedHello, 'task.toml': `${sharedHello['task.toml']}${healthcheck}` })
  const { code, summary, row, trial } = await playByCommand(sick, '--retries', '2')
  expect(code).toBe(1)
  expect(row).toMatchObject({ outcome: 'failed', reward: null })
  expect(summary.rows).toHaveLength(1)
  const job = join(trial, '..')
  expect(readJobResult(job)?.stats).toMatchObject({ n_retries: 2, n_errored_trials: 1 })
  expect(readdirSync(job, { withFileTypes: true }).filter((entry) => entry.isDirectory())).toHaveLength(1)
})
