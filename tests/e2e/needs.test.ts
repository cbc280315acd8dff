/** Requests to a person, over the daemon's socket and on the command line, with real programs. */

import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@agentpty/protocol'
import type { Need } from '@agentpty/protocol/needs'
import type { OverviewEvent } from '@agentpty/protocol/session'
import type { VerbInput } from '@agentpty/protocol/verbs'
import { expect, test } from 'vitest'
import { scratchFolder, scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()
const dialogs = join(import.meta.dirname, 'dialogs.mjs')

function watching(client: Client) {
  const events = client.watch({ overview: true })[Symbol.asyncIterator]()
  const until = async (holds: (event: OverviewEvent) => boolean): Promise<OverviewEvent> => {
    for (;;) {
      const { value } = await events.next()
      if (value === undefined) throw new Error('it is over')
      if (holds(value)) return value
    }
  }
  return { until, end: () => events.return?.(undefined) }
}

const needOf = (event: OverviewEvent, terminalId: string): Need | undefined =>
  event.needs?.find((one) => one.terminalId === terminalId)

/** Answers a need with the call that it names. */
function answer(client: Client, { answerBy }: Need, given: string): Promise<unknown> {
  const input = { ...answerBy.input, ...(answerBy.answer === null ? {} : { [answerBy.answer]: given }) }
  return client.call(answerBy.verb, input as VerbInput<typeof answerBy.verb>)
}

test('passwords, confirmations and dialogs are needs until they are answered by the call they name', async () => {
  const client = await instance.rpc({}, { isPerson: true })
  const { until, end } = watching(client)
  const programs: readonly (readonly [string, string, string, string])[] = [
    ['password', "read -rsp 'Passphrase for key: ' x; exec cat", 'Passphrase for key:', 'correct horse'],
    ['confirmation', "read -rp 'Delete all of it? [y/N] ' x; exec cat", 'Delete all of it? [y/N]', 'n'],
    ['dialog', `exec ${process.execPath} ${dialogs} digits`, 'Do you want to proceed?', 'Yes'],
  ]
  for (const [kind, program, text, given] of programs) {
    const { terminalId } = await client.call('create', { command: ['bash', '-c', program], waitFor: 'ready' })
    const event = await until((one) => needOf(one, terminalId) !== undefined)
    const need = needOf(event, terminalId)
    expect(need).toMatchObject({ kind, text, terminalId })
    if (need === undefined) return
    const { stdout } = await instance.cli('needs')
    expect(stdout).toContain(`${need.needId}  ${kind} in ${terminalId}`)
    await answer(client, need, given)
    await until(({ needs }) => needs !== null && !needs.some(({ needId }) => needId === need.needId))
  }
  await end()
})

test('a dialog’s options are reported, and that a password is secret', async () => {
  const client = await instance.rpc()
  await client.call('create', { command: ['bash', '-c', `exec ${process.execPath} ${dialogs} pointed`], name: 'asks' })
  const { until, end } = watching(client)
  const { needs } = await until((event) => event.needs?.some(({ title }) => title === 'asks') === true)
  expect(needs?.find(({ title }) => title === 'asks')?.options).toEqual([
    'Yes',
    'Yes, and always allow it',
    'No, tell it what to do',
  ])
  await end()
})

test('an open request survives the daemon, with its start time', async () => {
  const before = await instance.rpc({}, { isPerson: true })
  const { until, end } = watching(before)
  const folder = scratchFolder()
  const trust = join(folder, 'copilot')
  const rows = [
    'Do you trust the files in this folder?',
    '❯ 1. Yes',
    '  2. Yes, and remember this folder',
    '  3. No, exit (Esc)',
  ]
  const draw = `process.stdin.setRawMode(true); process.stdout.write(${JSON.stringify(`\x1b[?25l${rows.join('\r\n')}`)})`
  writeFileSync(
    trust,
    `#!${process.execPath}\nprocess.title = 'copilot'; ${draw}; process.stdin.on('data', () => {})\n`,
  )
  chmodSync(trust, 0o755)
  const commands = [
    ['bash', '-c', "read -rsp 'Passphrase: ' x; exec cat"],
    ['bash', '-c', "read -rp 'Delete? [y/N] ' x; exec cat"],
    [process.execPath, dialogs, 'digits'],
    [trust],
  ]
  const ids = await Promise.all(
    commands.map(async (command) => (await before.call('create', { command, waitFor: 'none' })).terminalId),
  )
  const asksAll = ({ needs }: OverviewEvent) => ids.every((id) => needs?.some(({ terminalId }) => terminalId === id))
  const was = (await until(asksAll)).needs ?? []
  await end()
  await instance.killDaemon()
  const after = watching(await instance.rpc({}, { isPerson: true }))
  const is = (await after.until(asksAll)).needs ?? []
  await after.end()
  for (const id of ids) {
    const [one, other] = [was, is].map((needs) => needs.find(({ terminalId }) => terminalId === id))
    expect(other).toMatchObject({ kind: one?.kind, text: one?.text })
    // The daemon is restarted after the last of them has asked.
    expect(other?.since).toBeLessThanOrEqual(Math.max(...was.map(({ since }) => since)) + 1_000)
  }
})

test('each terminal has a row with its state, which changes with it', async () => {
  const client = await instance.rpc({}, { isPerson: true })
  const { terminalId } = await client.call('create', { shell: '/bin/bash', name: 'rows', waitFor: 'ready' })
  const { until, end } = watching(client)
  const rowOf = ({ terminals }: OverviewEvent) => terminals.find((row) => row.terminalId === terminalId)
  const first = await until(({ isWhole }) => isWhole)
  expect(rowOf(first)).toMatchObject({ name: 'rows', state: 'ready', kind: 'shell', need: null, agent: null })
  await client.call('send', { terminalId, text: 'sleep 1000', waitFor: 'none' })
  const sleeps = await until((event) => rowOf(event)?.program.includes('sleep') === true)
  expect(rowOf(sleeps)?.state).toBe('busy')
  await client.call('sendKeys', { terminalId, keys: ['ctrl+c'] })
  await until((event) => rowOf(event)?.state === 'ready')
  await client.call('close', { terminalId })
  await until(({ gone }) => gone.includes(terminalId))
  await end()
})

test('a late answer is not typed', async () => {
  const client = await instance.rpc({}, { isPerson: true })
  const { until, end } = watching(client)
  // On a line of input, it asks something else, and the question that the person has seen is above.
  const program =
    '$| = 1; $SIG{USR1} = sub { print "\\nDelete it? [y/n] " }; print "Keep it? [y/n] "; print "got ", <STDIN>'
  const { terminalId } = await client.call('create', { command: ['perl', '-e', program], waitFor: 'ready' })
  const event = await until((one) => needOf(one, terminalId) !== undefined)
  const need = needOf(event, terminalId)
  assert.ok(need)
  await client.call('signal', { terminalId, signal: 'SIGUSR1' })
  await client.call('wait', { terminalIds: [terminalId], waitFor: { text: 'Delete it?' } })
  await expect(answer(client, need, 'y')).rejects.toMatchObject({ code: 'not_asking' })
  const { screen } = await client.call('screenshot', { terminalId, format: 'plain' })
  expect(screen).not.toContain('got')
  await end()
})

test('a failure that was dismissed or viewed is not reported again by the next daemon', async () => {
  const client = await instance.rpc({}, { isPerson: true })
  const failed = async (name: string) =>
    client.call('create', { name, command: ['bash', '-c', 'read x; exit 3'], waitFor: 'none' })
  for (const name of ['dismissed', 'seen', 'unseen']) await failed(name)
  const following = client.follow('seen', { frames: { cols: 80, rows: 24 } })[Symbol.asyncIterator]()
  for (const name of ['dismissed', 'seen', 'unseen'])
    await client.call('send', { terminalId: name, text: '', waitFor: 'exit' })
  for (let event = await following.next(); event.value?.type !== 'exit'; event = await following.next());
  const listed = async () => (await (await instance.rpc()).call('needs', {})).needs.map(({ title }) => title)
  expect(await listed()).toEqual(expect.arrayContaining(['dismissed', 'unseen']))
  const { terminals } = await client.call('list', {})
  const [first] = terminals.filter(({ name }) => name === 'dismissed')
  await client.call('dismiss', { needId: `${first?.terminalId}-ended` })
  expect(await listed()).toEqual(expect.not.arrayContaining(['dismissed', 'seen']))
  await instance.killDaemon()
  const after = await listed()
  expect(after).toContain('unseen')
  expect(after).not.toContain('dismissed')
  expect(after).not.toContain('seen')
})
