/** Every error that names a next move names it by what the door that shows it has. */

import assert from 'node:assert/strict'
import { TermError } from '@agentpty/protocol'
import { errorInDoorWords, inDoorWords, toolsetNames } from '@agentpty/protocol/mcp'
import { doorWords, outputInDoorWords } from '@agentpty/protocol/testing'
import { describe, expect, test } from 'vitest'
import { Toolsets } from '../compose/mcp.ts'
import { everyHint } from './every-hint-fixture.ts'

const toolsets = new Toolsets()
const doors = toolsetNames.filter((name) => name !== 'terminal')

describe.each(doors)('the door %s', (door) => {
  test('has the tools, actions and parameters that its words name', async () => {
    const { tools } = await toolsets.of(door)
    const has = JSON.stringify(tools)
    for (const word of Object.values(doorWords[door]?.tools ?? {})) {
      const [name = ''] = word.split(' ')
      assert.ok(has.includes(`"${name}"`), name)
    }
  })

  test.each([...new Set(everyHint())])('shows no tool of ours: %s', async (hint) => {
    const own = (await toolsets.of(door)).tools.map(({ name }) => name)
    const shown = inDoorWords(door, hint)
    const named = shown.match(/\bterminal_[a-z_]+/g) ?? []
    expect(named.filter((name) => !own.includes(name))).toEqual([])
    if (door !== 'terminal-agent') expect(shown).not.toMatch(/terminalId/)
    expect(shown).not.toMatch(/clearLine|undefined/)
  })
})

test.each<[string, (typeof doors)[number], string, string]>([
  [
    'a key is pressed by keys',
    'tty-use',
    'or interrupt it with terminal_send_keys ["ctrl+c"].',
    'or interrupt it with keys ["ctrl+c"].',
  ],
  [
    'a key is pressed by stdin',
    'terminalcp',
    'Leave it with terminal_send_keys ["ctrl+d"].',
    'Leave it with stdin ["::C-d"].',
  ],
  [
    'a key is a line where no keys can be pressed',
    'deep-terminal',
    'Leave the pager with terminal_send_keys ["q"].',
    'Leave the pager with execute "q".',
  ],
  [
    'a program that needs keys is ended',
    'termtile',
    'or interrupt it with terminal_send_keys ["ctrl+c"].',
    'or interrupt it with kill_agent.',
  ],
  ['a person is asked without a tool', 'deep-terminal', 'Ask yours, with terminal_ask_person.', 'Ask yours.'],
  [
    'a fresh terminal is opened',
    'terminal-agent',
    'Leave out terminalId to run in a fresh terminal.',
    'Open another terminal with terminal_create.',
  ],
])('%s', (_what, door, hint, shown) => {
  expect(inDoorWords(door, hint)).toBe(shown)
})

test('an error about the input of a verb does not name the verb', () => {
  const error = new TermError('invalid_input', 'terminal_create: name: too long.', 'For example: {"cols":80}')
  const { message, hint } = errorInDoorWords('termtile', error)
  expect([message, hint]).toEqual(['name: too long.', ''])
})

test('the output of a cleared screen names the call of the door, and what a program says stays', () => {
  const line =
    '[... the screen was cleared here; 3 lines before it are left out: terminal_read {"since": 7, "raw": true}]'
  expect(outputInDoorWords('terminal-agent', `${line}\nterminal_read`)).toBe(`${line}\nterminal_read`)
  expect(outputInDoorWords('terminalcp', `${line}\nterminal_read`)).toBe(
    '[... the screen was cleared here; 3 lines before it are left out]\nterminal_read',
  )
})
