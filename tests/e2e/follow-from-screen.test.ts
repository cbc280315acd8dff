/** Following a terminal from its current screen: over the daemon's socket, with real programs, slow readers and secrets. */

import { Replica } from '@agentpty/engine/testing'
import type { Client } from '@agentpty/protocol'
import type { SessionEvent } from '@agentpty/protocol/session'
import { expect, test } from 'vitest'
import { scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()

const size = { cols: 80, rows: 24 }

/** Starts to follow; `ended` resolves once `isEnough` is true. Records all events except the bytes. */
async function follow(client: Client, terminalId: string, isEnough: (replica: Replica) => boolean) {
  const replica = new Replica({ ...size, scrollbackRows: 1_000 })
  const seen: SessionEvent[] = []
  const events = client.follow(terminalId, { output: { from: 'screen' } })[Symbol.asyncIterator]()
  const next = async () => {
    const { value } = await events.next()
    if (value === undefined) throw new Error('The terminal ended before it showed enough.')
    replica.take(value)
    if (value.type !== 'output') seen.push(value)
  }
  await next()
  const ended = (async () => {
    while (!isEnough(replica)) await next()
    await events.return?.(undefined)
  })()
  return { replica, seen, ended }
}

/** The daemon's own screen, and its offset. */
async function shown(client: Client, terminalId: string): Promise<string> {
  const { screen = '' } = await client.call('screenshot', { terminalId })
  return screen
}

test('an editor is followed from the middle, byte by byte, through a resize', async () => {
  const client = await instance.rpc({}, { isPerson: true })
  const { terminalId } = await client.call('create', {
    command: ['vim', '-u', 'NONE', '-N'],
    ...size,
    waitFor: 'ready',
  })
  await client.call('send', { terminalId, text: 'ione two three', newline: false, waitFor: 'output' })
  const early = await follow(client, terminalId, ({ text }) => text.includes('the very end'))
  await client.call('resize', { terminalId, cols: 60, rows: 15 })
  const late = await follow(client, terminalId, ({ text }) => text.includes('the very end'))
  await client.call('send', { terminalId, text: ' and the very end', newline: false, waitFor: 'output' })
  for (const { replica, seen, ended } of [early, late]) {
    await ended
    expect(seen[0]).toMatchObject({ type: 'snapshot', isLate: false })
    expect(replica.text).toContain('one two three and the very end')
    expect(replica.terminal.buffer.active.type).toBe('alternate')
    expect([replica.terminal.cols, replica.terminal.rows]).toEqual([60, 15])
  }
  expect(early.seen.map(({ type }) => type)).toContain('resized')
})

test('a reader slower than a flood gets the current screen, and in the end the final one', async () => {
  const client = await instance.rpc({}, { isPerson: true })
  const flood = ['bash', '-c', 'read; seq 1 3000000; echo the very end; exec cat']
  const { terminalId } = await client.call('create', { command: flood, ...size })
  const replica = new Replica({ ...size, scrollbackRows: 1_000 })
  const seen: SessionEvent[] = []
  const events = client.follow(terminalId, { output: { from: 'screen' } })[Symbol.asyncIterator]()
  const next = async () => {
    const { value } = await events.next()
    if (value === undefined) throw new Error('it is over')
    replica.take(value)
    if (value.type !== 'output') seen.push(value)
  }
  await next()
  await client.call('send', { terminalId, text: 'go', waitFor: { text: 'the very end' } })
  while (!replica.text.includes('the very end')) await next()
  await events.return?.(undefined)
  const late = seen.filter((event) => event.type === 'snapshot' && event.isLate)
  expect(late.length).toBeGreaterThan(0)
  expect(replica.text.trimEnd()).toBe((await shown(client, terminalId)).trimEnd())
})

test('without a person’s rights, secrets are hidden in the first screen and afterwards', async () => {
  const client = await instance.rpc()
  const head = 'ghp_'
  const rest = 'aB3dE5gH7j'.repeat(3).concat('aB3dE5')
  const program = `printf 'token: ${head}'; printf '${rest}, its end\\n'; read; printf '${head}'; printf '${rest}, its next end\\n'; exec cat`
  const { terminalId } = await client.call('create', { command: ['bash', '-c', program], waitFor: { text: 'its end' } })
  const { replica, seen, ended } = await follow(client, terminalId, ({ text }) => text.includes('its next end'))
  await client.call('send', { terminalId, text: '', waitFor: { text: 'next end' } })
  await ended
  expect(seen[0]).toMatchObject({ type: 'snapshot' })
  expect(replica.text).not.toContain('aB3dE5')
  expect(replica.text).toContain(`token: [masked: GitHub token]${'*'.repeat(18)}, its end`)
  expect(replica.text).toContain('[masked: GitHub token], its next end')
})
