/** terminal-agent's door: the tools of its document, with its names, defaults, results and errors. */

import assert from 'node:assert/strict'
import type { Client } from '@modelcontextprotocol/client'
import { beforeAll, expect, test } from 'vitest'
import { scratchInstance } from '../harness/scratch.ts'
import { callForText } from './text-door.ts'

const instance = scratchInstance()
let client: Client

type Fields = Readonly<Record<string, unknown>>

async function call(tool: string, input: Fields = {}): Promise<Fields> {
  const { text, isError } = await callForText(client, tool, input)
  assert.equal(isError, false, text)
  const result = JSON.parse(text)
  assert.equal(text, JSON.stringify(result, null, 2))
  return result
}

async function errorOf(tool: string, input: Fields): Promise<string> {
  const { text, isError } = await callForText(client, tool, input)
  assert.equal(isError, true, text)
  return text
}

async function open(input: Fields = {}): Promise<string> {
  return String((await call('terminal_create', input))['terminalId'])
}

beforeAll(async () => {
  client = await instance.door('terminal-agent')
})

test('the tools of the document exist, terminal_type, and the tree of agents', async () => {
  const { tools } = await client.listTools()
  const names = tools.map(({ name }) => name)
  expect(names.slice(0, 4)).toEqual(['terminal_create', 'terminal_send', 'terminal_read', 'terminal_send_keys'])
  expect(names).toEqual(expect.arrayContaining(['terminal_screenshot', 'terminal_list', 'terminal_close']))
  expect(names).toEqual(expect.arrayContaining(['terminal_type', 'graph_list', 'graph_retry']))
  expect(tools.find(({ name }) => name === 'terminal_send')?.inputSchema.required).toEqual(['terminalId', 'text'])
})

test('create returns the fields of the document and of the code', async () => {
  const created = await call('terminal_create', {
    name: 'build server',
    shell: '/bin/bash',
    cwd: '/tmp',
    env: { A: '1' },
  })
  expect(created).toMatchObject({
    terminalId: expect.stringMatching(/^term-\d+$/),
    name: 'build server',
    shell: '/bin/bash',
    pid: expect.any(Number),
    mode: 'normal',
    shellIntegrationReady: true,
  })
  const { terminalId } = created
  expect(created['id']).toBe(terminalId)
  const sent = await call('terminal_send', { terminalId, text: 'echo "[$A]" $PWD', waitForString: '[1] /tmp' })
  expect(sent).toMatchObject({ sent: true, output: expect.stringContaining('[1] /tmp'), usedShellIntegration: true })
})

test('two terminals may have the same name, and the editor’s placement is ignored', async () => {
  const first = await call('terminal_create', {
    name: 'same',
    location: 'split',
    splitTerminalId: 'agent-1',
    mode: 'pty',
  })
  const second = await call('terminal_create', { name: 'same', location: 'panel' })
  expect([first['name'], second['name'], first['mode']]).toEqual(['same', 'same', 'pty'])
  expect(first['terminalId']).not.toBe(second['terminalId'])
  const { terminals } = await call('terminal_list')
  expect(terminals).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        terminalId: second['terminalId'],
        id: second['terminalId'],
        name: 'same',
        isActive: true,
        pid: second['pid'],
        shellType: 'bash',
        mode: 'normal',
        createdAt: expect.any(Number),
        isCommandRunning: false,
        arrayIndex: expect.any(Number),
      }),
    ]),
  )
})

test('send waits only on request, and later output is read from its cursor', async () => {
  const terminalId = await open()
  const { cursor } = await call('terminal_send', { terminalId, text: 'cat' })
  await call('terminal_send', { terminalId, text: 'hello' })
  const read = await call('terminal_read', { terminalId, since: cursor, waitForString: 'hello\nhello' })
  expect(read).toMatchObject({ isActive: true, isComplete: false })
  await call('terminal_send_keys', { terminalId, keys: ['ctrl+d'] })
  const done = await call('terminal_read', { terminalId, since: read['cursor'], waitForString: '$' })
  expect(done).toMatchObject({ isActive: true, isComplete: true, exitCode: 0 })
  expect(await call('terminal_read', { terminalId, since: done['cursor'] })).toMatchObject({
    output: '',
    cursor: done['cursor'],
  })
})

