import { agentTypes, mark, openFakeSession, testTypist } from '@agentpty/engine/testing'
import { expect, test } from 'vitest'
import { InputOfOthers, isCommandOf } from './input-of-others.ts'

const typed = (text: string) => Buffer.from(text)

function openShell() {
  const { pty, session } = openFakeSession()
  pty.prints(`${mark.promptStart}$ ${mark.promptEnd}`)
  const typist = testTypist(session, false)
  return { pty, session, typist, others: new InputOfOthers(session, typist) }
}

test('input of others keeps a run from typing, and its own does not', async () => {
  const { session, typist, others } = openShell()
  await session.keyboard.write(typed('own'), typist)
  others.assertNone()
  await agentTypes(session, typed('other'))
  expect(() => others.assertNone()).toThrowError(/Other input reached term-1 .* Nothing was typed/)
})

test('input from before the newest prompt was drawn does not count', async () => {
  const { pty, session, others } = openShell()
  expect(others.mayBeAtPrompt).toBe(false)
  others.stop()
  await agentTypes(session, typed('date'))
  expect([others.hasCome, others.mayBeAtPrompt]).toEqual([false, true])
  pty.prints(`\r\n${mark.start}Friday\r\n${mark.end(0)}${mark.promptStart}$ ${mark.promptEnd}`)
  expect(others.mayBeAtPrompt).toBe(false)
})

test('reports of focus and mouse are no input', async () => {
  const { session, others } = openShell()
  await session.keyboard.write(typed('\x1b[I\x1b[<0;12;3M'), testTypist(session, true))
  expect(others.hasCome).toBe(false)
})

const lines: readonly (readonly [string, string, readonly string[], boolean])[] = [
  ['the line itself', 'make  all\r\n', ['make all'], true],
  ['a line with more before it', 'rm make\r\n', ['make'], false],
  ['a line with more behind it', 'make install\r\n', ['make'], false],
  [
    'several lines with prompts between them',
    'if true\r\n> then make\r\n> fi\r\n',
    ['if true', 'then make', 'fi'],
    true,
  ],
  ['other lines than these', 'while true\r\n> do make\r\n> done\r\n', ['if true', 'then make', 'fi'], false],
  ['nothing', '', ['make'], false],
]

test.each(lines)('a shell that shows %s', (_name, shown, wanted, isOwn) => {
  const { pty, session } = openShell()
  pty.prints(`${shown}${mark.start}built\r\n${mark.end(0)}`)
  const command = session.commands.last
  if (command === null) throw new Error('no command has ended')
  expect(isCommandOf(session, command, wanted)).toBe(isOwn)
})
