import { expect, test } from 'vitest'
import { encodeText } from '../../engine/keys/encode-text.ts'
import type { Session } from '../../engine/session/session.ts'
import { typedBy } from './typing.ts'

test.each([
  ['a line', 'ls -la', false],
  ['lines into a program that knows pastes', 'a\nb', true],
  ['half a character', 'echo \ud83d x', false],
  ['a whole one', 'echo \u{1f600}', false],
])('what is judged of %s is what its bytes say', (_name, text, bracketedPaste) => {
  const session = { modes: { bracketedPaste } } as unknown as Session
  const { body, enter } = encodeText(text, { bracketedPaste, submit: true })
  const bytes = Buffer.concat([body, enter ?? Buffer.of()])
  expect(typedBy('send', { text, newline: true }, session)).toBe(bytes.toString('utf8'))
})