test('waitForOutput does not take the echo of the input for output', async () => {
  const terminalId = await open()
  const { output } = await call('terminal_send', { terminalId, text: 'read -t 0.2; echo said', waitForOutput: true })
  expect(output).toContain('said')
  expect(String(output).split('\n')[0]).toBe('said')
})

test('a long output is returned completely', async () => {
  const terminalId = await open()
  const { output } = await call('terminal_send', {
    terminalId,
    text: 'seq 1 50000; echo over',
    waitForString: 'over\n',
  })
  const lines = String(output).split('\n')
  expect(lines.filter((line) => /^\d+$/.test(line))).toEqual(
    Array.from({ length: 50_000 }, (_, index) => `${index + 1}`),
  )
})

test.each([{ newline: false }, { addNewline: false }])('text with %j is not executed', async (flag) => {
  const terminalId = await open()
  await call('terminal_send', { terminalId, text: 'echo typed-$((6*7))', ...flag })
  expect(await call('terminal_read', { terminalId, waitForString: '6*7))' })).toMatchObject({ isComplete: true })
  const { screen } = await call('terminal_screenshot', { terminalId })
  expect(screen).toBe('$ echo typed-$((6*7))')
  await call('terminal_send_keys', { terminalId, keys: ['enter'] })
  await call('terminal_read', { terminalId, waitForString: 'typed-42' })
})

test('input neither interrupts nor clears running output', async () => {
  const terminalId = await open()
  await call('terminal_send', { terminalId, text: "python3 -qc 'print(input() + input())'" })
  await call('terminal_send', { terminalId, text: 'one-', newline: false })
  await call('terminal_send', { terminalId, text: 'two-' })
  const { output } = await call('terminal_send', { terminalId, text: 'three', waitForString: 'one-two-three' })
  expect(output).toContain('one-two-three')
})

test('read returns all retained output without a cursor, and finds earlier text', async () => {
  const terminalId = await open()
  await call('terminal_send', { terminalId, text: 'echo first', waitForString: 'first' })
  expect((await call('terminal_read', { terminalId, waitForString: 'first' }))['output']).toContain('first')
  expect((await call('terminal_read', { terminalId, since: 0 }))['output']).toContain('echo first')
})

test('a text is found whose first half is before the cursor', async () => {
  const terminalId = await open()
  await call('terminal_send', { terminalId, text: 'printf REA; read; printf DY' })
  const { cursor } = await call('terminal_read', { terminalId, waitForString: '\nREA' })
  await call('terminal_send', { terminalId, text: '' })
  const read = await call('terminal_read', { terminalId, since: cursor, waitForString: 'DY$', waitTimeoutMs: 20_000 })
  expect(read).not.toHaveProperty('timedOut')
})

test('an empty text is found immediately', async () => {
  const terminalId = await open()
  await call('terminal_read', { terminalId, waitForString: '', waitTimeoutMs: 50_000 })
})

test('an unmet wait ends as a result, with the output so far', async () => {
  const terminalId = await open()
  const read = await call('terminal_read', { terminalId, waitForString: 'never', waitTimeoutMs: 100 })
  expect(read).toMatchObject({ output: '$ ', isActive: true, timedOut: true })
  const sent = await call('terminal_send', { terminalId, text: 'cat', waitForString: 'never', waitTimeoutMs: 100 })
  expect(sent).toMatchObject({ sent: true, timedOut: true })
})

test('silence counts from the call on, and a text takes precedence', async () => {
  const terminalId = await open()
  await call('terminal_send', { terminalId, text: 'read -t 0.3; echo late; cat' })
  expect((await call('terminal_read', { terminalId, waitForIdle: 1_000 }))['output']).toMatch(/late$/)
  await call('terminal_read', { terminalId, waitForString: 'late', waitForIdle: 50_000, waitForOutput: true })
})

