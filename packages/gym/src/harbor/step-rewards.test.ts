import { describe, expect, test } from 'vitest'
import { hostVariables, resolveVariables } from './host-variables.ts'
import { readTaskToml } from './read-task.ts'
import { reachesMinimum, taskRewards } from './step-rewards.ts'
import { verifierPlace } from './verifier-rewards.ts'

type Rewards = Readonly<Record<string, number>>

describe('a task of several steps is worth', () => {
  test.each<[string, 'mean' | 'final' | null, readonly (Rewards | null)[], Rewards | null]>([
    ['the mean, where nothing else is said', null, [{ reward: 1 }, { reward: 0 }], { reward: 0.5 }],
    ['the mean of those that were rewarded', 'mean', [{ reward: 1 }, null], { reward: 1 }],
    ['nothing for a key that a step lacks', 'mean', [{ a: 1 }, { b: 1 }], { a: 0.5, b: 0.5 }],
    ['what the last one got', 'final', [{ reward: 0 }, { reward: 1, x: 2 }], { reward: 1, x: 2 }],
    ['nothing where the last one got nothing', 'final', [{ reward: 1 }, null], null],
    ['nothing where no step was rewarded', 'mean', [null, null], null],
    ['nothing without steps', null, [], null],
  ])('%s', (_name, strategy, steps, want) => expect(taskRewards(strategy, steps)).toEqual(want))
})

describe('a task continues', () => {
  test.each<[string, number | Rewards | null, Rewards | null, boolean]>([
    ['without a minimum', null, null, true],
    ['at its minimum', 0.5, { reward: 0.5 }, true],
    ['not below it', 0.5, { reward: 0.4 }, false],
    ['not without the key', 0, { other: 1 }, false],
    ['not without rewards', -1, null, false],
    ['with every key of a map', { a: 1, b: 1 }, { a: 1, b: 2 }, true],
    ['not with one of them', { a: 1, b: 1 }, { a: 1 }, false],
    ['not by what every object has', { constructor: 0 }, { a: 1 }, false],
  ])('%s', (_name, minimum, rewards, want) => expect(reachesMinimum(minimum, rewards)).toBe(want))
})

describe('a verifier runs', () => {
  const steps = (own: string) => `[[steps]]\nname = "a"\n${own}`
  test.each<[string, string, object]>([
    ['with the agent', '', { kind: 'shared' }],
    [
      'in a copy of the environment',
      '[verifier]\nenvironment_mode = "separate"\n[environment]\ncpus = 3',
      { kind: 'separate', environment: { cpus: 3 } },
    ],
    ['in its own', '[verifier.environment]\ncpus = 2', { kind: 'separate', environment: { cpus: 2 } }],
    ['where the task says, of a step', `${steps('')}\n[verifier.environment]\ncpus = 2`, { environment: { cpus: 2 } }],
    [
      'where the step says',
      `${steps('[steps.verifier]\nenvironment_mode = "shared"')}\n[verifier.environment]\ncpus = 2`,
      { kind: 'shared' },
    ],
  ])('%s', (_name, toml, want) => {
    const { task } = readTaskToml(toml)
    expect(verifierPlace(task, task.steps[0] ?? null)).toMatchObject(want)
  })
})

test('variables of the host are named before they are seen', () => {
  const env = { A: '${KEY}', B: '${KEY}', C: '${MODEL:-small}', D: 'text ${KEY}', E: '$KEY' }
  expect(hostVariables(env)).toEqual(['KEY', 'MODEL'])
  expect(resolveVariables(env, { KEY: 'k' })).toEqual({
    outcome: 'resolved',
    env: { A: 'k', B: 'k', C: 'small', D: 'text ${KEY}', E: '$KEY' },
  })
  expect(resolveVariables(env, {})).toEqual({ outcome: 'missing', names: ['KEY'] })
  expect(resolveVariables({ A: '${constructor}' }, {})).toEqual({ outcome: 'missing', names: ['constructor'] })
})
