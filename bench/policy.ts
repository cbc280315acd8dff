/**
 * How long the policy takes to judge a line, over the labelled corpus: each row's best of several, so that a busy machine is not measured.
 *
 *   node --import tsx bench/policy.ts
 */

import { readFileSync } from 'node:fs'
import { judgementOn } from '@agentpty/shell-policy/testing'

const rounds = 7
const corpus = new URL('../tests/policy/corpus.jsonl', import.meta.url)
const rows = readFileSync(corpus, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line))

const best = new Map<string, number>()
for (let round = 0; round < rounds; round++) {
  for (const { id, command, shell } of rows) {
    const before = process.hrtime.bigint()
    judgementOn(command, { shell })
    const us = Number(process.hrtime.bigint() - before) / 1_000
    best.set(id, Math.min(us, best.get(id) ?? Number.POSITIVE_INFINITY))
  }
}
const sorted = [...best.entries()].sort(([, a], [, b]) => a - b)
const at = (share: number) =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.[1] ?? 0)
const slowest = sorted.slice(-5).map(([id, us]) => `${id} ${Math.round(us)}`)
console.log(`rows ${rows.length}, us: p50 ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)}; slowest: ${slowest.join(', ')}`)
