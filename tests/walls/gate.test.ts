/** A gate behind walls: what is free meets the walls, and what a person allows is done outside. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { behindWalls, users } from '../harness/behind-walls.ts'
import { until } from '../harness/instance.ts'

describe.each(users)('as %s', (_name, userId) => {
  const walls = behindWalls(userId)
  const note = () => walls.write(join(walls.instance.user, 'notes/a'), 'kept\n')

  async function json(...words: readonly string[]) {
    const { stdout, stderr } = await walls.instance.cli(...words, '--json')
    expect(stderr).toBe('')
    return JSON.parse(stdout)
  }

  const approvals = async () => (await json('approvals')).approvals

  async function open(): Promise<string> {
    const words = ['--cwd', walls.workspace, '--sandbox', '--gate', 'ask', '--wait', 'ready']
    const { terminalId, gate } = await json('new', ...words)
    expect(gate).toMatchObject({ state: 'ask' })
    return terminalId
  }

  /** Returns what a command prints when the question about it has this answer. */
  async function play(command: string, answer: 'allow' | 'deny'): Promise<string> {
    const terminalId = await open()
    await walls.instance.cli('send', terminalId, `${command}; echo "code $?"`, '--timeout', '1')
    await until(async () => (await approvals()).length === 1)
    await json('approvals', 'answer', (await approvals())[0].approvalId, answer)
    let output = ''
    await until(async () => {
      output = (await json('read', terminalId)).output
      return /code \d/.test(output)
    })
    await json('close', terminalId)
    return output
  }

  // Without -f an ordinary user's rm looks whether the place is read-only, and gives up by itself.
  test('what a person allows is done outside the walls, and nothing else', async () => {
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

  test('what is free meets the walls without a question', async () => {
    const terminalId = await open()
    const command = 'echo x > own; rm own; echo x > /tmp/y; chmod 600 /tmp/y; mv /tmp/y /tmp/z; rm /tmp/z; echo 1'
    const { output } = await json('send', terminalId, `${command}; mkdir -p ~/.cache/c || echo 2`)
    expect(output).toMatch(/^1\n.*Read-only file system\n2/s)
    expect(await approvals()).toEqual([])
    await json('close', terminalId)
  })
})
