/** Closing: one terminal, several, all of the client's own, and none by mistake. */

import { expect, test } from 'vitest'
import { isAlive, processesWith, until } from '../harness/instance.ts'
import { errorOf, type Suite } from './suite.ts'

export function closing({ call, shell }: Suite): void {
  const openIds = async () => (await call('list', {})).terminals.map(({ terminalId }) => terminalId)

  test('a closed terminal is gone, with all its processes', async () => {
    const { terminalId, pid } = await shell()
    // The process number inside may differ from the one outside.
    const marker = `CLOSED_WITH=${pid}`
    await call('send', { terminalId, text: `${marker} nohup sleep 1000 > /dev/null 2>&1 & echo started` })
    await until(() => processesWith(marker).length > 0)
    expect(await call('close', { terminalId })).toEqual({ closed: [terminalId] })
    expect([isAlive(pid), processesWith(marker)]).toEqual([false, []])
    expect(await openIds()).toEqual([])
  })

  test('closing twice is an error the second time', async () => {
    const { terminalId } = await shell()
    await call('close', { terminalId })
    expect((await errorOf(call('close', { terminalId }))).code).toBe('session_not_found')
  })

  test('several terminals are closed together, by id or name', async () => {
    const one = await shell({ name: 'x' })
    const two = await shell()
    const three = await shell()
    const { closed } = await call('close', { terminalIds: ['x', two.terminalId] })
    expect(closed).toEqual([one.terminalId, two.terminalId])
    expect(await openIds()).toEqual([three.terminalId])
  })

  test('a mistyped id among them closes none of them', async () => {
    const { terminalId } = await shell()
    const error = await errorOf(call('close', { terminalIds: [terminalId, 'term-0'] }))
    expect(error.code).toBe('session_not_found')
    expect(await openIds()).toEqual([terminalId])
  })

  test('all closes those that this client opened', async () => {
    const made = [await shell(), await call('create', { command: 'exit 1', waitFor: 'exit' })]
    const { closed } = await call('close', { all: true })
    expect(closed).toEqual(made.map(({ terminalId }) => terminalId))
    expect(await openIds()).toEqual([])
    expect(await call('close', { all: true })).toEqual({ closed: [] })
  })

  test('the terminals to close must be named', async () => {
    const error = await errorOf(call('close', {}))
    expect(error.code).toBe('invalid_input')
    expect(error.message).toContain('all:true')
  })

  test('a wait in progress ends when its terminal is closed', async () => {
    const { terminalId } = await call('create', { command: ['cat'] })
    const waiting = call('read', { terminalId, waitFor: { text: 'never' } })
    await call('list', {})
    await call('close', { terminalId })
    expect(await waiting).toMatchObject({ outcome: 'exited', isActive: false })
  })
}
