import { configDefaults } from '@agentpty/protocol/home'
import { expect, test } from 'vitest'
import { type AppliedSettings, applySettings, type OldSettings, portWords } from './old-settings.ts'

const nothingSet = Object.keys(configDefaults).map((key) => ({ key: key as 'httpPort', origin: 'default' }))

test.each<[OldSettings, AppliedSettings['env']]>([
  [{}, {}],
  [{ port: 17_600 }, { AGENTPTY_HTTP_PORT: '17600' }],
  [{ autoRegister: false }, { AGENTPTY_PORT_FILE: 'false' }],
  [{ maxBufferSize: 2_000_000 }, { AGENTPTY_LOG_BYTES: '2000000' }],
  [{ maxBufferSize: 1_000 }, { AGENTPTY_LOG_BYTES: '65536' }],
  [{ port: 'many', maxBufferSize: -1 }, {}],
  [{ port: 70_000 }, {}],
  [{ logLevel: 'debug' }, {}],
])('%j is applied as %j', (set, env) => expect(applySettings(set, nothingSet).env).toEqual(env))

test('config.yaml takes precedence, and a note reports it', () => {
  const known = [{ key: 'httpPort' as const, origin: '/home/ada/config.yaml:3' }]
  expect(applySettings({ port: 17_600 }, known)).toEqual({
    env: {},
    notes: ['terminalAgent.port has no effect: httpPort is set in /home/ada/config.yaml:3.'],
  })
})

test.each<[OldSettings, RegExp]>([
  [{ port: 'x' }, /is not a port: "x"/],
  [{ maxBufferSize: 1_000 }, /is taken as 65536 bytes/],
  [{ maxBufferSize: 'x' }, /is not a number of bytes/],
  [{ logLevel: 'debug' }, /changes nothing/],
])('%j, which is applied only in part, is reported', (set, words) =>
  expect(applySettings(set, nothingSet).notes.join()).toMatch(words),
)

test('a server at another port than the configured one is reported with the next step', () => {
  expect(portWords({ port: 17_600 }, 'http://127.0.0.1:17580')).toContain('httpPort: 17600')
  expect(portWords({ port: 17_580 }, 'http://127.0.0.1:17580')).toBeNull()
  expect(portWords({}, 'http://127.0.0.1:17580')).toBeNull()
})
