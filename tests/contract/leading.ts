/** Programs in terminals that open others: their limits, their rights to end others, and their messages. */

import type { Client } from '@agentpty/protocol'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import { describe, expect, test } from 'vitest'
import { errorOf, type Suite } from './suite.ts'

type Terminal = Pick<VerbOutput<'create'>, 'terminalId' | 'pid'>

/** The same interface for a program in that terminal. */
export type Inside = (terminal: Terminal) => Promise<Pick<Client, 'call'>>

export function leading({ call }: Suite, inside: Inside, verbs: 'all' | 'tools'): void {
  const program = { command: ['sleep', '1000'], waitFor: 'none' as const }
  const isOpen = async ({ terminalId }: Terminal) =>
    (await call('list', {})).terminals.some((one) => one.terminalId === terminalId)

  describe('limits', () => {
    test('no more levels are opened below a terminal than its limit', async () => {
      const outer = await call('create', { ...program, limits: { depth: 1 } })
      const child = await (await inside(outer)).call('create', program)
      const { code, message, hint } = await errorOf((await inside(child)).call('create', program))
      expect(code).toBe('limit_reached')
      expect(message).toBe(
        `${child.terminalId} is 1 levels below ${outer.terminalId}, and the limit (agents.limits.depth) is 1: nothing was started.`,
      )
      expect(hint).toBe('Do it yourself, in this terminal.')
    })

    test('no more terminals are open at a time than the limit, and one more after one has closed', async () => {
      const outer = await call('create', { ...program, limits: { total: 1 } })
      const within = await inside(outer)
      const child = await within.call('create', program)
      const { code, message } = await errorOf(within.call('create', program))
      expect([code, message]).toEqual([
        'limit_reached',
        `1 terminals run below ${outer.terminalId}, and the limit (agents.limits.total) is 1: nothing was started.`,
      ])
      await within.call('close', { terminalId: child.terminalId })
      expect(await isOpen(await within.call('create', program))).toBe(true)
    })
  })

  describe('subtrees', () => {
    test('are ended as a whole from above, and never from below', async () => {
      const outer = await call('create', program)
      const child = await (await inside(outer)).call('create', program)
      const below = await (await inside(child)).call('create', program)
      const refused = (await inside(below)).call('close', { terminalId: outer.terminalId, below: true })
      expect((await errorOf(refused)).code).toBe('own_terminal')
      expect(await Promise.all([outer, child, below].map(isOpen))).toEqual([true, true, true])
      await call('close', { terminalId: outer.terminalId, below: true })
      expect(await Promise.all([outer, child, below].map(isOpen))).toEqual([false, false, false])
    })
  })

  if (verbs === 'tools') return
  describe('messages', () => {
    test('wait in an inbox and are taken once', async () => {
      const receiver = await call('create', program)
      const sent = await call('sendMessage', { terminalId: receiver.terminalId, text: 'the tests are green' })
      expect(sent).toMatchObject({ terminalId: receiver.terminalId, state: 'waiting' })
      const own = await inside(receiver)
      const { messages } = await own.call('inbox', { take: 'all' })
      expect(messages).toMatchObject([{ messageId: sent.messageId, text: 'the tests are green', state: 'taken' }])
      expect((await own.call('inbox', { take: 'all' })).messages).toEqual([])
      expect((await call('sentMessages', {})).messages).toMatchObject([{ messageId: sent.messageId, state: 'taken' }])
    })

    test('need a reader: a caller outside of terminals has no inbox', async () => {
      expect((await errorOf(call('inbox', { take: 'all' }))).message).toContain('you have no inbox')
    })
  })
}
