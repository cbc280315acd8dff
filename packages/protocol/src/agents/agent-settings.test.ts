import { describe, expect, test } from 'vitest'
import { readYaml } from '../home/config-file.ts'
import { adaptersFrom, readAgentSettings } from './agent-settings.ts'
import { noHooks, ownHooks } from './hooks.ts'
import { knownAdapters } from './roster.ts'

/** The adapter of this name, by what is written of agents. */
function adapter(name: string, text: string) {
  const read = readYaml(text)
  if ('fault' in read) throw new Error(read.fault.what)
  const { settings, fault } = readAgentSettings(read.value)
  expect(fault).toBeNull()
  return adaptersFrom(settings).find((one) => one.name === name)
}

test('settings that are left out keep the values of the known agent', () => {
  const claude = knownAdapters.find(({ name }) => name === 'claude')
  expect(adapter('claude', 'claude: {default_model: opus}')).toEqual({ ...claude, defaultModel: 'opus' })
  expect(adapter('codex', 'claude: {default_model: opus}')).toEqual(knownAdapters.find(({ name }) => name === 'codex'))
})

test('no agent skips its own checks unless its user says so', () => {
  for (const { permissionMode, permissions, command } of knownAdapters) {
    expect(permissionMode).toBe('ask')
    expect([...command, ...(permissions.ask ?? [])].join(' ')).not.toMatch(
      /dangerous|yolo|bypass|allow-all|--force|yes-always/,
    )
  }
  expect(adapter('claude', 'claude: {permissions: all}')?.permissionMode).toBe('all')
})

test('a known program under another name keeps its data', () => {
  const reviewer = adapter('reviewer', 'reviewer:\n  command: /opt/bin/codex\n  args: [--sandbox, read-only]\n')
  const codex = knownAdapters.find(({ name }) => name === 'codex')
  expect(reviewer).toEqual({
    ...codex,
    name: 'reviewer',
    title: 'reviewer',
    command: ['/opt/bin/codex', '--sandbox', 'read-only'],
  })
})

describe('the words of termtile', () => {
  test.each([
    ['prompt_as_arg: true', { firstInstruction: { by: 'argument' } }],
    ['prompt_flag: --task', { firstInstruction: { by: 'flag', flag: '--task' } }],
    ['pipe_task: true', { firstInstruction: { by: 'stdin' } }],
    ['models: [a, b]', { models: ['a', 'b'], modelFlag: '--model' }],
    ['{model_flag: -m, default_model: a}', { modelFlag: '-m', defaultModel: 'a' }],
    ['response_fence: true', { asksForAnswer: true }],
    ['spawn_mode: window', { throughShell: true }],
    ['spawn_mode: pane', { throughShell: false }],
    ['idle_pattern: ">"', { idlePattern: '>' }],
    ['ready_pattern: Ready', { readyPattern: 'Ready' }],
    ['env: {A: b}', { env: { A: 'b' } }],
    ['description: Reads', { description: 'Reads' }],
    ['output_mode: tags', { asksForAnswer: true }],
    ['output_mode: terminal', { asksForAnswer: false }],
    ['output_mode: hooks', { hooks: ownHooks }],
    ['{output_mode: hooks, hook_delivery: none}', { hooks: noHooks }],
    ['{output_mode: hooks, hooks: {on_end: report}}', { hooks: { ...ownHooks, end: 'report' } }],
    ['hook_settings_flag: --hooks', { hookWay: { by: 'flag', name: '--hooks', output: '{{context}}' } }],
    [
      '{hook_settings_flag: -s, hook_events: {on_check: After}, hook_entry: "[{{command}}]", hook_wrapper: "{{events}}", hook_output: "<{{context}}>", hook_response_field: said, hook_format: json}',
      {
        hookWay: {
          events: { start: 'SessionStart', check: 'After', end: 'Stop' },
          entry: '[{{command}}]',
          wrapper: '{{events}}',
          output: '<{{context}}>',
          responseField: 'said',
        },
      },
    ],
    ['args: [-x]', { command: ['own', '-x'] }],
  ])('%s', (line, want) => {
    const text = line.startsWith('{') ? `own: ${line}` : `own:\n  ${line}`
    expect(adapter('own', text)).toMatchObject(want)
  })
})

test.each(['hook_delivery: project_file', 'hook_settings_dir: .claude', 'hook_settings_file: settings.json'])(
  'no file of a project is written: %s is refused with what to do',
  (line) => {
    const read = readYaml(`claude:\n  ${line}`)
    if ('fault' in read) throw new Error(read.fault.what)
    const { fault } = readAgentSettings(read.value)
    expect(fault).toMatchObject({
      line: 2,
      what: expect.stringMatching(/writes no file of a project.*hook_delivery: none/),
    })
  },
)

test('hooks are off unless settings turn them on', () => {
  for (const { hooks } of knownAdapters) expect(hooks).toEqual(noHooks)
})

test('limits is no agent, and a wrong one is refused with its line', () => {
  const of = (text: string) => {
    const read = readYaml(text)
    if ('fault' in read) throw new Error(read.fault.what)
    return readAgentSettings(read.value)
  }
  expect(of('limits:\n  depth: 2\nclaude: {default_model: opus}')).toMatchObject({
    limits: { depth: 2 },
    settings: { claude: { default_model: 'opus' } },
    fault: null,
  })
  expect(of('limits:\n  depht: 2').fault).toMatchObject({ line: 2, what: 'limits.depht: there is no such key' })
  expect(of('limits:\n  depth: 200').fault).toMatchObject({ line: 2, what: expect.stringContaining('limits.depth') })
  expect(of('5').fault).not.toBeNull()
})
