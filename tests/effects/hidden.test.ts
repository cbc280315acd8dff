/** A program that closes its memory to others, as agents of keys do: a person is asked, because the gate cannot read its paths. */

import { expect, test } from 'vitest'
import { behindWalls } from '../harness/behind-walls.ts'

// Root's supervisor reads every memory.
const ordinaryUser = process.getuid?.() === 0 ? 54_321 : (process.getuid?.() ?? 0)
const user = behindWalls(ordinaryUser)

/** Starts an agent of keys, which makes a folder for its socket, and returns what the shell says after the answer. */
async function start(answer: 'allow' | 'deny'): Promise<string> {
  const { terminalId } = await user.json('new', '--cwd', user.workspace, '--gate', 'ask', '--wait', 'ready')
  const { output, question } = await user.answerGate(terminalId, 'ssh-agent > /dev/null', answer)
  expect([question.resolved, question.reason]).toEqual([
    'ssh-agent wants to change files that the gate cannot see',
    expect.stringContaining('It closes its memory to other programs.'),
  ])
  return output
}

test('an agent of keys starts when a person allows it, and not when they deny it', async () => {
  expect(await start('deny')).toMatch(/Permission denied[\s\S]*code [1-9]/)
  expect(await start('allow')).toContain('code 0')
})
