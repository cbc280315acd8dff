/** The reward of a task with several steps, and whether the task continues after a step. */

import type { HarborTask } from './harbor-task.ts'

type Rewards = Readonly<Record<string, number>>

/** `mean`: of each key over the rewarded steps, a missing key being 0. `final`: of the last step. A step is null without a reward. */
export function taskRewards(
  strategy: HarborTask['multi_step_reward_strategy'],
  steps: readonly (Rewards | null)[],
): Rewards | null {
  if (strategy === 'final') return steps.at(-1) ?? null
  const rewarded = steps.filter((rewards) => rewards !== null)
  if (rewarded.length === 0) return null
  const keys = new Set(rewarded.flatMap((rewards) => Object.keys(rewards)))
  const mean = (key: string) => rewarded.reduce((sum, rewards) => sum + rewardOf(rewards, key, 0), 0) / rewarded.length
  return Object.fromEntries([...keys].map((key) => [key, mean(key)]))
}

const rewardOf = (rewards: Rewards, key: string, otherwise: number): number =>
  Object.hasOwn(rewards, key) ? (rewards[key] ?? otherwise) : otherwise

/** The key `reward`, or the mean of all. */
export function oneReward(rewards: Rewards): number {
  const values = Object.values(rewards)
  return rewards['reward'] ?? values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length)
}

/** Whether the steps that follow are done. What was not rewarded is below every minimum. */
export function reachesMinimum(minimum: HarborTask['steps'][number]['min_reward'], rewards: Rewards | null): boolean {
  const wanted = typeof minimum === 'number' ? { reward: minimum } : (minimum ?? {})
  return Object.entries(wanted).every(([key, least]) => rewardOf(rewards ?? {}, key, Number.NEGATIVE_INFINITY) >= least)
}
