/** Runs of several callers in one shell: each gets its own output and exit code. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@agentpty/protocol'
import { beforeAll, describe, expect, test } from 'vitest'
import { errorOf } from '../contract/suite.ts'
import { program } from '../harness/instance.ts'
import { scratchFolder, scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()
let clients: readonly Client[] = []
beforeAll(async () => {
  clients = [await instance.rpc(), await instance.rpc(), await instance.rpc(), await instance.rpc()]
})

const clientOf = (number: number): Client => clients[number % clients.length] as Client

/** Lets a call get ahead of the next one, by calls instead of time. */
async function roundTrips(client: Client, count: number): Promise<void> {
  for (let made = 0; made < count; made++) await client.call('list', {})
}

describe.each(['bash', 'zsh', 'fish'])('in %s', (shell) => {
  const open = async () => (await clientOf(0).call('create', { shell })).terminalId

  describe.each([
    ['one client', () => 0],
    ['several clients', (number: number) => number],
  ])('over %s', (_clients, of) => {
    test.each([0, 1, 3, 10])('parallel runs %i calls apart each get their own result', async (apart) => {
      const terminalId = await open()
      const running = []
      for (let number = 0; number < 8; number++) {
        const client = clientOf(of(number))
        // One line, two lines, and a slow one.
        const rest = number % 3 === 0 ? `\nsh -c "exit ${number}"` : `; sh -c "exit ${number}"`
        const pause = number % 4 === 1 ? 'sleep 0.05; ' : ''
        running.push(client.call('run', { terminalId, command: `${pause}echo this is ${number}${rest}` }))
        await roundTrips(client, apart)
      }
      const ran = await Promise.all(running)
      for (const [number, result] of ran.entries())
        expect(result).toMatchObject({ outcome: 'met', output: `this is ${number}`, exitCode: number, kind: 'shell' })
    })
  })
})

