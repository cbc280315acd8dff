/** Terminals opened over HTTP start in the folder that the client has open. */

import assert from 'node:assert/strict'
import { realpathSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Era } from '../harness/instance.ts'
import { scratchFolder, scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()
const folder = realpathSync(scratchFolder())

const here = pathToFileURL(folder).href

async function clientIn(era: Era, roots: () => readonly string[], query = '') {
  const caller = await instance.http(era, query, { roots: {} })
  caller.protocol.setRequestHandler('roots/list', () => ({ roots: roots().map((uri) => ({ uri })) }))
  return caller
}

describe.each(['new', 'old'] as const)('in the %s era', (era) => {
  test.each<[string, () => readonly string[], () => string]>([
    ['the folder it names', () => [here], () => folder],
    ['the first that is there', () => ['file:///gone', 'file://elsewhere/x', here], () => folder],
    ['home, when it names none', () => [], () => instance.user],
    ['home, when it names only others', () => ['file:///etc/passwd'], () => instance.user],
  ])('a client’s terminals open in %s', async (_where, roots, want) => {
    const caller = await clientIn(era, roots)
    assert.equal((await caller.call('create', { command: 'cat' })).cwd, want())
    expect((await caller.call('run', { command: 'pwd' })).output).toBe(want())
  })

  test('a folder in the call takes precedence, and an existing terminal keeps its own', async () => {
    const caller = await clientIn(era, () => [here])
    assert.equal((await caller.call('create', { command: 'cat', cwd: '/usr' })).cwd, '/usr')
    const { terminalId } = await caller.call('create', { cwd: '/usr' })
    expect((await caller.call('run', { terminalId, command: 'pwd' })).output).toBe('/usr')
  })

  test('a client that does not answer has its terminal at home', async () => {
    const caller = await clientIn(era, () => {
      throw new Error('no roots today')
    })
    const created = caller.call('create', { command: 'cat' })
    // In the new era its own library gives up.
    if (era === 'new') await expect(created).rejects.toThrow('no roots today')
    else assert.equal((await created).cwd, instance.user)
  })
})

test('terminals of terminal-agent’s tools open there, too', async () => {
  const { protocol } = await clientIn('old', () => [here], '?toolset=terminal-agent')
  const created = await protocol.callTool({ name: 'terminal_create', arguments: { name: 'there' } })
  const [, terminalId] = /(term-\d+)/.exec(JSON.stringify(created)) ?? []
  const sent = await protocol.callTool({
    name: 'terminal_send',
    arguments: { terminalId, text: 'pwd', waitForString: folder },
  })
  expect(JSON.stringify(sent)).toContain(folder)
})
