import { expect, test } from 'vitest'
import { loginShellsIn } from './login-shells.ts'

test('the shells of a machine are those of its list, without comments and multiplexers', () => {
  const text = '# valid login shells\n/bin/sh\n/usr/bin/sh\n/bin/sash\n/usr/bin/tmux\n\n'
  expect([...loginShellsIn(text)]).toEqual(['sh', 'sash'])
})
