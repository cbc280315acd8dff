import { describe, expect, test } from 'vitest'
import { isTermError } from '../errors.ts'
import { configDefaults, configJsonSchema, configKeys, explainConfig, readConfig } from './config.ts'
import { gymIn, notifyIn, recordingIn } from './config-sections.ts'

const file = (text: string) => ({ path: '/home/config.yaml', text })
const config = (text: string, env: Record<string, string> = {}) => readConfig(env, file(text))

test('without anything, all is as it comes', () => {
  expect(readConfig({}, null)).toEqual(configDefaults)
  expect(config('')).toEqual(configDefaults)
  expect(config('# only a comment\n')).toEqual(configDefaults)
})

test('the file goes before the default, and the environment before the file', () => {
  const text = 'rows: 50\ncols: 200\nshell: /bin/zsh\n'
  expect(config(text)).toMatchObject({ rows: 50, cols: 200, shell: '/bin/zsh' })
  expect(config(text, { AGENTPTY_ROWS: '10', AGENTPTY_LOG_BYTES: '' })).toMatchObject({ rows: 10, cols: 200 })
})

test('booleans may be set by a variable too', () => {
  expect(config('portFile: true\n', { AGENTPTY_PORT_FILE: 'false' })).toMatchObject({ portFile: false })
  expect(config('', { AGENTPTY_PORT_FILE: 'true' })).toMatchObject({ portFile: true })
  expect(config('portFile: true\n', { AGENTPTY_PORT_FILE: 'null' })).toMatchObject({ portFile: null })
  expect(() => config('', { AGENTPTY_PORT_FILE: 'yes' })).toThrow('AGENTPTY_PORT_FILE')
})

test('the time after the end of a client is set by the file, or by a variable, and is at least a minute', () => {
  expect(config('endedClientKeptMs: 86400000\n')).toMatchObject({ endedClientKeptMs: 86_400_000 })
  expect(config('', { AGENTPTY_ENDED_CLIENT_KEPT_MS: '3600000' })).toMatchObject({ endedClientKeptMs: 3_600_000 })
  expect(() => config('endedClientKeptMs: 10\n')).toThrow('endedClientKeptMs')
})

test('the source of each value is returned', () => {
  const settings = explainConfig({ AGENTPTY_ROWS: '10' }, file('\n\ncols: 200\n'))
  expect(settings.map(({ key, origin }) => [key, origin])).toEqual([
    ['logBytes', 'default'],
    ['logBytesTotal', 'default'],
    ['sessionsMax', 'default'],
    ['exitedKeptMs', 'default'],
    ['endedClientKeptMs', 'default'],
    ['shell', 'default'],
    ['cols', '/home/config.yaml:3'],
    ['rows', 'AGENTPTY_ROWS'],
    ['httpPort', 'default'],
    ['httpNames', 'default'],
    ['pushHosts', 'default'],
    ['pushContact', 'default'],
    ['signInCodeMs', 'default'],
    ['attachPrefix', 'default'],
    ['removedVariables', 'default'],
    ['maskedVariables', 'default'],
    ['portFile', 'default'],
    ['policy', 'default'],
    ['agents', 'default'],
    ['notify', 'default'],
    ['recording', 'default'],
    ['gym', 'default'],
  ])
  for (const { help } of settings) expect(help).not.toBe('')
})

test('the settings of terminal-agent may keep their names', () => {
  const text = [
    '"terminalAgent.port": 18000',
    'terminalAgent.maxBufferSize: 1048576',
    'terminalAgent.autoRegister: false',
    'terminalAgent.logLevel: debug',
  ].join('\n')
  expect(config(text)).toEqual({ ...configDefaults, httpPort: 18_000, logBytes: 1_048_576, portFile: false })
  expect(config(text, { AGENTPTY_HTTP_PORT: '0' })).toMatchObject({ httpPort: 0 })
  expect(explainConfig({}, file(text)).find(({ key }) => key === 'portFile')?.origin).toBe('/home/config.yaml:3')
})

