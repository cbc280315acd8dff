/**
 * Many agents at the same time, each a small program that answers in the required fences after some work. It writes the time of
 * its answer: the delay until the caller has it is measured, and whether each answer belongs to its task.
 */

import type { Engine } from 'agentpty'
import { openBuiltEngine } from './library.ts'
import { now } from './time.ts'

export interface ManyResult {
  readonly agents: number
  /** In ms, sorted: from the last byte of an answer to the caller. */
  readonly woken: readonly number[]
  /** Without an answer, or with another agent's. */
  readonly lost: number
  readonly mixed: number
}

/** Reads its task, works for a moment, and answers with the time in ns. */
const program = `
while IFS= read -r line; do
  case $line in
    TASK-*) task=$line ;;
    *BEGIN-RESPONSE-*)
      nonce=\${line#*BEGIN-RESPONSE-}; nonce=\${nonce%% *}
      sleep "0.$((RANDOM % 900 + 100))"
      printf 'BEGIN-RESPONSE-%s\\n%s at %s\\nEND-RESPONSE-%s\\n' "$nonce" "$task" "$(date +%s%N)" "$nonce" ;;
  esac
done
`

const answerMs = 60_000

export async function runMany(count: number): Promise<ManyResult> {
  const engine = await openBuiltEngine()
  try {
    const numbers = Array.from({ length: count }, (_, at) => at + 1)
    const answers = await Promise.all(numbers.map((number) => doTask(engine, number)))
    const own = answers.filter((one, at) => one?.text.startsWith(`TASK-${at + 1} `))
    return {
      agents: count,
      woken: own.map((one) => Math.round((one?.wokenAt ?? 0) - (one?.writtenAt ?? 0))).toSorted((a, b) => a - b),
      lost: answers.filter((one) => one === null).length,
      mixed: answers.filter((one) => one !== null).length - own.length,
    }
  } finally {
    await engine.close()
  }
}

async function doTask({ client }: Engine, number: number) {
  const { terminalId } = await client.call('create', { command: ['bash', '-c', program], waitFor: 'none' })
  await client.call('instruct', { terminalId, text: `TASK-${number} do it`, asksForAnswer: true })
  await client.call('awaitAgents', { terminalIds: [terminalId], waitTimeoutMs: answerMs })
  const wokenAt = now()
  const { artifact } = await client.call('artifact', { terminalId, capture: 'answer' })
  const [, text = '', written = ''] = /^(TASK-\d+ .*) at (\d+)$/m.exec(artifact?.output ?? '') ?? []
  return text === '' ? null : { text, wokenAt, writtenAt: Number(BigInt(written) / 1_000n) / 1_000 }
}