test('waitMs alone is a pause, and with a condition it is the longest wait', async () => {
  const terminalId = await open()
  // Sending may last until the first output.
  const { cursor } = await call('terminal_read', { terminalId })
  await call('terminal_send', { terminalId, text: 'read -t 0.2; echo la""te; sleep 20; echo later' })
  expect((await call('terminal_read', { terminalId, since: cursor, waitMs: 3_000 }))['output']).toContain('late')
  const { cursor: end } = await call('terminal_read', { terminalId })
  expect(await call('terminal_read', { terminalId, since: end, waitForOutput: true, waitMs: 100 })).toMatchObject({
    output: '',
    timedOut: true,
  })
})

test('maxLines are the last ones, and raw includes the escape sequences', async () => {
  const terminalId = await open()
  const text = 'printf "\\033[31m%s\\033[0m\\n" a b c'
  await call('terminal_send', { terminalId, text, waitForString: 'c\n' })
  const read = await call('terminal_read', { terminalId, maxLines: 2, raw: true })
  expect(read['output']).toBe('c\n$ ')
  expect(read['rawOutput']).toContain('\x1b[31mc\x1b[0m\r\n')
})

test.each([
  [['ctrl+c'], ['\x03']],
  [['Ctrl+D'], ['\x04']],
  [['enter'], ['\r']],
  [
    ['return', 'tab', 'esc'],
    ['\r', '\t', '\x1b'],
  ],
  [
    ['backspace', 'delete', 'insert'],
    ['\x7f', '\x1b[3~', '\x1b[2~'],
  ],
  [
    ['up', 'down', 'right', 'left'],
    ['\x1b[A', '\x1b[B', '\x1b[C', '\x1b[D'],
  ],
  [
    ['home', 'end', 'pageup', 'pagedown'],
    ['\x1b[H', '\x1b[F', '\x1b[5~', '\x1b[6~'],
  ],
  [
    ['f1', 'f4', 'f5', 'f12'],
    ['\x1bOP', '\x1bOS', '\x1b[15~', '\x1b[24~'],
  ],
  [
    ['alt+b', ' ctrl+a '],
    ['\x1bb', '\x01'],
  ],
])('the keys %j are sent as %j', async (keys, sequences) => {
  const terminalId = await open({ shell: '/bin/sh' })
  expect(await call('terminal_send_keys', { terminalId, keys })).toMatchObject({ sent: true, keys, sequences })
  await call('terminal_close', { terminalId })
})

test('an unknown key presses nothing and suggests similar names', async () => {
  const terminalId = await open()
  const error = await errorOf('terminal_send_keys', { terminalId, keys: ['x', 'entr'] })
  expect(error).toMatch(/^Error: No key is called "entr"\. Near names: enter/)
  expect((await call('terminal_screenshot', { terminalId }))['screen']).toBe('$ ')
})

test('type types like a person, and submits only on request', async () => {
  const terminalId = await open()
  await call('terminal_send', { terminalId, text: 'vim -u NONE -i NONE -n', waitForString: 'VIM' })
  expect(await call('terminal_type', { terminalId, text: ':echo 6*7' })).toEqual({ typed: true, submitted: false })
  expect(await call('terminal_type', { terminalId, text: '+1', submit: true })).toEqual({
    typed: true,
    submitted: true,
  })
  await call('terminal_read', { terminalId, waitForString: '43' })
  await call('terminal_type', { terminalId, text: ':q!', submit: true })
})

test('a screenshot shows what a person would see, whatever the program drew over', async () => {
  const terminalId = await open()
  await call('terminal_send', {
    terminalId,
    text: 'clear; printf "10%%\\r20%%\\r99%%\\nabc\\bX\\n"',
    waitForString: 'X',
  })
  const shot = await call('terminal_screenshot', { terminalId })
  expect(shot).toMatchObject({ screen: '99%\nabX\n$ ', rows: 30, cols: 120, content: '99%\nabX\n$ ', lineCount: 3 })
  expect(await call('terminal_screenshot', { terminalId, lines: 2 })).toMatchObject({ screen: 'abX\n$ ', rows: 2 })
  expect(await call('terminal_screenshot', { terminalId, maxLines: 1 })).toMatchObject({ screen: '$ ', lineCount: 1 })
})