test('the policy is a key that holds more than a value', () => {
  const text = 'rows: 50\npolicy:\n  profile: restricted\n  deny: [docker push]\n'
  expect(config(text)).toEqual({ ...configDefaults, rows: 50 })
  const row = explainConfig({}, file(text)).find(({ key }) => key === 'policy')
  expect(row).toMatchObject({ value: { profile: 'restricted', deny: ['docker push'] }, origin: '/home/config.yaml:2' })
  expect(config('policy:\n')).toEqual(configDefaults)
})

describe('wrong settings are refused, with their line and the allowed values', () => {
  test.each<[string, string, Record<string, string>, RegExp]>([
    ['an unknown key', 'rows: 20\nlogbytes: 5\n', {}, /config.yaml:2: there is no setting "logbytes"/],
    ['a value of the wrong kind', 'rows: many\n', {}, /config.yaml:1: rows: .*number/],
    ['a number without its type', 'rows: "20"\n', {}, /config.yaml:1: rows: .*number/],
    ['a value out of bounds', '\nrows: 100000\n', {}, /config.yaml:2: rows: /],
    ['a list for a value', 'rows: [1, 2]\n', {}, /config.yaml:1: rows must be one value/],
    ['no keys at all', '- rows\n', {}, /not a list of keys and values/],
    ['broken YAML', 'rows: 20\n  cols: 3\n', {}, /config.yaml:\d/],
    ['a policy that is no map', 'policy: strict\n', {}, /config.yaml:1: policy: .*object/],
    ['a rule that is none', 'policy:\n  deny: [1]\n', {}, /config.yaml:2: policy: deny.0: .*string/],
    ['a profile that is none', 'policy:\n\n  profile: none\n', {}, /config.yaml:3: policy: profile: /],
    [
      'a key of the policy that is none',
      'policy:\n  denny: []\n',
      {},
      /config.yaml:2: policy: there is no key "denny"/,
    ],
    ['a key within a key of it', 'policy:\n  urls:\n    allow: []\n', {}, /yaml:3: policy: .*"urls.allow"/],
    ['an agent that is no map', 'agents:\n  x: 1\n', {}, /config.yaml:2: agents: x: .*object/],
    [
      'a key of an agent that is none',
      'agents:\n  x:\n    comand: y\n',
      {},
      /yaml:3: agents: x.comand: there is no such key/,
    ],
    ['a name of an agent that is none', 'agents:\n  a b: {}\n', {}, /config.yaml:2: agents: a b: .*name/],
    ['a key twice', 'rows: 20\nrows: 21\n', {}, /config.yaml:2: .*unique/],
    ['a setting under two names', 'httpPort: 1\nterminalAgent.port: 1\n', {}, /yaml:2: .*port and httpPort of line 1/],
    ['a setting that terminal-agent has not', 'terminalAgent.ports: 1\n', {}, /yaml:1: there is no setting/],
    ['a value under another name', 'terminalAgent.port: "x"\n', {}, /yaml:1: terminalAgent.port: .*number/],
    ['a level that is none', 'terminalAgent.logLevel: loud\n', {}, /yaml:1: terminalAgent.logLevel: "loud"/],
    ['a variable that is no number', '', { AGENTPTY_ROWS: 'x' }, /AGENTPTY_ROWS="x": .*number/],
    [
      'a variable that is neither true nor false',
      '',
      { AGENTPTY_PORT_FILE: 'yes' },
      /AGENTPTY_PORT_FILE="yes": .*boolean/,
    ],
    ['a file without end', `# ${'x'.repeat(70_000)}`, {}, /larger than/],
  ])('%s', (_name, text, env, message) => {
    let thrown: unknown
    try {
      config(text, env)
    } catch (error) {
      thrown = error
    }
    expect(isTermError(thrown) && [thrown.code, thrown.hint !== '']).toEqual(['invalid_input', true])
    expect((thrown as Error).message).toMatch(message)
  })
})

