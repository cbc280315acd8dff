/** Two agents that work for each other: one finds, the other summarises. Both are small shell scripts here; `team.spawn('claude')` works the same. */

import assert from 'node:assert/strict'
import { openTeam } from 'agentpty'

/** It answers the last line of its task in the required fences. */
const program = `while read -r line; do
  case "$line" in
    IMPORTANT*)
      fence=$(printf %s "$line" | grep -o 'RESPONSE-[a-z0-9]*' | head -n 1)
      printf 'BEGIN-%s\\n%s\\nEND-%s\\n> ' "$fence" "done: $task" "$fence" ;;
    ?*) task=$line ;;
  esac
done`
const agent = `exec sh -c '${program.replaceAll("'", String.raw`'\''`)}'`

const team = await openTeam()
const finder = await team.spawn(agent, { asksForAnswer: true })
await finder.instruct('find what is wrong', { asksForAnswer: true })
const first = await team.any([finder])
assert.equal(first, finder)
const found = await finder.answer()
console.log('the first says:', found)

const writer = await team.spawn(agent)
// An agent's answer is data, and the other one receives it as such.
await writer.instruct(`sum up what another agent has said: ${found}`, { asksForAnswer: true })
const { outcome } = await writer.finished()
console.log(`the second has ${outcome}:`, await writer.answer())

// A message waits in its inbox until it is idle. These agents are shells to the kernel and are never typed to, so it is taken.
const messageId = await finder.message('it was summed up')
const [message] = await finder.inbox()
const [sent] = await team.sent([messageId])
console.log(`the message "${message?.text}" was ${sent?.state}`)
await team.close()
