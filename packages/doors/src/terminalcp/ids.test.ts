import assert from 'node:assert/strict'
import { TerminalName } from '@agentpty/protocol/call'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sessionIdOf, terminalOf } from './ids.ts'

test.each([
  ['an id that can be a name is one', 'dev_server-1.2', 'dev_server-1.2'],
  ['blanks and slashes are written as bytes', 'my server/1', 'tcp.my_20server_2f1'],
  ['so are other letters', 'süß', 'tcp.s_c3_bc_c3_9f'],
  ['a name that looks written is written again', 'tcp.a_20b', 'tcp.tcp.a_5f20b'],
])('%s', (_what, id, name) => {
  expect([terminalOf(id), sessionIdOf(name)]).toEqual([name, id])
})

test('every id has a name, and is decoded from it unless it is very long', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }), (id) => {
      const name = terminalOf(id)
      assert.ok(TerminalName.safeParse(name).success, name)
      if (/^tcp\.-[0-9a-f]{40}$/.test(name)) assert.equal(terminalOf(name), name)
      else assert.equal(sessionIdOf(name), id)
    }),
  )
})