describe.each(['bash', 'zsh', 'fish'])('while a run has the shell, in %s', (shell) => {
  const open = async () => (await clientOf(0).call('create', { shell })).terminalId
  /** A command that prints `begun`, which its echo does not show, and ends once it may. */
  const slowCommand = () => {
    const path = join(scratchFolder(), 'may-end')
    const slow = `echo be""gun; sh -c "until test -e ${path}; do sleep 0.02; done"; echo slow is over`
    return { slow, finish: () => writeFileSync(path, '') }
  }
  /** On a busy machine it may be printed before this call, so all of the output counts. */
  const hasBegun = (terminalId: string) =>
    clientOf(3).call('wait', { terminalIds: [terminalId], since: [0], waitFor: { text: 'begun' } })

  test('a run that times out ends its turn, and the next one never gets its output', async () => {
    const terminalId = await open()
    for (const timeoutMs of [1, 60]) {
      const { slow, finish } = slowCommand()
      const first = clientOf(0).call('run', { terminalId, command: slow, timeoutMs })
      const second = clientOf(1)
        .call('run', { terminalId, command: 'echo second' })
        .catch((error: { code: string }) => error.code)
      expect(await first).toMatchObject({ outcome: 'timeout', output: expect.not.stringContaining('is over') })
      finish()
      const ran = await second
      if (ran !== 'shell_busy') expect(ran).toMatchObject({ output: 'second', exitCode: 0 })
      await clientOf(0).call('wait', { terminalIds: [terminalId], waitFor: 'ready' })
    }
    expect(await clientOf(1).call('run', { terminalId, command: 'echo third' })).toMatchObject({ output: 'third' })
  })

  test('a run that exceeds its waiting time gets `shell_busy`, and none of it is typed', async () => {
    const terminalId = await open()
    const { slow, finish } = slowCommand()
    const first = clientOf(0).call('run', { terminalId, command: slow })
    await hasBegun(terminalId)
    await expect(clientOf(1).call('run', { terminalId, command: 'echo no', timeoutMs: 50 })).rejects.toMatchObject({
      code: 'shell_busy',
      hint: expect.stringContaining('fresh terminal'),
    })
    finish()
    expect(await first).toMatchObject({ output: 'begun\nslow is over', exitCode: 0 })
    expect((await clientOf(0).call('read', { terminalId })).output).not.toContain('echo no')
  })

  test('a call cancelled while it waits or runs leaves the shell to the next one', async () => {
    const terminalId = await open()
    const holder = new AbortController()
    const waiter = new AbortController()
    const endless = 'echo be""gun; sleep 1000'
    const first = errorOf(clientOf(0).call('run', { terminalId, command: endless }, { signal: holder.signal }))
    await hasBegun(terminalId)
    const second = errorOf(clientOf(1).call('run', { terminalId, command: 'echo no' }, { signal: waiter.signal }))
    const third = errorOf(clientOf(2).call('run', { terminalId, command: 'echo third' }))
    waiter.abort()
    expect(await second).toMatchObject({ code: 'cancelled' })
    holder.abort()
    expect(await first).toMatchObject({ code: 'cancelled' })
    // The cancelled command still runs.
    expect(await third).toMatchObject({ code: 'shell_busy' })
    await clientOf(0).call('sendKeys', { terminalId, keys: ['ctrl+c'] })
    expect(await clientOf(0).call('run', { terminalId, command: 'echo on' })).toMatchObject({ output: 'on' })
  })

  test('waiting runs are refused when the shell ends, and when its terminal is closed', async () => {
    const ended = await open()
    const closed = await open()
    const leaving = clientOf(0).call('run', { terminalId: ended, command: 'sleep 0.2; exit 3' })
    const refused = errorOf(clientOf(1).call('run', { terminalId: ended, command: 'echo no' }))
    expect(await leaving).toMatchObject({ state: 'exited', exitCode: 3 })
    expect(await refused).toMatchObject({ code: 'session_exited' })
    const cut = clientOf(0).call('run', { terminalId: closed, command: slowCommand().slow })
    await hasBegun(closed)
    const waiting = errorOf(clientOf(1).call('run', { terminalId: closed, command: 'echo no' }))
    await clientOf(2).call('close', { terminalIds: [closed] })
    // Or `session_not_found`, for a run after the close.
    expect(await waiting).toMatchObject({ code: expect.stringMatching(/^session_/) })
    expect(await cut).toMatchObject({ output: expect.not.stringContaining('is over') })
  })

  test('a person who takes over gets the terminal before waiting runs', async () => {
    const terminalId = await open()
    const { slow, finish } = slowCommand()
    const person = await instance.rpc({}, { isPerson: true, program: 'ada' })
    const first = errorOf(clientOf(0).call('run', { terminalId, command: `${slow}\necho no` }))
    await hasBegun(terminalId)
    const second = errorOf(clientOf(1).call('run', { terminalId, command: 'echo no' }))
    await person.call('take', { terminalId })
    expect(await second).toMatchObject({ code: 'person_types' })
    finish()
    expect(await first).toMatchObject({ code: 'person_types' })
    await person.call('release', { terminalId, mayType: 'both' })
    expect((await person.call('read', { terminalId })).output).not.toMatch(/^no$/m)
  })

  test('another agent’s input is not in the result, and the next line is not typed', async () => {
    const terminalId = await open()
    const { slow, finish } = slowCommand()
    const first = clientOf(0).call('run', { terminalId, command: `${slow}; sh -c "exit 4"\necho next` })
    await hasBegun(terminalId)
    await clientOf(1).call('send', { terminalId, text: 'echo of another; sh -c "exit 9"', waitFor: 'none' })
    finish()
    const ran = await first
    // The terminal may echo input typed ahead.
    expect(ran).toMatchObject({ output: expect.stringMatching(/^begun\n(.*\n)?slow is over$/), exitCode: 4 })
    expect(ran.output).not.toMatch(/^of another/m)
    expect(ran.note).toContain('Other input reached')
    expect(ran.note).toContain('"echo next"')
    await clientOf(0).call('wait', { terminalIds: [terminalId], waitFor: 'ready' })
  })

  test('a run inside a run’s command is refused immediately', async () => {
    const terminalId = await open()
    const inner = `${process.execPath} ${program} run --in ${terminalId} echo inner`
    const ran = await clientOf(0).call('run', { terminalId, command: inner })
    expect(ran.exitCode).toBeGreaterThan(0)
    expect(ran.output).toContain('from which this call may come')
  })
})
