import { encodeText, textOptions } from '@agentpty/engine/keys'
import type { Session } from '@agentpty/engine/session'
import { expect, test } from 'vitest'
import { typedBy } from './typing.ts'

test.each([
  ['a line', 'ls -la', false],
  ['lines into a program that knows pastes', 'a\nb', true],
  ['half a character', 'echo \ud83d x', false],
  ['a whole one', 'echo \u{1f600}', false],
  ['a tab', "echo 'a\tb'", false],
])('what is judged of %s is what its bytes say', (_name, text, bracketedPaste) => {
  const atPrompt = { info: { shell: '/bin/bash' }, commands: { atPrompt: true } }
  const session = { modes: { bracketedPaste }, ...atPrompt } as unknown as Session
  const { body, enter } = encodeText(text, textOptions(session, true))
  const bytes = Buffer.concat([body, enter ?? Buffer.of()])
  expect(typedBy('send', { text, newline: true }, session)).toBe(bytes.toString('utf8'))
})
