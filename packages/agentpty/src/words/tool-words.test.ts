/** Every error that names a next move names it in the words of the face that shows it. */

import assert from 'node:assert/strict'
import { TermError } from '@agentpty/protocol'
import { errorInWordsOf, faceWords, inWordsOf } from '@agentpty/protocol/call'
import { verbs } from '@agentpty/protocol/verbs'
import { describe, expect, test } from 'vitest'
import { commands } from '../compose/commands.ts'
import { Session } from '../library/session.ts'
import { Terminals } from '../library/terminals.ts'
import { everyHint } from './every-hint-fixture.ts'

test('every tool has a name for each face', () => {
  const tools = Object.values(verbs).flatMap(({ tool }) => tool ?? [])
  expect(Object.keys(faceWords)).toEqual(expect.arrayContaining(tools))
})

test('every replacement names a command or a method', () => {
  for (const { cli, library } of Object.values(faceWords)) {
    assert.ok(
      Object.keys(commands).some((name) => cli === `agentpty ${name}`),
      cli,
    )
    const [, owner, method = ''] = /^(?:(session|terminals)\.)?(\w+)\(\)$/.exec(library) ?? []
    const prototype =
      owner === undefined ? { openSession: true } : owner === 'session' ? Session.prototype : Terminals.prototype
    assert.ok(method in prototype, library)
  }
})

test('the product has hints that name tools', () => {
  expect(everyHint().length).toBeGreaterThan(10)
})

describe.each(['cli', 'library'] as const)('for the %s', (face) => {
  test.each([...new Set(everyHint())])('%s', (hint) => {
    expect(inWordsOf(face, hint)).not.toMatch(/terminal_|terminalId/)
  })
})

test.each<[string, string, string, string, string]>([
  [
    'errors of a call are in the words of the command line',
    'terminal_create: cols: Too big; waitFor: no such',
    'For example: {"cols":80}',
    'agentpty new: size: Too big; --wait: no such',
    'See: agentpty new --help',
  ],
  [
    'also where there is no tool',
    'rename: name: no',
    'For example: {}',
    'agentpty rename: NAME: no',
    'See: agentpty rename --help',
  ],
  [
    'keys are pressed by their command',
    'Busy.',
    'interrupt it with terminal_send_keys ["ctrl+c"].',
    'Busy.',
    'interrupt it with agentpty keys ID ctrl+c.',
  ],
  ['what a program said stays', 'It printed rename: x', '', 'It printed rename: x', ''],
])('%s', (_what, message, hint, wantMessage, wantHint) => {
  const translated = errorInWordsOf('cli', new TermError('invalid_input', message, hint))
  expect([translated.message, translated.hint]).toEqual([wantMessage, wantHint])
})
