/** Turns, programs and their ends are seen inside a sandbox as outside, for root and for an ordinary user. */

import { join } from 'node:path'
import type { Sandbox } from '@agentpty/protocol/sandbox'
import type { VerbInput } from '@agentpty/protocol/verbs'
import { beforeAll, describe, expect, test } from 'vitest'
import { behindWalls, users } from '../harness/behind-walls.ts'

interface Seen {
  readonly state: string
  readonly kind?: string | undefined
  readonly confidence?: string | undefined
}

const verdict = ({ state, kind, confidence }: Seen): Seen => ({ state, kind, confidence })

describe.each(users)('as %s', (_name, userId) => {
  const walls = behindWalls(userId)
  beforeAll(async () => {
    walls.write(join(walls.workspace, 'long'), Array.from({ length: 300 }, (_, row) => `line ${row}\n`).join(''))
  })

  /** The verdicts of a program at its start, and after each of these inputs. */
  async function verdictsOf(start: VerbInput<'create'>, inputs: readonly string[], sandbox: Sandbox): Promise<Seen[]> {
    const opened = await walls.client.call('create', { cwd: walls.workspace, ...start, sandbox })
    const { terminalId } = opened
    const seen = [verdict(opened)]
    for (const text of inputs)
      seen.push(verdict(await walls.client.call('send', { terminalId, text, newline: /\w/.test(text) })))
    await walls.client.call('close', { terminalId })
    return seen
  }

  test.each<[string, VerbInput<'create'>, string[]]>([
    [
      'bash',
      { shell: 'bash' },
      ['echo one', 'cat', 'text', '\x04', 'read -s -p "Password: " x', 'secret', 'read -n1 -p "[y/n] " x'],
    ],
    ['python', { command: ['python3', '-q'] }, ['6 * 7', 'for i in range(2):', 'input("Name: ")', 'Ada']],
    ['vim', { command: ['vim', '-u', 'NONE', '-i', 'NONE', '-n', 'long'] }, ['G', ':', '\x1b']],
    ['less', { command: ['less', 'long'] }, [' ', 'h']],
  ])('%s', async (_program, start, inputs) => {
    const outside = await verdictsOf(start, inputs, false)
    const inside = await verdictsOf(start, inputs, true)
    expect(inside).toEqual(outside)
  })

  test('a shell’s line runs in the foreground of its terminal: keys stop, continue and interrupt it', async () => {
    const { terminalId } = await walls.client.call('create', { shell: 'bash', cwd: walls.workspace, sandbox: true })
    const press = (key: string) => walls.client.call('sendKeys', { terminalId, keys: [key] })
    await walls.client.call('send', {
      terminalId,
      text: 'sh -c "echo up; exec sleep 1000"',
      waitFor: { pattern: '^up' },
    })
    expect(await press('ctrl+z')).toMatchObject({ state: 'ready', kind: 'shell', exitCode: 148 })
    await walls.client.call('send', { terminalId, text: 'fg', waitFor: 'none' })
    await walls.client.call('read', { terminalId, waitFor: { text: 'sleep 1000' } })
    expect(await press('ctrl+c')).toMatchObject({ state: 'ready', kind: 'shell', exitCode: 130 })
    await walls.client.call('close', { terminalId })
  })

  test.each<[string, Sandbox]>([
    ['without walls', false],
    ['behind walls', true],
  ])('a computing program is busy %s, and is interrupted', async (_where, sandbox) => {
    const env = { ATTACK: JSON.stringify(['spin']) }
    const { terminalId } = await walls.client.call('create', { shell: 'bash', cwd: walls.workspace, env, sandbox })
    await walls.client.call('send', { terminalId, text: 'python3 attack.py', waitFor: { text: 'spinning' } })
    const { terminals } = await walls.client.call('list', {})
    expect(terminals.find((one) => one.terminalId === terminalId)).toMatchObject({ state: 'busy' })
    const ended = await walls.client.call('sendKeys', { terminalId, keys: ['ctrl+c'] })
    expect(ended).toMatchObject({ state: 'ready', kind: 'shell', exitCode: 130 })
    await walls.client.call('close', { terminalId })
  })

  test('a program without a shell is interrupted by its key, and ends by the signal', async () => {
    const { terminalId } = await walls.client.call('create', { command: ['cat'], cwd: walls.workspace, sandbox: true })
    const ended = await walls.client.call('sendKeys', { terminalId, keys: ['ctrl+c'], waitFor: 'exit' })
    expect(ended).toMatchObject({ state: 'exited', signal: 'SIGINT' })
  })

  test('a program asked to end has its time to do so', async () => {
    const trap = 'trap "echo saved > saved; exit 0" HUP; echo up; while :; do read -t 100 x; done'
    const { terminalId } = await walls.client.call('create', {
      command: ['bash', '-c', trap],
      cwd: walls.workspace,
      sandbox: true,
      waitFor: { text: 'up' },
    })
    await walls.client.call('close', { terminalId })
    expect(await walls.attack(['read', join(walls.workspace, 'saved')], true)).toContain('saved')
  })
})