test('the schema for editors has every key, its default and its meaning', () => {
  const { properties, patternProperties, additionalProperties } = configJsonSchema() as {
    properties: Record<string, { default: unknown; description: string }>
    patternProperties: Record<string, unknown>
    additionalProperties: boolean
  }
  const { policy, agents, notify, recording, gym, ...scalars } = properties
  expect(Object.keys(scalars)).toEqual(configKeys)
  expect(gym).toMatchObject({
    description: expect.stringContaining('gym'),
    properties: { openenv: expect.any(Object) },
  })
  expect(recording).toMatchObject({ description: expect.stringContaining('recorded') })
  expect(policy).toMatchObject({ type: 'object', additionalProperties: false, properties: { deny: { type: 'array' } } })
  expect(agents).toMatchObject({ type: 'object', additionalProperties: { properties: { args: { type: 'array' } } } })
  expect(notify).toMatchObject({ type: 'object', additionalProperties: false, properties: { after: { default: 10 } } })
  expect(Object.keys(patternProperties).some((name) => new RegExp(name).test('terminalAgent.port'))).toBe(true)
  expect(additionalProperties).toBe(false)
  for (const [key, { default: value, description }] of Object.entries(scalars)) {
    expect(value).toEqual(configDefaults[key as keyof typeof configDefaults])
    expect(description.length).toBeGreaterThan(10)
  }
})

test('notification settings are read with their defaults, and wrong ones are refused with their line', () => {
  const { path } = file('')
  expect(notifyIn({ path, text: 'cols: 80\nnotify:\n  command: [say, hello]\n' })).toEqual({
    command: ['say', 'hello'],
    after: 10,
  })
  expect(notifyIn(null)).toBeNull()
  for (const [text, problem] of [
    ['notify:\n  webhook: ftp://example.com\n', /config.yaml:2: notify: webhook/],
    ['notify:\n  after: 1\n  secret: short\n', /config.yaml:3: notify: secret/],
    ['notify:\n  hook: x\n', /notify: .*hook/],
  ] as const)
    expect(() => notifyIn({ path, text })).toThrowError(problem)
})

test('the secret of notifications is not shown', () => {
  const shown = explainConfig({}, file('notify:\n  secret: sixteen characters\n'))
  expect(JSON.stringify(shown)).not.toContain('sixteen')
})

test.each([
  ['recording: onFailure\n', { mode: 'onFailure', input: false }],
  ['recording:\n  mode: on\n  maxBytes: 5000\n', { mode: 'on', maxBytes: 5_000 }],
  ['', { mode: 'off', maxAgeDays: 30 }],
])('%j says which terminals are recorded', (text, settings) => {
  expect(recordingIn(file(text))).toMatchObject(settings)
})

test('a wrong setting of recordings is refused with its line', () => {
  expect(() => recordingIn(file('cols: 80\nrecording:\n  mode: sometimes\n'))).toThrow(/:3: recording: mode: /)
  expect(() => recordingIn(file('recording: sometimes\n'))).toThrow(/:1: recording: /)
})

test('doors of the gym are off, or enabled by a word or by settings of their environments', () => {
  expect(gymIn(null)).toEqual({ environmentsMax: 256, openenv: null, swerex: null })
  expect(gymIn(file('gym:\n  environmentsMax: 1000\n')).environmentsMax).toBe(1_000)
  expect(() => gymIn(file('gym:\n  environmentsMax: 1001\n'))).toThrow(/environmentsMax/)
  const { openenv, swerex } = gymIn(file('gym:\n  openenv: on\n  swerex: off\n'))
  expect(swerex).toBeNull()
  expect(openenv).toMatchObject({ environment: { isolation: 'container', rows: 24 }, environmentsMax: 16 })
  for (const field of ['files', 'layers', 'isolation', 'network']) expect(openenv?.mayChange).not.toContain(field)
  const written = gymIn(
    file('gym:\n  openenv:\n    environment:\n      program: [python3, -q]\n    mayChange: [files]\n'),
  )
  expect(written.openenv).toMatchObject({ environment: { program: ['python3', '-q'] }, mayChange: ['files'] })
})

test.each<[string, RegExp]>([
  ['gym:\n  openenv: maybe\n', /:2: gym: openenv: "on", "off"/],
  ['gym:\n  swerex:\n    environmentsMax: 0\n', /:3: gym: swerex\.environmentsMax: /],
  ['gym:\n  openenv:\n    environment:\n      row: 3\n', /gym: openenv\.environment.*row/],
  ['gym:\n  other: on\n', /gym: .*other/],
])('a wrong setting of the gym is refused with its line: %j', (text, message) => {
  expect(() => gymIn(file(text))).toThrow(message)
})
