/** Whose turn it is, asked often enough to meet the moments in between: the wrong answer must never come. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../packages/agentpty/src/contracts/client.ts'
import { Instance } from './instance.ts'

const instance = new Instance()
let client: Client
beforeAll(async () => {
  client = await instance.rpc()
})
afterAll(() => instance.stop())

test('a program that ctrl+c is just ending is not taken for one that waits', async () => {
  const answers: unknown[] = []
  const interruptOften = async () => {
    const { terminalId } = await client.call('create', { shell: 'bash' })
    for (let i = 0; i < 60; i++) {
      await client.call('send', { terminalId, text: 'cat' })
      const { kind, exitCode } = await client.call('sendKeys', { terminalId, keys: ['ctrl+c'] })
      if (kind !== 'shell' || exitCode !== 130) answers.push({ kind, exitCode })
    }
  }
  await Promise.all([interruptOften(), interruptOften(), interruptOften(), interruptOften()])
  expect(answers).toEqual([])
})

test('what a program printed before it waits again is always in the result', async () => {
  const wrong: unknown[] = []
  const askOften = async () => {
    const { terminalId } = await client.call('create', { command: ['python3', '-q'] })
    for (let i = 0; i < 150; i++) {
      const answer = await client.call('send', { terminalId, text: `print('x' * 3, ${i})` })
      if (!answer.output.startsWith(`xxx ${i}`) || answer.state !== 'ready') wrong.push(answer)
    }
  }
  await Promise.all([askOften(), askOften()])
  expect(wrong).toEqual([])
})

test('a lone Escape has had its effect when the result comes', async () => {
  const { terminalId } = await client.call('create', { shell: 'bash' })
  for (let i = 0; i < 5; i++) {
    await client.call('send', { terminalId, text: 'seq 100 | fzf', waitFor: { text: '100/100' } })
    const { kind, exitCode } = await client.call('sendKeys', { terminalId, keys: ['escape'] })
    expect({ kind, exitCode }).toEqual({ kind: 'shell', exitCode: 130 })
  }
})

test('a pane that opens is waited for, and so is what is typed into it at once', async () => {
  const env = { TMUX_TMPDIR: instance.user, PS1: 'in% ' }
  const command = ['tmux', '-f', '/dev/null', 'new', 'bash', '--norc', '-i']
  const { terminalId } = await client.call('create', { command, env, waitFor: { text: 'in% ' } })
  for (const key of ['"', 'c', '%']) {
    await client.call('sendKeys', { terminalId, keys: ['ctrl+b', key] })
    // The shell that starts there is not at its prompt when this is typed, and reads it then.
    const { output } = await client.call('send', { terminalId, text: `sh -c 'sleep 0.3; echo "split $((40 + 2))"'` })
    expect(output).toContain('split 42')
  }
})

test.each(['less +F', 'tail -f'])('%s follows and asks nothing until it is interrupted', async (program) => {
  const file = join(instance.user, 'log')
  writeFileSync(file, 'one\n')
  const { terminalId } = await client.call('create', { command: `${program} ${file}`, waitFor: { text: 'one' } })
  expect(await client.call('wait', { terminalIds: [terminalId], waitTimeoutMs: 3_000 })).toMatchObject({
    terminals: [{ outcome: 'timeout', state: 'busy' }],
  })
})
