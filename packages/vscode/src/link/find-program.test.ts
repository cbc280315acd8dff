import { expect, test } from 'vitest'
import { findProgram } from './find-program.ts'

const places = { configured: '', path: '/usr/bin:/opt/bin', home: '/home/ada' }
const only =
  (...there: readonly string[]) =>
  (file: string) =>
    there.includes(file)

test.each([
  ['in the PATH, the first one', places, only('/opt/bin/agentpty', '/usr/bin/agentpty'), '/usr/bin/agentpty'],
  [
    'where npm installs it without root rights',
    places,
    only('/home/ada/.npm-global/bin/agentpty'),
    '/home/ada/.npm-global/bin/agentpty',
  ],
  [
    'where the setting says',
    { ...places, configured: '/x/agentpty' },
    only('/x/agentpty', '/usr/bin/agentpty'),
    '/x/agentpty',
  ],
  ['nowhere else if the setting is wrong', { ...places, configured: '/x' }, only('/usr/bin/agentpty'), null],
  ['nowhere', places, only(), null],
])('the program is found %s', (_, where, canRun, found) => {
  expect(findProgram(where, canRun)).toBe(found)
})
