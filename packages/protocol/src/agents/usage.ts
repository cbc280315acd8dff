/** What an agent has used, as its program tells. */

import * as z from 'zod'

const Tokens = z.number().int().min(0)

export const Usage = z.object({
  input: Tokens.describe('Tokens that its model was given, those from a cache included.'),
  output: Tokens.describe('Tokens that its model has made.'),
  cached: Tokens.describe('How many of the input came from a cache.'),
  costUsd: z.number().min(0).nullable().describe('In US dollars; null where its program tells no cost.'),
  models: z.array(z.string()).describe('The models, as its program calls them; of several agents, those of all.'),
})
export type Usage = Readonly<z.output<typeof Usage>>

/** Names of models that are kept of one agent, or of one tree. */
export const modelsTold = 20

/** What several have used together. Null where none of them tells. */
export function usageTogether(all: readonly (Usage | null)[]): Usage | null {
  const told = all.filter((one) => one !== null)
  if (told.length === 0) return null
  const sum = (of: (one: Usage) => number) => told.reduce((before, one) => before + of(one), 0)
  const costs = told.flatMap(({ costUsd }) => (costUsd === null ? [] : [costUsd]))
  return {
    input: sum(({ input }) => input),
    output: sum(({ output }) => output),
    cached: sum(({ cached }) => cached),
    costUsd: costs.length === 0 ? null : costs.reduce((before, one) => before + one, 0),
    models: [...new Set(told.flatMap(({ models }) => models))].slice(0, modelsTold),
  }
}
