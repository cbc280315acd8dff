/** Secrets are masked in streams, too, except for a person who is attached. */

import { join } from 'node:path'
import type { Client } from '@agentpty/protocol'
import type { FollowOptions, SessionEvent } from '@agentpty/protocol/session'
import { noEnvironments, noGates, noWalls } from '@agentpty/protocol/testing'
import { LocalClient, privateParts } from '@agentpty/server'
import { Secrets } from '@agentpty/server/secrets'
import { expect, test } from 'vitest'
import { handlers } from '../../packages/agentpty/src/compose/handlers.ts'
import { ownHost } from '../../packages/agentpty/src/compose/own-host.ts'
import { scratchFolder, scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()

/** In two pieces, so that the test's own text is not masked. */
const head = 'ghp_'
const rest = 'aB3dE5gH7j'.repeat(3).concat('aB3dE5')
/** Prints it in two writes, between which the output may be cut. */
const printing = ['bash', '-c', `printf 'token: ${head}'; printf '${rest}, its end\\n'; exec cat`]
const ended = ['bash', '-c', `printf 'token: ${head}'; printf '${rest}, its end\\n'`]

/** All events until `isLast` is true. */
async function follow(
  client: Client,
  terminalId: string,
  options: FollowOptions,
  isLast: (seen: readonly SessionEvent[]) => boolean,
): Promise<readonly SessionEvent[]> {
  const seen: SessionEvent[] = []
  for await (const event of client.follow(terminalId, options)) {
    seen.push(event)
    if (isLast(seen)) break
  }
  return seen
}

const outputOf = (seen: readonly SessionEvent[]) =>
  seen.map((event) => (event.type === 'output' ? Buffer.from(event.bytes).toString() : '')).join('')
const hasEnd = (seen: readonly SessionEvent[]) => outputOf(seen).includes('its end\r\n')

async function expectMasked(client: Client): Promise<void> {
  const { terminalId } = await client.call('create', { command: printing, waitFor: { text: 'its end' } })
  const seen = await follow(client, terminalId, { output: { since: 0 } }, hasEnd)
  expect(outputOf(seen)).toBe('token: [masked: GitHub token], its end\r\n')
  const events = seen.filter((event) => event.type === 'output')
  expect(events.map(({ offset }) => offset).slice(1)).toEqual(events.map(({ next }) => next).slice(0, -1))
  expect([events.at(0)?.offset, events.at(-1)?.next]).toEqual([0, `token: ${head}${rest}, its end\r\n`.length])
  const inside = 'token: ghp_aB3'.length
  expect(outputOf(await follow(client, terminalId, { output: { since: inside } }, hasEnd))).toBe(
    '[masked: GitHub token], its end\r\n',
  )
  const [frame] = await follow(client, terminalId, { frames: { cols: 80, rows: 5 } }, ([first]) => first !== undefined)
  const text = frame?.type === 'frame' ? frame.rows.map(([, row]) => row).join('\n') : ''
  expect(text).toContain(`token: [masked: GitHub token]${'*'.repeat(18)}, its end`)
}

test('over the daemon’s socket secrets are masked in a followed terminal, and offsets are those of the log', async () => {
  await expectMasked(await instance.rpc())
})

test('the same in one process', async () => {
  const folder = scratchFolder()
  const none = { lastId: null, approvals: null, agents: null, runs: null, home: null, configFolder: null }
  const owned = await ownHost({ hostSocket: join(folder, 's'), ...none }, { gone: () => undefined, isPrivate: true })
  if (owned === null) throw new Error('another owner has it')
  const engine = {
    ...owned.engine,
    walls: noWalls,
    gates: noGates,
    environments: noEnvironments,
    devices: null,
    pushes: null,
    scopeNamed: () => null,
    journal: null,
    recordings: null,
    secrets: new Secrets(),
  }
  await expectMasked(
    new LocalClient(engine, { client: 'test', cwd: folder, env: { ...instance.env } }, privateParts(handlers)),
  )
  await owned.shutdown({ all: true })
})

test('an attached person sees the output byte by byte; a program in a terminal is not a person', async () => {
  const person = await instance.rpc({}, { isPerson: true })
  const { terminalId } = await person.call('create', { command: printing, waitFor: { text: 'its end' } })
  const { pid } = await person.call('create', { command: ['cat'] })
  const seen = await follow(person, terminalId, { output: { since: 0 } }, hasEnd)
  expect(outputOf(seen)).toBe(`token: ${head}${rest}, its end\r\n`)
  const inside = await instance.rpcFrom(pid, { isPerson: true })
  expect(outputOf(await follow(inside, terminalId, { output: { since: 0 } }, hasEnd))).toContain(
    '[masked: GitHub token]',
  )
})

test('on the command line the output of run and of read --follow is masked', async () => {
  const client = await instance.rpc()
  const { terminalId } = await client.call('create', { command: ended, waitFor: 'exit' })
  for (const args of [
    ['run', '--', ...ended],
    ['run', '--raw', '--', ...ended],
    ['read', terminalId, '--follow'],
  ]) {
    const { stdout, code } = await instance.cli(...args)
    expect([args[0], stdout.trim(), code]).toEqual([args[0], 'token: [masked: GitHub token], its end', 0])
  }
})

test('a program that asks at the possible start of a secret is reported as asking', async () => {
  const client = await instance.rpc()
  const { terminalId } = await client.call('create', { command: ['bash', '-c', 'read -p "to g"'], waitFor: 'output' })
  const isShown = (seen: readonly SessionEvent[]) => outputOf(seen).endsWith('to g')
  expect(outputOf(await follow(client, terminalId, { output: { since: 0 } }, isShown))).toBe('to g')
})
