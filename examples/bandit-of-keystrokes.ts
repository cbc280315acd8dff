/**
 * Something tiny that learns for real: which of four keys opens a game's door. The policy is a softmax over the keys, trained by REINFORCE on
 * the rewards of 8 environments at once; it never sees which key it is.
 */

import assert from 'node:assert/strict'
import { makeVec } from 'agentpty/gym'

const keys = ['h', 'j', 'k', 'l']
const game = `
import sys, tty
tty.setcbreak(0)
print("Which key? (hjkl)", flush=True)
print("OPEN" if sys.stdin.read(1) == "l" else "shut", flush=True)
`

await using vec = await makeVec(
  { n: 8, program: ['python3', '-c', game], success: { text: 'OPEN' } },
  { autoreset: 'Disabled' },
)

/** Whatever random numbers are used, the example gives the same result. */
let state = 7
const random = () => {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
  return state / 2_147_483_648
}
const softmax = (values: readonly number[]) => {
  const powers = values.map(Math.exp)
  const sum = powers.reduce((all, one) => all + one, 0)
  return powers.map((power) => power / sum)
}
/** Returns one of the keys at random, each with its own probability. */
const pick = (shares: readonly number[]) => {
  let rest = random()
  for (const [key, share] of shares.entries()) {
    if (rest < share) return key
    rest -= share
  }
  return shares.length - 1
}

const preferences = keys.map(() => 0)
let before = 0
for (let round = 0; round < 30; round++) {
  await vec.reset({ seed: round })
  const shares = softmax(preferences)
  const chosen = vec.envs.map(() => pick(shares))
  const { rewards } = await vec.step(chosen.map((key) => ({ type: 'keys', keys: [keys[key] ?? 'h'] })))
  for (const [index, key] of chosen.entries()) {
    const advantage = (rewards[index] ?? 0) - 0.25
    for (const [other, share] of shares.entries())
      preferences[other] = (preferences[other] ?? 0) + 0.3 * advantage * ((other === key ? 1 : 0) - share)
  }
  const mean = rewards.reduce((all, one) => all + one, 0) / rewards.length
  if (round === 0) before = mean
  if (round % 10 === 9) console.log(`round ${round + 1}: mean reward ${mean.toFixed(2)}`)
}

const learned = softmax(preferences)
const best = learned.indexOf(Math.max(...learned))
console.log(`it has learned to press ${keys[best]} (${Math.round((learned[best] ?? 0) * 100)} %)`)
assert.ok((learned[best] ?? 0) > 0.8, `it has learned nothing: ${learned.join(', ')}, and began at ${before}`)
