/** A gate behind walls: free calls meet the walls, and the calls that a person allows are made outside them. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { behindWalls, users } from '../harness/behind-walls.ts'

describe.each(users)('as %s', (_name, userId) => {
  const walls = behindWalls(userId)
  const note = () => walls.write(join(walls.instance.user, 'notes/a'), 'kept\n')

  async function open(): Promise<string> {
    const words = ['--cwd', walls.workspace, '--sandbox', '--gate', 'ask', '--wait', 'ready']
    const { terminalId, gate } = await walls.json('new', ...words)
    expect(gate).toMatchObject({ state: 'ask' })
    return terminalId
  }

  /** Returns what a command prints when the question about it has this answer. */
  async function play(command: string, answer: 'allow' | 'deny'): Promise<string> {
    return (await walls.answerGate(await open(), command, answer)).output
  }

  // Without -f an ordinary user's rm looks whether the place is read-only, and gives up by itself.
  test('a call that a person allows is made outside the walls, and no other', async () => {
    const path = note()
    expect(await play('rm -f ~/notes/a', 'deny')).toContain('code 1')
    expect(existsSync(path)).toBe(true)
    expect(await play('rm -f ~/notes/a', 'allow')).toContain('code 0')
    expect(existsSync(path)).toBe(false)
    note()
    const text = await play('echo new > ~/notes/a; echo more >> ~/notes/a; mkdir ~/made', 'allow')
    expect(text).toMatch(/made.*Read-only file system[\s\S]*code 1/)
    expect(readFileSync(path, 'utf8')).toBe('new\nmore\n')
  })

  test('a free call meets the walls without a question', async () => {
    const terminalId = await open()
    const command = 'echo x > own; rm own; echo x > /tmp/y; chmod 600 /tmp/y; mv /tmp/y /tmp/z; rm /tmp/z; echo 1'
    const { output } = await walls.json('send', terminalId, `${command}; mkdir -p ~/.cache/c || echo 2`)
    expect(output).toMatch(/^1\n.*Read-only file system\n2/s)
    expect(await walls.approvals()).toEqual([])
    await walls.json('close', terminalId)
  })
})