test('a screenshot with more lines than the screen includes scrollback', async () => {
  const terminalId = await open()
  await call('terminal_send', { terminalId, text: 'seq 100', waitForString: '100\n' })
  const { screen } = await call('terminal_screenshot', { terminalId, lines: 60 })
  expect(String(screen).split('\n').slice(0, 2)).toEqual(['42', '43'])
})

test('close ends the whole terminal, once', async () => {
  const terminalId = await open()
  await call('terminal_send', { terminalId, text: '(trap "" HUP; sleep 1000) & echo on', waitForString: 'on\n' })
  expect(await call('terminal_close', { terminalId })).toEqual({ closed: true, terminalId })
  expect(await errorOf('terminal_close', { terminalId })).toContain(`Terminal not found: "${terminalId}"`)
  expect(JSON.stringify(await call('terminal_list'))).not.toContain(`"${terminalId}"`)
})

test('an unknown terminal is refused with the known ones', async () => {
  const terminalId = await open()
  expect(await errorOf('terminal_read', { terminalId: 'agent-1-0001' })).toMatch(
    new RegExp(`^Error: Terminal not found: "agent-1-0001"\\. Active terminal IDs: \\[(.*, )?${terminalId}\\]$`),
  )
})

test.each([
  [
    'normal',
    (id: string) =>
      `Terminal is closed: "${id}". It was closed externally and is in a grace period — reads are allowed but mutations are not.`,
  ],
  ['pty', () => 'Cannot write to shell: process is not running or stdin is closed. The shell may have exited.'],
])(
  'of a terminal in mode %s whose shell has ended the output is still read, and nothing is typed',
  async (mode, message) => {
    const terminalId = await open({ mode })
    await call('terminal_send', { terminalId, text: 'echo bye; exit 3' })
    const read = await call('terminal_read', { terminalId, waitForIdle: 50_000 })
    expect(read).toMatchObject({
      isActive: false,
      isComplete: true,
      exitCode: 3,
      output: expect.stringContaining('bye'),
    })
    for (const [tool, input] of [
      ['terminal_send', { text: 'ls' }],
      ['terminal_send_keys', { keys: ['enter'] }],
      ['terminal_type', { text: 'x' }],
    ] as const)
      expect(await errorOf(tool, { terminalId, ...input })).toBe(`Error: ${message(terminalId)}`)
  },
)

test('in mode pty the exit code is the last of the output, returned once', async () => {
  const terminalId = await open({ mode: 'pty' })
  const { cursor } = await call('terminal_send', { terminalId, text: 'exit 3' })
  const read = await call('terminal_read', { terminalId, since: cursor, waitForString: 'Process exited' })
  expect(read['output']).toMatch(/\nProcess exited with code 3\n$/)
  const again = await call('terminal_read', { terminalId, since: read['cursor'] })
  expect(again).toMatchObject({ output: '', cursor: read['cursor'], isActive: false })
  expect((await call('terminal_read', { terminalId }))['output']).toContain('Process exited with code 3')
})

test('an invalid call is refused as a result that shows a valid one', async () => {
  const error = await errorOf('terminal_send', { terminalId: 'term-1' })
  expect(error).toMatch(/^MCP error -32602: .*terminal_send.*text/)
  expect(error).toContain('npm run build')
  expect(await errorOf('terminal_create', { cwd: '/nowhere' })).toMatch(/^Error: The cwd "\/nowhere" does not exist/)
})

test('an unknown tool is a result too', async () => {
  expect(await errorOf('terminal_fly', {})).toBe('MCP error -32602: Tool terminal_fly not found')
})

test('numbers may be texts', async () => {
  const terminalId = await open()
  expect(await call('terminal_screenshot', { terminalId, lines: '1' })).toMatchObject({ screen: '$ ' })
  expect(await call('terminal_send_keys', { terminalId, keys: 'ctrl+c' })).toMatchObject({ keys: ['ctrl+c'] })
})
