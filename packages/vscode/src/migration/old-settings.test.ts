import { configDefaults } from '@agentpty/protocol/home'
import { expect, test } from 'vitest'
import { type Carried, carriedBy, type OldSettings, portWords } from './old-settings.ts'

const nothingSet = Object.keys(configDefaults).map((key) => ({ key: key as 'httpPort', origin: 'default' }))

test.each<[OldSettings, Carried['env']]>([
  [{}, {}],
  [{ port: 17_600 }, { AGENTPTY_HTTP_PORT: '17600' }],
  [{ autoRegister: false }, { AGENTPTY_PORT_FILE: 'false' }],
  [{ maxBufferSize: 2_000_000 }, { AGENTPTY_LOG_BYTES: '2000000' }],
  [{ maxBufferSize: 1_000 }, { AGENTPTY_LOG_BYTES: '65536' }],
  [{ port: 'many', maxBufferSize: -1 }, {}],
  [{ port: 70_000 }, {}],
  [{ logLevel: 'debug' }, {}],
])('%j is carried as %j', (set, env) => expect(carriedBy(set, nothingSet).env).toEqual(env))

test('what config.yaml says goes before, and that is told', () => {
  const known = [{ key: 'httpPort' as const, origin: '/home/ada/config.yaml:3' }]
  expect(carriedBy({ port: 17_600 }, known)).toEqual({
    env: {},
    notes: ['terminalAgent.port counts for nothing: httpPort stands in /home/ada/config.yaml:3.'],
  })
})

test.each<[OldSettings, RegExp]>([
  [{ port: 'x' }, /is no port: "x"/],
  [{ maxBufferSize: 1_000 }, /is taken as 65536 bytes/],
  [{ maxBufferSize: 'x' }, /is no number of bytes/],
  [{ logLevel: 'debug' }, /changes nothing/],
])('%j, of which not all is carried, is told', (set, words) =>
  expect(carriedBy(set, nothingSet).notes.join()).toMatch(words),
)

test('a server at another port than was asked for is told with what to do', () => {
  expect(portWords({ port: 17_600 }, 'http://127.0.0.1:17580')).toContain('httpPort: 17600')
  expect(portWords({ port: 17_580 }, 'http://127.0.0.1:17580')).toBeNull()
  expect(portWords({}, 'http://127.0.0.1:17580')).toBeNull()
})
