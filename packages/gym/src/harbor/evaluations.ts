/**
 * What the trials of a job come to, for each agent, model and data set. A trial without a reward never counts as a zero: what
 * a broken machine has done says nothing of the agent.
 */

import type { TrialResult } from '@agentpty/protocol/gym'
import type { Evaluation } from '../run/job-result.ts'

/** By `agent__model__dataset`, without the model where there is none. */
export function evaluations(trials: readonly TrialResult[]): Readonly<Record<string, Evaluation>> {
  const groups = grouped(trials, evaluationName)
  return Object.fromEntries([...groups].map(([name, group]) => [name, evaluationOf(group)]))
}

function evaluationName({ agent_info, source }: TrialResult): string {
  const model = agent_info.model_info?.name.replaceAll('/', '-')
  return [agent_info.name, model, source ?? 'adhoc'].filter((part) => part !== undefined).join('__')
}

function evaluationOf(trials: readonly TrialResult[]): Evaluation {
  const errors = trials.filter((trial) => trial.exception_info !== null)
  const byType = grouped(errors, (trial) => trial.exception_info?.exception_type ?? '')
  return {
    n_trials: trials.length,
    n_errors: errors.length,
    metrics: meansOf(trials),
    pass_at_k: passAtK(trials),
    reward_stats: rewardStats(trials),
    exception_stats: Object.fromEntries([...byType].map(([type, group]) => [type, group.map(nameOf)])),
  }
}

const nameOf = (trial: TrialResult): string => trial.trial_name
const rewardsOf = (trial: TrialResult) => trial.verifier_result?.rewards ?? null

/** One map, of every key its mean; none where nothing was rewarded. */
function meansOf(trials: readonly TrialResult[]): Evaluation['metrics'] {
  const byKey = grouped(
    trials.flatMap((trial) => Object.entries(rewardsOf(trial) ?? {})),
    ([key]) => key,
  )
  if (byKey.size === 0) return []
  const means = [...byKey].map(([key, entries]): [string, number] => [
    key === 'reward' ? 'mean' : `mean_${key}`,
    entries.reduce((sum, [, value]) => sum + value, 0) / entries.length,
  ])
  return [Object.fromEntries(means)]
}

function rewardStats(trials: readonly TrialResult[]): Evaluation['reward_stats'] {
  const rows = trials.flatMap((trial) =>
    Object.entries(rewardsOf(trial) ?? {}).map(([key, value]) => ({
      key,
      value: floatText(value),
      name: nameOf(trial),
    })),
  )
  const byKey = grouped(rows, ({ key }) => key)
  return Object.fromEntries(
    [...byKey].map(([key, ofKey]) => {
      const byValue = grouped(ofKey, ({ value }) => value)
      return [key, Object.fromEntries([...byValue].map(([value, all]) => [value, all.map(({ name }) => name)]))]
    }),
  )
}

/** As Python writes a float that is a key: `1.0`. */
const floatText = (value: number): string => (Number.isInteger(value) ? `${value}.0` : String(value))

/** The chance that one of k attempts succeeds, for k = 2, 4, 8 … as far as every task was tried. Only where every reward is 0 or 1. */
function passAtK(trials: readonly TrialResult[]): Evaluation['pass_at_k'] {
  const rewarded = trials.flatMap((trial) => {
    const reward = rewardsOf(trial)?.['reward']
    return reward === undefined ? [] : [{ task: trial.task_name, reward }]
  })
  if (rewarded.some(({ reward }) => reward !== 0 && reward !== 1)) return {}
  const tasks = [...grouped(rewarded, ({ task }) => task).values()]
  const fewest = tasks.length === 0 ? 0 : Math.min(...tasks.map((attempts) => attempts.length))
  const sizes = [2, 4, 8, 16, 32, 64, 128].filter((k) => k <= fewest)
  const chance = (attempts: readonly { readonly reward: number }[], k: number) =>
    chanceOfOne({ attempts: attempts.length, successes: attempts.filter(({ reward }) => reward === 1).length, k })
  return Object.fromEntries(
    sizes.map((k) => [String(k), tasks.reduce((sum, attempts) => sum + chance(attempts, k), 0) / tasks.length]),
  )
}

interface Attempts {
  readonly attempts: number
  readonly successes: number
  readonly k: number
}

/** Of all ways to take k of the attempts, the share that has a success. */
function chanceOfOne({ attempts, successes, k }: Attempts): number {
  if (attempts - successes < k) return 1
  let none = 1
  for (let n = attempts - successes + 1; n <= attempts; n++) none *= 1 - k / n
  return 1 - none
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}
