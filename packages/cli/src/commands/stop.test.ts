import { type Client, TermError } from '@agentpty/protocol'
import { FakeClock } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import type { CliOptions } from '../command.ts'
import { stopDaemon } from './stop.ts'

/** Each daemon in turn that a connection reaches: how it answers to `stop`. */
async function stopOf(answers: readonly ('answers' | 'is gone' | 'refuses' | 'goes on')[], all: boolean) {
  const clock = new FakeClock()
  const asked: unknown[] = []
  let printed = ''
  const connect = async () => {
    const answer = answers[asked.length]
    if (answer === undefined) throw new TermError('no_daemon', 'No agentpty daemon is running.', '')
    const stop = async (how: unknown) => {
      asked.push(how)
      if (answer === 'is gone') throw new TermError('daemon_gone', 'The agentpty daemon ended during the call.', '')
      if (answer === 'refuses') throw new TermError('denied', 'No.', '')
    }
    const status = async () => {
      if (answer !== 'goes on') throw new TermError('daemon_gone', 'The agentpty daemon has ended.', '')
      setImmediate(() => clock.advance(10_000))
      return { daemon: { pid: 17 } }
    }
    return { control: { status, stop }, close: async () => undefined } as unknown as Client
  }
  const print = (text: string | Uint8Array): void => {
    printed += text.toString()
  }
  const options = { clock, connect, ownTerminalId: null, print }
  const call = { options: options as Partial<CliOptions> as CliOptions, words: [], flags: { all }, json: false }
  const code = await stopDaemon.run(call)
  return { code, printed, asked: asked.length }
}

test('a daemon that ends before it has answered has ended, and its terminals are closed by the next', async () => {
  expect(await stopOf(['is gone'], false)).toMatchObject({ code: 0, asked: 1 })
  const closed = { code: 0, printed: 'Everything is closed.\n', asked: 2 }
  expect(await stopOf(['is gone', 'answers'], true)).toEqual(closed)
})

test('stop fails when every daemon ends without an answer, and when one refuses', async () => {
  await expect(stopOf(['is gone', 'is gone', 'is gone', 'answers'], true)).rejects.toThrow('ended during the call')
  await expect(stopOf(['refuses'], true)).rejects.toThrow('No.')
})

test('without a daemon, stop reports that none was running', async () => {
  expect(await stopOf([], false)).toEqual({ code: 0, printed: 'No daemon was running.\n', asked: 0 })
})

test('a daemon that agrees to end and goes on is named', async () => {
  await expect(stopOf(['goes on'], false)).rejects.toThrow('(pid 17) has agreed to end, and still runs after 30 s.')
})
