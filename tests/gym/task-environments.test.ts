/** Environments made from tasks: their initial state, and their verifiers’ verdicts at the end. */

import { readdirSync } from 'node:fs'
import { type Env, makeEnv, makeVec } from 'agentpty/gym'
import { afterEach, expect, test } from 'vitest'
import { processesWith, until } from '../harness/instance.ts'
import { rewardIf, separate, TaskWriter } from '../harness/task-writer.ts'
import { serversFolder } from './servers-folder.ts'

const folder = serversFolder()
const tasks = new TaskWriter()

afterEach(async () => {
  await until(() => processesWith('agentpty --container-init').length === 0)
  expect(readdirSync(folder)).toEqual([])
})

const plain = '[environment]\ndocker_image = "debian:12"\n'

const greeting = (toml: string = plain) =>
  tasks.write('greeting', {
    'task.toml': toml,
    'instruction.md': 'Write hi into greeting.\n',
    'environment/there': 'before\n',
    'tests/test.sh': rewardIf('grep -qx hi greeting && test "$(cat there)" = before'),
  })

test.each([
  ['in the same files', plain],
  ['in a separate environment', separate('greeting', 'there')],
])('an ended episode is judged %s, and again after a reset', async (_, toml) => {
  await using env = await makeEnv({ task: greeting(toml) })
  expect(env.task).toMatchObject({ name: 'greeting', instruction: 'Write hi into greeting.', step: null })
  await env.reset()
  expect(await env.step('echo hi > greeting')).toMatchObject({ reward: 0, terminated: false })
  const last = await env.step({ type: 'finish' })
  expect(last).toMatchObject({ reward: 1, terminated: true, info: { rewards: { reward: 1 } } })
  expect(await env.verify()).toMatchObject({ reward: 1, nextStep: null })
  await env.reset()
  expect(await env.step('exit')).toMatchObject({ reward: 0, terminated: true, info: { rewards: { reward: 0 } } })
  await expect(env.step('ls')).rejects.toMatchObject({ code: 'invalid_input' })
})

test('an episode judged before its end is over, with every program in it', async () => {
  await using env = await makeEnv({ task: greeting() })
  await expect(env.verify()).rejects.toMatchObject({ code: 'invalid_input' })
  await env.reset()
  await env.step('(sleep 0.2; rm -f greeting; sleep 60) & echo hi > greeting')
  expect(await env.verify()).toMatchObject({ reward: 1, rewards: { reward: 1 } })
  await expect(env.step('ls')).rejects.toMatchObject({ code: 'invalid_input' })
})

test('the verifier’s private files are invisible to the player', async () => {
  const toml = `${plain}[verifier]\nenv = { ANSWER = "\${KEY}" }\n`
  const folder = tasks.write('secret', {
    'task.toml': toml,
    'tests/test.sh': rewardIf('test "$(cat said)" = "$ANSWER"'),
  })
  await using lacking = await makeEnv({ task: folder })
  await lacking.reset()
  await expect(lacking.verify()).rejects.toMatchObject({
    code: 'invalid_input',
    hint: expect.stringContaining('hostEnv'),
  })
  await using env = await makeEnv({ task: { folder, hostEnv: { KEY: 'swordfish' } } })
  await env.reset()
  expect((await env.step('env | grep -c swordfish; echo swordfish > said')).observation).toMatch(/^0\n/)
  expect(await env.verify()).toMatchObject({ reward: 1 })
})

test('a verifier without a reward reports the reason, and its output', async () => {
  const script = '#!/bin/bash\necho looked; [ -e spoilt ] || echo 0 > /logs/verifier/reward.txt\n'
  const task = tasks.write('silent', { 'task.toml': '', 'tests/test.sh': script })
  await using env = await makeEnv({ task })
  await env.reset()
  await env.step('touch spoilt')
  const { reward, rewards, problem, output } = await env.verify()
  expect({ reward, rewards, output }).toEqual({ reward: 0, rewards: null, output: 'looked\n' })
  expect(problem).toContain('RewardFileNotFoundError')
})

