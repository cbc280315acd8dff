/** The turn of a terminal, live: through the library, over the daemon's socket and on the command line. */

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@agentpty/protocol'
import type { SessionEvent } from '@agentpty/protocol/session'
import { openEngine } from 'agentpty'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { program } from '../harness/instance.ts'
import { scratchFolder, scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()
let closeEngine = async () => {}
const clients = new Map<string, Client>()
beforeAll(async () => {
  clients.set('the daemon’s socket', await instance.rpc())
  const engine = await openEngine()
  clients.set('the library', engine.client)
  closeEngine = () => engine.close()
})
afterAll(() => closeEngine())

/** Reads until an event matches. */
async function until(events: AsyncIterator<SessionEvent>, fits: (event: SessionEvent) => boolean) {
  const seen: SessionEvent[] = []
  for (;;) {
    const { value, done } = await events.next()
    if (done) throw new Error(`the events ended after ${JSON.stringify(seen.slice(-5))}`)
    seen.push(value)
    if (fits(value)) return seen
  }
}

const text = (events: readonly SessionEvent[]): string =>
  events.map((event) => (event.type === 'output' ? Buffer.from(event.bytes).toString() : '')).join('')

describe.each(['the library', 'the daemon’s socket'])('through %s', (face) => {
  const isReady = (event: SessionEvent) => event.type === 'turn' && event.verdict.state === 'ready'
  const isBusy = (event: SessionEvent) => event.type === 'turn' && event.verdict.state === 'busy'

  test('a follower gets the output so far, then each change of the turn after its output, then the end', async () => {
    const client = clients.get(face) as Client
    const { terminalId } = await client.call('create', { command: ['sh', '-c', 'read a; echo got $a; read b'] })
    const events = client.follow(terminalId, { output: { since: 0 }, turn: true })[Symbol.asyncIterator]()
    await until(events, isReady)
    await client.call('send', { terminalId, text: 'one', waitFor: 'none' })
    const toBusy = await until(events, isBusy)
    const toReady = await until(events, isReady)
    expect(text([...toBusy, ...toReady])).toContain('got one')
    await client.call('send', { terminalId, text: 'two', waitFor: 'none' })
    const toExit = await until(events, ({ type }) => type === 'exit')
    expect(toExit.at(-1)).toMatchObject({ type: 'exit', exit: { code: 0, signal: null } })
    expect(await events.next()).toMatchObject({ done: true })
  })

  test('a follower that asks for evidence gets it as it changes while the program works', async () => {
    const client = clients.get(face) as Client
    const pipe = join(scratchFolder(), 'pipe')
    execFileSync('mkfifo', [pipe])
    const command = ['sh', '-c', `cat ${pipe}; while :; do :; done`]
    const { terminalId } = await client.call('create', { command, waitFor: 'none' })
    const events = client.follow(terminalId, { turn: 'evidence' })[Symbol.asyncIterator]()
    const works = (does: string) => (event: SessionEvent) =>
      event.type === 'turn' && event.verdict.state === 'busy' && event.verdict.evidence.includes(does)
    await until(events, works('cat waits for something else'))
    writeFileSync(pipe, '')
    const running = (await until(events, works('sh runs'))).at(-1)
    expect(running).toMatchObject({ verdict: { rule: 'it waits for something else, or works: work' } })
    await client.call('close', { terminalId })
  })

  test('a follower ends the stream by a signal', async () => {
    const client = clients.get(face) as Client
    const { terminalId } = await client.call('create', { command: ['cat'] })
    const enough = new AbortController()
    const events = client.follow(terminalId, { turn: true, signal: enough.signal })[Symbol.asyncIterator]()
    await until(events, isReady)
    enough.abort()
    const rest: SessionEvent[] = []
    for (;;) {
      const next = await events.next().catch(() => ({ done: true }) as const)
      if (next.done) break
      rest.push(next.value)
    }
    expect(rest.length).toBeLessThan(3)
  })

  test('an unknown terminal is an error', async () => {
    const events = async () => {
      for await (const _ of (clients.get(face) as Client).follow('term-999', { turn: true })) break
    }
    await expect(events()).rejects.toMatchObject({ code: 'session_not_found' })
  })
})

describe('agentpty explain', () => {
  test('receives an agent’s hook report', async () => {
    const client = clients.get('the daemon’s socket') as Client
    const report = `${process.execPath} ${program} report`
    const command = ['sh', '-c', `${report} working; read a; ${report} blocked --message 'Run ls?'; read b`]
    const { terminalId } = await client.call('create', { command, waitFor: 'output' })
    const events = client.follow(terminalId, { turn: true })[Symbol.asyncIterator]()
    await until(
      events,
      (event) => event.type === 'turn' && event.verdict.evidence.includes('the program reports that it is working'),
    )
    await client.call('sendKeys', { terminalId, keys: ['Enter'], waitFor: 'none' })
    const asked = (await until(events, (event) => event.type === 'turn' && event.verdict.state === 'ready')).at(-1)
    expect(asked).toMatchObject({
      verdict: { kind: 'menu', needs: 'answer', question: 'Run ls?', confidence: 'certain' },
    })
    await client.call('close', { terminalId })
  })

  test('explains in words whose turn it is and why', async () => {
    const client = clients.get('the daemon’s socket') as Client
    const { terminalId } = await client.call('create', { shell: 'bash' })
    const { stdout } = await instance.cli('explain', terminalId)
    expect(stdout).toMatch(/^term-\d+ {2}ready, shell, certain \(99\.9 %\)/)
    expect(stdout).toMatch(/ {2}bash waits in select on this terminal\n {2}it has drawn its prompt\n/)
    expect(stdout).toContain('  rule: a shell that marks its prompts: its prompt\n')
    await client.call('send', { terminalId, text: 'exec sleep 1000', waitFor: { quietMs: 100 } })
    const busy = await instance.cli('explain', terminalId, '--json')
    expect(JSON.parse(busy.stdout)).toMatchObject({
      terminalId,
      state: 'busy',
      evidence: ['sleep sleeps for a time it has set'],
    })
  })

  test('prints the note on omitted output, like status', async () => {
    const client = clients.get('the daemon’s socket') as Client
    // Longer than any address that terminals accept.
    const link = `\\033]8;;http://example.org/${'x'.repeat(3_000)}\\007text\\033]8;;\\007`
    const command = ['sh', '-c', `printf '${link}${link}'; cat`]
    const { terminalId } = await client.call('create', { command, waitFor: { text: 'texttext' } })
    await client.call('screenshot', { terminalId })
    const { stdout } = await instance.cli('explain', terminalId)
    expect(stdout).toContain('\n  left out, beyond a bound: 2 links\n')
    expect(JSON.parse((await instance.cli('explain', terminalId, '--json')).stdout).dropped).toMatchObject({ links: 2 })
    const { dropped } = await instance.status()
    expect(dropped.find((one) => one.terminalId === terminalId)?.dropped).toMatchObject({ links: 2, replies: 0 })
    expect((await instance.cli('status')).stdout).toContain(`${terminalId} has left something out`)
    await client.call('close', { terminalId })
  })
})
