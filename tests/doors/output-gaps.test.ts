/** Output whose beginning is evicted, or that is not UTF-8: each door reports it in its own style. */

import assert from 'node:assert/strict'
import type { Client } from '@modelcontextprotocol/client'
import { beforeAll, describe, expect, test } from 'vitest'
import { until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'
import { callForText } from './text-door.ts'

const logBytes = 262_144
/** Prints 688,895 bytes on a terminal. */
const flood = 'seq 1 100000'
const floodBytes = 688_895
/** Prints two letters in Latin-1, and U+FFFD itself. */
const latin1 = "printf 'caf\\351 na\\357ve \\357\\277\\275\\n'"
const shownLatin1 = 'caf\ufffd na\ufffdve \ufffd'

const instance = scratchInstance({ AGENTPTY_LOG_BYTES: String(logBytes) })

describe('terminal-agent', () => {
  let client: Client
  let terminalId = ''

  beforeAll(async () => {
    client = await instance.door('terminal-agent')
    terminalId = String((await call('terminal_create', { shell: '/bin/bash' }))['terminalId'])
  })

  async function call(name: string, input: object) {
    const { text, isError } = await callForText(client, name, input)
    assert.equal(isError, false, text)
    return JSON.parse(text) as Readonly<Record<string, unknown>>
  }

  test('bytes that are not UTF-8 are counted where they are shown', async () => {
    const text = `clear; ${latin1}; echo do''ne`
    const sent = await call('terminal_send', { terminalId, text, waitForString: 'done' })
    expect(sent).toMatchObject({ output: expect.stringContaining(shownLatin1), invalidBytes: 2 })
    expect(await call('terminal_read', { terminalId, raw: true })).toMatchObject({ invalidBytes: 2 })
    expect(await call('terminal_read', { terminalId, since: sent['cursor'] })).not.toHaveProperty('invalidBytes')
  })

  test('a read without a cursor, and one from the beginning, report the missing amount', async () => {
    const sent = await call('terminal_send', {
      terminalId,
      text: `${flood}; echo do''ne`,
      waitForString: 'done',
    })
    expect(Number(sent['missedBytes'])).toBeGreaterThan(floodBytes - logBytes)
    const missedBytes = expect.any(Number)
    const read = await call('terminal_read', { terminalId })
    expect(read).toMatchObject({ missedBytes, output: expect.stringContaining('\n100000\n') })
    expect(read).toMatchObject({ missedBytes: Number(read['cursor']) - logBytes })
    expect(await call('terminal_read', { terminalId, since: 0 })).toMatchObject({ missedBytes })
    expect(await call('terminal_read', { terminalId, since: read['cursor'] })).not.toHaveProperty('missedBytes')
  })
})

describe('deep-terminal', () => {
  let client: Client
  const sessionId = 'gaps'

  beforeAll(async () => {
    client = await instance.door('deep-terminal')
    await act({ action: 'start' })
  })

  async function act(input: object): Promise<string> {
    const { text, isError } = await callForText(client, 'deep_terminal', { sessionId, ...input })
    assert.equal(isError, false, text)
    return text
  }

  async function sendAndWait(command: string) {
    const { text } = await callForText(client, 'sendCommandAndWait', { sessionId, command })
    return JSON.parse(text) as Readonly<Record<string, unknown>>
  }

  test('execute and read report it above the output, and sendCommandAndWait in fields', async () => {
    const invalid = '[2 bytes are not UTF-8 and shown as U+FFFD]\n'
    expect(await act({ action: 'execute', command: latin1, waitMs: 5_000 })).toContain(
      `Output:\n${invalid}${shownLatin1}\nExit Code: 0`,
    )
    expect(await act({ action: 'read' })).toMatch(new RegExp(`^\\[2 bytes .*\\]\\n(.*\\n)*${shownLatin1}`))
    expect(await sendAndWait(latin1)).toMatchObject({ output: shownLatin1, invalidBytes: 2 })
    expect(await sendAndWait('echo é')).toEqual({ output: 'é', exitCode: 0, success: true })
  })

  test('a command whose first output is evicted reports the amount, in each way to run it', async () => {
    expect(await sendAndWait(flood)).toMatchObject({ exitCode: 0, missedBytes: expect.any(Number) })
    const text = await act({ action: 'execute', command: flood, waitMs: 20_000 })
    const [, missed] = /Output:\n\[(\d+) earlier bytes are no longer kept\]\n\d/.exec(text) ?? []
    expect(Number(missed)).toBeGreaterThanOrEqual(floodBytes - logBytes)
  })
})

describe('tty-use', () => {
  test('a step reports it above the output and in its info', async () => {
    const client = await instance.door('tty-use')
    const step = async (input: string) => {
      const { structuredContent, content } = await client.callTool({ name: 'tty_use', arguments: { input } })
      const [first] = content as readonly { readonly text: string }[]
      return { ...(structuredContent as { readonly output: string; readonly info: object }), text: first?.text ?? '' }
    }
    const invalid = await step(latin1)
    expect(invalid).toMatchObject({ info: { invalidBytes: 2 }, output: expect.stringContaining(shownLatin1) })
    expect(invalid.text).toBe(`[2 bytes are not UTF-8 and shown as U+FFFD]\n${invalid.output}`)
    const flooded = await step(flood)
    expect(flooded).toMatchObject({ info: { missedBytes: expect.any(Number) } })
    expect(flooded.text).toMatch(/^\[\d+ earlier bytes are no longer kept\]\n/)
    expect((await step('echo é')).info).not.toHaveProperty('missedBytes')
  })
})

describe('terminalcp', () => {
  test('a stream reports it above the output', async () => {
    const client = await instance.door('terminalcp')
    const act = async (args: object) =>
      (await callForText(client, 'terminalcp', { args: { id: 'gaps', ...args } })).text
    const command = `${latin1}; read line; ${flood}; read line`
    await act({ action: 'start', name: 'gaps', command })
    const stream = { action: 'stream', since_last: true }
    let text = ''
    await until(async () => {
      text += await act(stream)
      return text.includes('ve')
    })
    expect(text).toContain(`[2 bytes are not UTF-8 and shown as U+FFFD]\n${shownLatin1}`)
    await act({ action: 'stdin', data: '\r' })
    await until(async () => (await act({ action: 'stdout' })).includes('\n100000'))
    expect(await act({ action: 'stream' })).toMatch(/^\[\d+ bytes are no longer kept\]\n/)
  })
})

describe('the command line', () => {
  test('standard error reports it, and standard output has only the text', async () => {
    const complaint = 'agentpty: 2 bytes are not UTF-8 and shown as U+FFFD.\n'
    expect(await instance.cli('run', latin1)).toEqual({ code: 0, stdout: `${shownLatin1}\n`, stderr: complaint })
    const { terminalId } = JSON.parse((await instance.cli('new', '--json', '--', 'sh', '-c', latin1)).stdout)
    expect(await instance.cli('read', terminalId)).toMatchObject({ stdout: `${shownLatin1}\n`, stderr: complaint })
    expect(await instance.cli('read', terminalId, '--raw')).toMatchObject({ stderr: complaint })
    const { stdout, stderr } = await instance.cli('recording', terminalId)
    expect([stdout.includes(shownLatin1), stderr]).toEqual([true, complaint])
    const exported = await instance.cli('export', terminalId, '--format', 'txt')
    expect(exported.stderr).toBe(complaint)
  })

  test('a read of all output reports how much of its beginning is missing', async () => {
    const { terminalId } = JSON.parse((await instance.cli('new', '--json', 'exec seq 1 100000')).stdout)
    await instance.cli('wait', terminalId, '--for', 'exit')
    const { stdout, stderr } = await instance.cli('read', terminalId)
    expect(stdout.endsWith('\n100000\n')).toBe(true)
    expect(stderr).toBe(`agentpty: ${floodBytes - logBytes} earlier bytes are no longer kept.\n`)
  })
})
