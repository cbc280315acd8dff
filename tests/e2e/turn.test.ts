/** Whose turn it is, asked often enough to meet the moments in between: the wrong answer must never come. */

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

test('what a program printed before it waits again is always in the answer', async () => {
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

test('a lone Escape has had its effect when the answer comes', async () => {
  const { terminalId } = await client.call('create', { shell: 'bash' })
  for (let i = 0; i < 5; i++) {
    await client.call('send', { terminalId, text: 'seq 100 | fzf', waitFor: { text: '100/100' } })
    const { kind, exitCode } = await client.call('sendKeys', { terminalId, keys: ['escape'] })
    expect({ kind, exitCode }).toEqual({ kind: 'shell', exitCode: 130 })
  }
})