test('too long episodes are judged in their current state, several at a time', async () => {
  await using vec = await makeVec({ n: 3, task: greeting(), maxEpisodeSteps: 1 }, { autoreset: 'SameStep' })
  await vec.reset()
  const over = await vec.step(['echo hi > greeting', 'echo ho > greeting', 'echo hi > greeting'])
  expect(over).toMatchObject({ rewards: [1, 0, 1], truncations: [true, true, true] })
  expect(over.infos[0]?.finalInfo).toMatchObject({ rewards: { reward: 1 } })
})

const ofSteps = () =>
  tasks.write('two', {
    'task.toml': '[[steps]]\nname = "first"\nmin_reward = 1\n[[steps]]\nname = "second"\n',
    'instruction.md': '',
    'steps/first/instruction.md': 'Make a.\n',
    'steps/first/tests/test.sh': rewardIf('test -e a'),
    'steps/second/instruction.md': 'Make b of it.\n',
    'steps/second/workdir/given': 'for the second\n',
    'steps/second/tests/test.sh': rewardIf('test -e b && test ! -e a && test -e given'),
  })

test('a task of several steps continues in a fork of the files, once a step is judged well enough', async () => {
  await using env = await makeEnv({ task: ofSteps() })
  expect(env.task).toMatchObject({ step: 'first', instruction: 'Make a.' })
  await env.reset()
  expect(await env.verify()).toMatchObject({ reward: 0, nextStep: null })
  await env.reset()
  await env.step('touch a')
  const within = await env.fork('files')
  expect(within.env.task).toMatchObject({ step: 'first' })
  await within.env.close()
  expect(await env.step({ type: 'finish' })).toMatchObject({ reward: 1 })
  expect(await env.verify()).toMatchObject({ nextStep: 'second' })
  const { env: second } = await env.fork('files')
  expect(second.task).toMatchObject({ step: 'second', instruction: 'Make b of it.' })
  await second.step('mv a b')
  expect(await second.verify()).toMatchObject({ reward: 1, nextStep: null })
  await expect(second.fork('replay')).rejects.toMatchObject({ code: 'invalid_input' })
  await second.close()
})

test('a task included in agentpty is generated from a seed, which the player does not see', async () => {
  const instructions: string[] = []
  for (const seed of [3, 3, 4]) {
    await using env = await makeEnv({ task: { folder: 'tty-30/resize-code', seed } })
    instructions.push(env.task?.instruction ?? '')
    await env.reset()
    const { stdout } = await env.exec('env; cat /app/* 2>/dev/null; true')
    expect(Buffer.from(stdout).toString()).not.toContain('AGENTPTY_SEED')
    expect(await env.verify()).toMatchObject({ reward: 0 })
  }
  expect(instructions[0]).toBe(instructions[1])
  expect(instructions[0]).not.toBe('')
})

test.each<[string, () => Parameters<typeof makeEnv>[0], RegExp]>([
  ['a folder that is no task', () => ({ task: folder }), /is no task/],
  ['a name that nothing has', () => ({ task: 'tty-30/none' }), /is no task/],
  ['a folder of tasks', () => ({ task: 'tty-30' }), /holds 30 tasks.*tty-30\/htop/s],
  ['a program besides', () => ({ task: greeting(), program: 'bash' }), /program/],
  ['no container', () => ({ task: greeting(), isolation: 'none' }), /container/],
  [
    'commands of a Dockerfile that are not allowed',
    () => ({ task: tasks.write('runs', { 'task.toml': '', 'environment/Dockerfile': 'FROM debian:12\nRUN true\n' }) }),
    /runs 1 command.*allowRun/s,
  ],
  [
    'another person’s generator',
    () => ({ task: tasks.write('made', { 'task.toml': '', 'generate.py': 'raise SystemExit(1)\n' }) }),
    /agentpty gym write/,
  ],
])('%s is refused with the next step', async (_, options, message) => {
  const made: Promise<Env> = makeEnv(options())
  await expect(made).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(made.catch((error: Error & { hint?: string }) => `${error.message} ${error.hint}`)).resolves.toMatch(
    message,
  )
})
