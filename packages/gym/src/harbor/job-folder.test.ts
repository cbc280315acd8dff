import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TrialResult } from '@agentpty/protocol/gym'
import { afterAll, expect, test } from 'vitest'
import { folderWith, removeFolders } from '../folder-fixture.ts'
import type { JobLock } from '../run/job-config.ts'
import { evaluations, jobConfig, jobName, jobPlaces, jobResult, readJobResult, writeJob } from './job-folder.ts'
import { trialFacts } from './trial-fixture.ts'
import { agentContext, exceptionInfo, trialConfig, trialResult } from './trial-folder.ts'

afterAll(removeFolders)

const trial = (name: string, rewards: Readonly<Record<string, number>> | null, task = 'org/a'): TrialResult =>
  trialResult(trialFacts({ rewards, taskName: task, config: trialConfig({ task: {}, trial_name: name }) }))
const failed = (name: string): TrialResult => ({
  ...trial(name, null),
  exception_info: exceptionInfo({ type: 'VerifierTimeoutError', message: '', at: 0 }),
})

test('a job is called by its moment', () =>
  expect(jobName(Date.UTC(2026, 10, 24, 15, 30, 12))).toBe('2026-11-24__15-30-12'))

test('a configuration has what the format has by default', () => {
  expect(jobConfig({ job_name: 'x' })).toMatchObject({
    jobs_dir: 'jobs',
    n_attempts: 1,
    n_concurrent_trials: 4,
    retry: { max_retries: 0, include_exceptions: null, wait_multiplier: 1, min_wait_sec: 1, max_wait_sec: 60 },
  })
  expect(jobConfig({ job_name: 'x' }).retry.exclude_exceptions).toContain('RewardFileEmptyError')
  expect(() => jobConfig({ job_name: 'x', n_attempts: 0 })).toThrow(/config\.json: n_attempts: /)
})

test('a trial without a reward is an error, and no zero', () => {
  expect(evaluations([trial('a', { reward: 1 }), trial('b', { reward: 0.5 }), failed('c')])).toEqual({
    oracle__adhoc: {
      n_trials: 3,
      n_errors: 1,
      metrics: [{ mean: 0.75 }],
      pass_at_k: {},
      reward_stats: { reward: { '1.0': ['a'], '0.5': ['b'] } },
      exception_stats: { VerifierTimeoutError: ['c'] },
    },
  })
})

test('each agent, model and data set is counted by itself', () => {
  const other = {
    ...trial('b', null),
    source: 'tty-30',
    agent_info: { name: 'x', version: '1', model_info: { name: 'a/b', provider: null } },
  }
  expect(Object.keys(evaluations([trial('a', null), other]))).toEqual(['oracle__adhoc', 'x__a-b__tty-30'])
})

test('of k attempts one succeeds as often as chance has it', () => {
  const attempts = [0, 0, 0, 1].map((reward, index) => trial(`a${index}`, { reward }))
  const others = [1, 1, 1, 1].map((reward, index) => trial(`b${index}`, { reward }, 'org/b'))
  // Three of the six pairs of the first task contain the success.
  expect(evaluations([...attempts, ...others])['oracle__adhoc']?.pass_at_k).toEqual({ '2': 0.75, '4': 1 })
})

const lock: JobLock = {
  schema_version: 1,
  created_at: '2026-11-24T15:30:12Z',
  harbor: { version: null, git_commit_hash: null, is_editable: null },
  invocation: ['agentpty', 'gym', 'run'],
  n_concurrent_trials: 4,
  retry: jobConfig({ job_name: 'x' }).retry,
  trials: [
    {
      task: { name: 'org/a', type: 'local', digest: `sha256:${'0'.repeat(64)}` },
      timeouts: null,
      agent: {},
      skills: [],
      environment: {},
      verifier: {},
    },
  ],
}
const facts = {
  id: '00000000-0000-4000-8000-000000000000',
  startedAt: 0,
  updatedAt: 1_000,
  finishedAt: null,
  running: 1,
  pending: 2,
  cancelled: 0,
  retries: 0,
}

test('a job is written where others look for it, and comes back', () => {
  const folder = folderWith({})
  const used = { ...trial('a', { reward: 1 }), agent_result: agentContext({ n_input_tokens: 5, cost_usd: 0.5 }) }
  const result = jobResult({ ...facts, trials: [used, trial('b', null)] })
  writeJob(folder, { config: jobConfig({ job_name: 'x' }), lock, result })
  expect(readJobResult(folder)).toEqual(result)
  expect(result).toMatchObject({
    n_total_trials: 5,
    finished_at: null,
    stats: { n_completed_trials: 2, n_running_trials: 1, n_input_tokens: 5, n_output_tokens: null, cost_usd: 0.5 },
  })
  expect(JSON.parse(readFileSync(join(folder, jobPlaces.lock), 'utf8'))).toEqual(lock)
})

test('a lock without a digest is refused', () => {
  const [first] = lock.trials
  const wrong = { ...lock, trials: first === undefined ? [] : [{ ...first, task: { ...first.task, digest: 'x' } }] }
  const result = jobResult({ ...facts, trials: [] })
  expect(() => writeJob(folderWith({}), { config: jobConfig({ job_name: 'x' }), lock: wrong, result })).toThrow(
    /lock\.json: trials\[0\]\.task\.digest/,
  )
})

test('counts of older jobs are read', () => {
  const { stats: _stats, ...rest } = jobResult({ ...facts, trials: [] })
  const folder = folderWith({ 'result.json': JSON.stringify({ ...rest, stats: { n_trials: 3, n_errors: 1 } }) })
  expect(readJobResult(folder)?.stats).toMatchObject({ n_completed_trials: 3, n_errored_trials: 1 })
  expect(readJobResult(folderWith({}))).toBe(null)
})
