/** Sums an agent's usage in its transcript from `since` until `until`: other agents may have used its conversation before or after. */

import { BoundedMap } from '@agentpty/protocol'
import { modelsListedMax, requestsRememberedMax, type Usage } from '@agentpty/protocol/agents'
import type { Amounts, Said, Used } from './read-record.ts'

export interface OwnTime {
  /** In ms since 1970. */
  readonly since: number
  readonly until: number
}

const nothing: Amounts = { input: 0, output: 0, cached: 0, cost: null }

export class UsageSum {
  readonly #time: OwnTime
  /** The amounts counted for each of the newest requests; zero amounts for requests outside its time. */
  readonly #requests: BoundedMap<string, Amounts & { readonly at: number }>
  /** The last reported total, by rule. */
  readonly #totals = new Map<number, Amounts>()
  readonly #models = new Set<string>()
  #sum: Amounts = nothing
  #isReported = false
  #at = 0
  /** Requests up to this position are no longer remembered. A repeated one has counted already. */
  #forgottenAt = -1

  constructor(time: OwnTime) {
    this.#time = time
    this.#requests = new BoundedMap(requestsRememberedMax, ({ at }) => {
      this.#forgottenAt = Math.max(this.#forgottenAt, at)
    })
  }

  /** Null until a usage was reported. */
  get usage(): Usage | null {
    if (!this.#isReported) return null
    const { cost, ...tokens } = this.#sum
    return { ...tokens, costUsd: cost, models: [...this.#models] }
  }

  add({ at, models, used }: Pick<Said, 'at' | 'models' | 'used'>): void {
    this.#at = at ?? this.#at
    const isOwn = this.#at >= this.#time.since && this.#at < this.#time.until
    if (isOwn) for (const model of models) if (this.#models.size < modelsListedMax) this.#models.add(model)
    for (const one of used) {
      const more = one.counts === 'total' ? this.#sinceTotal(one) : one
      if (one.counts === 'each' && one.key !== null) this.#request(one.key, isOwn ? more : nothing)
      else if (isOwn) this.#count(nothing, more)
    }
  }

  #request(key: string, amounts: Amounts): void {
    const before = this.#requests.get(key)
    if (before === undefined && this.#at <= this.#forgottenAt) return
    this.#requests.set(key, { ...amounts, at: before?.at ?? this.#at })
    if (amounts !== nothing || before !== undefined) this.#count(before ?? nothing, amounts)
  }

  /** A counter that begins anew counts from zero. */
  #sinceTotal(one: Used): Amounts {
    const before = this.#totals.get(one.rule)
    this.#totals.set(one.rule, one)
    if (before === undefined) return one.newest ?? one
    const isAnew = one.input < before.input || one.output < before.output || (one.cost ?? 0) < (before.cost ?? 0)
    return isAnew ? one : between(before, one)
  }

  #count(before: Amounts, after: Amounts): void {
    const more = between(before, after)
    this.#isReported = true
    this.#sum = {
      input: this.#sum.input + more.input,
      output: this.#sum.output + more.output,
      cached: this.#sum.cached + more.cached,
      cost: more.cost === null ? this.#sum.cost : (this.#sum.cost ?? 0) + more.cost,
    }
  }
}

function between(before: Amounts, after: Amounts): Amounts {
  return {
    input: after.input - before.input,
    output: after.output - before.output,
    cached: after.cached - before.cached,
    cost: after.cost === null ? null : after.cost - (before.cost ?? 0),
  }
}
