/** A trial for tests. */

import { type TrialFacts, timing, trialConfig } from './trial-folder.ts'

export function trialFacts(facts: Partial<TrialFacts>): TrialFacts {
  return {
    id: '00000000-0000-4000-8000-000000000000',
    taskName: 'org/a',
    taskId: { path: 'tasks/a' },
    taskChecksum: 'x',
    config: trialConfig({ task: {}, trial_name: 'a__b' }),
    trialUri: 'file:///jobs/a__b',
    source: null,
    agent: { name: 'oracle', version: '1', model: null },
    agentContext: null,
    rewards: { reward: 1 },
    exception: null,
    timings: { environment_setup: null, agent_setup: null, agent_execution: null, verifier: null },
    whole: timing(0, 1_000),
    steps: null,
    notes: [],
    ...facts,
  }
}
