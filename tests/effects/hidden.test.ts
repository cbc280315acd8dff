/** A program that closes its memory to others, as agents of keys do: a person is asked, because the gate cannot read its paths. */

import { expect, test } from 'vitest'
import { behindWalls } from '../harness/behind-walls.ts'
import { until } from '../harness/instance.ts'

// Root's supervisor reads every memory.
const ordinaryUser = process.getuid?.() === 0 ? 54_321 : (process.getuid?.() ?? 0)
const user = behindWalls(ordinaryUser)

async function json(...words: readonly string[]) {
  const { stdout, stderr } = await user.instance.cli(...words, '--json')
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}
const approvals = async () => (await json('approvals')).approvals

/** Starts an agent of keys, which makes a folder for its socket, and returns what the shell says after the answer. */
async function start(answer: 'allow' | 'deny'): Promise<string> {
  const { terminalId } = await json('new', '--cwd', user.workspace, '--gate', 'ask', '--wait', 'ready')
  await user.instance.cli('send', terminalId, `ssh-agent > /dev/null; echo "code $?"`, '--timeout', '1')
  await until(async () => (await approvals()).length === 1)
  const [{ approvalId, resolved, reason }] = await approvals()
  expect([resolved, reason]).toEqual([
    'ssh-agent wants to change files that the gate cannot see',
    expect.stringContaining('It closes its memory to other programs.'),
  ])
  await json('approvals', 'answer', approvalId, answer)
  let output = ''
  await until(async () => {
    output = (await json('read', terminalId)).output
    return /code \d/.test(output)
  })
  await json('close', terminalId)
  return output
}

test('an agent of keys starts when a person allows it, and not when they deny it', async () => {
  expect(await start('deny')).toMatch(/Permission denied[\s\S]*code [1-9]/)
  expect(await start('allow')).toContain('code 0')
})
