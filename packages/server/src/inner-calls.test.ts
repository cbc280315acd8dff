/** Calls that a verb makes as part of its own work pass the guards like any other call. */

import { TermError } from '@agentpty/protocol'
import type { Guard } from '@agentpty/protocol/call'
import { expect, test } from 'vitest'
import { openFakeEngine } from './fake-engine.ts'

test('a caller that may open no terminal spawns no agent either', async () => {
  const asked: string[] = []
  const noTerminals: Guard = ({ name, context }) => {
    asked.push(`${context.client} ${name}`)
    if (name === 'create') throw new TermError('limit_reached', 'No terminals for you.', 'Ask whoever may.')
  }
  const { client } = openFakeEngine({}, () => [noTerminals])
  const spawning = client.call('spawn', { command: ['cat'], waitTimeoutMs: 0 })
  await expect(spawning).rejects.toThrowError('No terminals for you.')
  expect(asked).toEqual(expect.arrayContaining(['test spawn', 'test create']))
})
