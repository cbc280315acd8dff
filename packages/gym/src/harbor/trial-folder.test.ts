import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { folderWith, removeFolders } from '../folder-fixture.ts'
import { trialFacts } from './trial-fixture.ts'
import {
  agentContext,
  exceptionInfo,
  readTrialResult,
  stepPlaces,
  timing,
  trialConfig,
  trialName,
  trialPlaces,
  trialResult,
  writeTrial,
} from './trial-folder.ts'

afterAll(removeFolders)

const at = Date.UTC(2026, 10, 24, 15, 30, 12)

test.each<[string, string, string]>([
  ['the name of the task comes first', 'org/short', 'short__AAAAAAA'],
  ['a long one is cut', `o/${'x'.repeat(50)}`, `${'x'.repeat(32)}__AAAAAAA`],
  ['what cannot be in a path is replaced', '../a b', 'a-b__AAAAAAA'],
])('%s', (_name, task, want) => expect(trialName(task, new Uint8Array(7))).toBe(want))

test('a configuration has what the format has by default', () => {
  expect(trialConfig({ task: { path: 'tasks/a' }, trial_name: 'a__b' })).toMatchObject({
    trials_dir: 'trials',
    timeout_multiplier: 1,
    agent: { name: null, env: {}, skills: [] },
    environment: { type: 'docker', delete: true, force_build: false, cpu_enforcement_policy: 'auto' },
    verifier: { disable: false },
    artifacts: [],
  })
  expect(() => trialConfig({ task: {}, timeout_multiplier: 0 })).toThrow(/config\.json: timeout_multiplier: /)
  expect(() => trialConfig({ task: {}, environment: { cpu_enforcement_policy: 'x' } })).toThrow(
    /cpu_enforcement_policy/,
  )
})

test('a trial is written where others look for it, and comes back', () => {
  const folder = folderWith({})
  const config = trialConfig({ task: { path: 'tasks/a' }, trial_name: 'a__b', later: 1 })
  const exception = exceptionInfo({ type: 'AgentTimeoutError', message: 'too slow', traceback: 'at a', at })
  const result = trialResult({
    ...trialFacts({ config }),
    exception,
    agentContext: agentContext({ n_input_tokens: 3 }),
    timings: {
      environment_setup: timing(at, at + 1_000),
      agent_setup: null,
      agent_execution: timing(at, null),
      verifier: null,
    },
  })
  writeTrial(folder, { config, result, artifacts: [{ source: '/a', destination: 'a', type: 'file', status: 'ok' }] })
  expect(readTrialResult(folder)).toEqual(result)
  const text = (place: keyof typeof trialPlaces) => readFileSync(join(folder, trialPlaces[place]), 'utf8')
  expect(JSON.parse(text('config'))).toMatchObject({ later: 1, trial_name: 'a__b' })
  expect(text('exception')).toBe('AgentTimeoutError: too slow\nat a\n')
  expect(JSON.parse(text('manifest'))).toEqual([{ source: '/a', destination: 'a', type: 'file', status: 'ok' }])
  expect(JSON.parse(text('result'))).toMatchObject({
    trial_name: 'a__b',
    agent_result: { n_input_tokens: 3, n_cache_tokens: null, cost_usd: null },
    environment_setup: { started_at: '2026-11-24T15:30:12.000Z', finished_at: '2026-11-24T15:30:13.000Z' },
    agent_execution: { finished_at: null },
  })
})

test('reads files that Python wrote', () => {
  const result = trialResult(trialFacts({}))
  const folder = folderWith({
    'result.json': JSON.stringify({ ...result, started_at: '2026-11-24T15:30:12.123456', own: 1 }),
  })
  expect(readTrialResult(folder)).toMatchObject({ started_at: '2026-11-24T15:30:12.123456', own: 1 })
})

test.each<[string, object | string, RegExp]>([
  ['no JSON', '{', /result\.json: is no JSON/],
  ['a prototype', '{"__proto__": {}}', /result\.json: has a key "__proto__"/],
  ['no identifier', { ...trialResult(trialFacts({})), id: 'x' }, /result\.json: id: /],
  ['a moment that is none', { ...trialResult(trialFacts({})), started_at: 'now' }, /started_at: a moment as ISO 8601/],
  [
    'an infinite reward',
    { ...trialResult(trialFacts({})), verifier_result: { rewards: { a: 'inf' } } },
    /verifier_result\.rewards\.a: /,
  ],
])('a result is refused with %s', (_name, value, want) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  expect(() => readTrialResult(folderWith({ 'result.json': text }))).toThrow(want)
})

test('a trial that is not over has no result', () => expect(readTrialResult(folderWith({}))).toBe(null))

test('steps have folders of their own', () => expect(stepPlaces('one').verifier).toBe('steps/one/verifier'))
