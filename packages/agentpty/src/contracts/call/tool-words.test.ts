/** Every error that names a next move names it in the words of the face that shows it. */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commands } from '../../compose/commands.ts'
import { Session } from '../../faces/library/session.ts'
import { Terminals } from '../../faces/library/terminals.ts'
import { TermError } from '../errors.ts'
import { verbs } from '../verbs/index.ts'
import { errorInWordsOf, faceWords, inWordsOf } from './tool-words.ts'

const source = join(import.meta.dirname, '../..')

/** Texts of the product that may be shown by any face: those of the rooms below faces, and of the way to the daemon. */
function hints(): readonly string[] {
  // Except that one, which is of the daemon's own protocol.
  const isProtocol = (file: string) => file === 'contracts/session/events.ts'
  const rooms = ['contracts', 'engine', 'home', 'features', 'faces/wire', 'faces/daemon', 'faces/library']
  return (
    rooms
      .flatMap((room) =>
        readdirSync(join(source, room), { recursive: true, encoding: 'utf8' }).map((file) => join(room, file)),
      )
      .filter(
        (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/^contracts\/verbs\/|tool-words/.test(file),
      )
      .filter((file) => !isProtocol(file))
      // Each literal is taken as a whole, so that the end of one is not the beginning of the next.
      .flatMap((file) => readFileSync(join(source, file), 'utf8').match(/(['`"])(?:(?!\1)[^\\\n]|\\.)*\1/g) ?? [])
      .filter((text) => /terminal(?:_[a-z]|Id\b)/.test(text))
      .filter((text) => text.includes(' ') && !text.includes('${terminalId}'))
      .map((text) => text.slice(1, -1))
  )
}

test('every tool has its words', () => {
  const tools = Object.values(verbs).flatMap(({ tool }) => tool ?? [])
  expect(Object.keys(faceWords)).toEqual(expect.arrayContaining(tools))
})

test('every word is a command, or a method', () => {
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

test('there are hints to put into other words', () => {
  expect(hints().length).toBeGreaterThan(10)
})

describe.each(['cli', 'library'] as const)('for the %s', (face) => {
  test.each([...new Set(hints())])('%s', (hint) => {
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
