import { expect, test } from 'vitest'
import { readTaskToml } from './harbor/read-task.ts'
import { trialConfig } from './harbor/trial-folder.ts'
import { effectiveTimeouts } from './make-container.ts'

const seconds = (toml: string, trial: object) =>
  effectiveTimeouts(readTaskToml(toml).task, trialConfig({ task: {}, ...trial }))

test.each<[string, string, object, object]>([
  ['what the task says by default', '', {}, { environmentBuild: 600, agentSetup: 360, agent: null, verifier: 600 }],
  ['the task’s own', '[agent]\ntimeout_sec = 50\n[verifier]\ntimeout_sec = 20', {}, { agent: 50, verifier: 20 }],
  ['at most what the trial allows', '[agent]\ntimeout_sec = 50', { agent: { max_timeout_sec: 30 } }, { agent: 30 }],
  ['a limit where the task has none', '', { agent: { max_timeout_sec: 30 } }, { agent: 30 }],
  [
    'the trial’s in place of the task’s',
    '[agent]\ntimeout_sec = 50',
    { agent: { override_timeout_sec: 90 } },
    { agent: 90 },
  ],
  [
    'both, and the shorter counts',
    '',
    { verifier: { override_timeout_sec: 90, max_timeout_sec: 60 } },
    { verifier: 60 },
  ],
  [
    'all of them multiplied',
    '[agent]\ntimeout_sec = 50',
    { timeout_multiplier: 2 },
    { agent: 100, verifier: 1_200, agentSetup: 720, environmentBuild: 1_200 },
  ],
  [
    'one multiplied by its own',
    '',
    { timeout_multiplier: 2, verifier_timeout_multiplier: 3 },
    { verifier: 1_800, agentSetup: 720 },
  ],
  [
    'the limit is multiplied, too',
    '[agent]\ntimeout_sec = 50',
    { agent: { max_timeout_sec: 30 }, timeout_multiplier: 2 },
    { agent: 60 },
  ],
  ['a setup of its own', '', { agent: { override_setup_timeout_sec: 10 } }, { agentSetup: 10 }],
])('%s', (_name, toml, trial, want) => expect(seconds(toml, trial)).toMatchObject(want))

test('a step has its own limit, or that of the task', () => {
  const { task } = readTaskToml(
    '[agent]\ntimeout_sec = 5\n[verifier]\ntimeout_sec = 6\n[[steps]]\nname = "a"\n[steps.agent]\ntimeout_sec = 7',
  )
  const [step = null] = task.steps
  expect(effectiveTimeouts(task, trialConfig({ task: {} }), step)).toMatchObject({ agent: 7, verifier: 6 })
})
