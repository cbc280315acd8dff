/** terminalcp's door, as its users use it: both tools, every action, on real programs. */

import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client'
import { beforeAll, describe, expect, test } from 'vitest'
import { program, until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()
let client: Client

interface Answer {
  readonly text: string
  readonly isError: boolean
}

type Args = Readonly<Record<string, unknown>>

async function call(name: 'terminal' | 'terminalcp', input: Args, by = client): Promise<Answer> {
  try {
    const { content, isError } = await by.callTool({ name, arguments: { ...input } })
    const [first] = content as readonly { readonly text: string }[]
    assert.notEqual(isError, true, 'a refusal is an error of the protocol, and no result')
    return { text: first?.text ?? '', isError: false }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    expect(error.code).toBe(ProtocolErrorCode.InternalError)
    return { text: error.message, isError: true }
  }
}

/** The text of a successful call. */
async function answered(args: Args, by = client): Promise<string> {
  const { text, isError } = await call('terminalcp', { args }, by)
  assert.equal(isError, false, text)
  return text
}

async function json(args: Args): Promise<unknown> {
  return JSON.parse((await call('terminal', args)).text)
}

async function refused(args: Args): Promise<string> {
  const { text, isError } = await call('terminalcp', { args })
  assert.equal(isError, true, text)
  return text
}

const shows = (id: string, text: string) => until(async () => (await answered({ action: 'stdout', id })).includes(text))

beforeAll(async () => {
  client = await instance.door('terminalcp')
})

test('both tools exist, one with its fields in args and one with them flat', async () => {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['terminalcp', 'terminal'])
  expect(tools[0]?.inputSchema.required).toEqual(['args'])
  expect(tools[1]?.inputSchema.required).toEqual(['action'])
})

describe('terminalcp, version 1.3', () => {
  test('starts, types, reads, lists and stops', async () => {
    expect(await answered({ action: 'list' })).toBe('No active sessions')
    expect(await answered({ action: 'start', command: 'python3 -i', name: 'py', cwd: instance.user })).toBe('py')
    await shows('py', '>>>')
    expect(await answered({ action: 'stdin', id: 'py', data: 'print(6 * 7)\r' })).toBe('')
    await shows('py', '\n42\n>>>')
    expect(await answered({ action: 'stdout', id: 'py', lines: 2 })).toBe('42\n>>> ')
    expect(await answered({ action: 'list' })).toBe(`py running ${instance.user} python3 -i`)
    expect(await answered({ action: 'stop', id: 'py' })).toBe('stopped py')
    expect(await answered({ action: 'list' })).toBe('')
  })

  test('keeps the blanks that a program wrote at the end of a row, and shows no others', async () => {
    const program = "printf 'wide   \\n\\tin\\t\\n$ '; cat"
    await answered({ action: 'start', command: program, name: 'blanks' })
    await shows('blanks', '$')
    expect(await answered({ action: 'stdout', id: 'blanks' })).toBe('wide   \n        in\n$ ')
    await answered({ action: 'stop', id: 'blanks' })
  })

  test('keeps them too in old scrollback', async () => {
    await answered({ action: 'start', command: "seq 1500 | sed 's/$/  /'; printf '> '; cat", name: 'far' })
    await shows('far', '>')
    const rows = (await answered({ action: 'stdout', id: 'far' })).split('\n')
    expect([rows[0], rows[1_499], rows.at(-1), rows.length]).toEqual(['1  ', '1500  ', '> ', 1_501])
    await answered({ action: 'stop', id: 'far' })
  })

  test.each(['my server/1', 'süß', '7', 'a'.repeat(200), 'tcp.x', '💾 disk'])(
    'a session may be named %s',
    async (name) => {
      expect(await answered({ action: 'start', command: 'echo hi; cat', name, cwd: instance.user })).toBe(name)
      await shows(name, 'hi')
      expect(await answered({ action: 'stdin', id: name, data: 'x\r' })).toBe('')
      await shows(name, 'x\nx')
      expect(await answered({ action: 'stream', id: name })).toContain('hi')
      expect(await answered({ action: 'list' })).toBe(`${name} running ${instance.user} echo hi; cat`)
      expect(await refused({ action: 'start', command: 'cat', name })).toBe(`Session '${name}' already exists`)
      expect(await answered({ action: 'stop', id: name })).toBe(`stopped ${name}`)
      expect(await refused({ action: 'stdout', id: name })).toBe(`Process not found: ${name}`)
    },
  )

  test('numbers may be texts, texts numbers, and a number of lines anything', async () => {
    expect(await answered({ action: 'start', command: 'seq 3; cat', name: 12 })).toBe('12')
    await shows('12', '3')
    expect(await answered({ action: 'stdout', id: 12, lines: '2' })).toBe('2\n3')
    expect(await answered({ action: 'stdout', id: 12, lines: 1.9 })).toBe('3')
    expect(await answered({ action: 'stdout', id: 12, lines: -1 })).toBe('1\n2\n3')
    expect(await answered({ action: 'resize', id: 12, cols: '100', rows: '30' })).toBe('')
    expect(await answered({ action: 'term-size', id: '12' })).toMatch(/^30 100 /)
    expect(await answered({ action: 'stdin', id: '12', data: 5 })).toBe('')
    expect(await answered({ action: 'stream', id: '12', since_last: 'true' })).toContain('3\r\n')
    expect(await answered({ action: 'stop', id: 12 })).toBe('stopped 12')
  })

  test('an unknown tool is refused in its words', async () => {
    await expect(client.callTool({ name: 'dance', arguments: {} })).rejects.toThrow('Unknown tool: dance')
  })

  test('assigns an id if none is given', async () => {
    const id = await answered({ action: 'start', command: 'cat' })
    expect(id).toMatch(/^proc-[0-9a-f]{12}$/)
    expect(await answered({ action: 'stop', id })).toBe(`stopped ${id}`)
  })

  test('takes its fields flat as well, and as a text', async () => {
    expect((await call('terminalcp', { action: 'version' })).text).toBe('1.3.3')
    expect((await call('terminalcp', { args: '{"action":"version"}' })).text).toBe('1.3.3')
  })

  test('runs what it starts on 80 by 24 cells with colours, and returns and changes the size', async () => {
    await answered({ action: 'start', command: 'seq 50; echo $TERM $COLORTERM $FORCE_COLOR; cat', name: 'size' })
    await shows('size', 'xterm-256color truecolor 1')
    expect(await answered({ action: 'term-size', id: 'size' })).toBe('24 80 52')
    expect(await answered({ action: 'resize', id: 'size', cols: 100, rows: 30 })).toBe('')
    expect(await answered({ action: 'term-size', id: 'size' })).toMatch(/^30 100 /)
    expect(await refused({ action: 'resize', id: 'size', cols: 0, rows: 24 })).toBe(
      'resizing must be done using positive cols and rows',
    )
    await answered({ action: 'stop', id: 'size' })
  })

  test('shows all scrollback, or the last lines', async () => {
    await answered({ action: 'start', command: 'seq 100; cat', name: 'seq' })
    await shows('seq', '100')
    const numbers = Array.from({ length: 100 }, (_, at) => String(at + 1))
    expect(await answered({ action: 'stdout', id: 'seq' })).toBe(numbers.join('\n'))
    expect(await answered({ action: 'stdout', id: 'seq', lines: 3 })).toBe('98\n99\n100')
    await answered({ action: 'stop', id: 'seq' })
  })

  test('shows ten thousand lines above the screen', async () => {
    const program = "seq 12000 | sed 's/$/ \\x1b[32m'$(printf %090d 0 | cut -c1-85)'\\x1b[0m/' ; cat"
    await answered({ action: 'start', command: program, name: 'long' })
    await shows('long', '12000 ')
    const rows = (await answered({ action: 'stdout', id: 'long' })).split('\n')
    expect(rows).toHaveLength(10_023)
    const last = rows.at(-2) ?? ''
    const rest = rows.at(-1) ?? ''
    expect(`${last}${rest}`).toBe(`12000 ${'0'.repeat(85)}`)
    expect(rows.filter((row) => / /.test(row)).map((row) => Number.parseInt(row, 10))).toEqual(
      Array.from({ length: 5_011 }, (_, at) => 6_990 + at),
    )
    expect(await answered({ action: 'term-size', id: 'long' })).toBe('24 80 10024')
    await answered({ action: 'stop', id: 'long' })
  })

  test('shows only the screen of a full-screen program, and the old text again after it', async () => {
    const program = "echo before; printf '\\033[?1049hinside'; read x; printf '\\033[?1049l'; echo after; cat"
    await answered({ action: 'start', command: program, name: 'full' })
    await shows('full', 'inside')
    expect(await answered({ action: 'stdout', id: 'full' })).not.toContain('before')
    await answered({ action: 'stdin', id: 'full', data: '\r' })
    await shows('full', 'after')
    expect(await answered({ action: 'stdout', id: 'full' })).toContain('before')
    await answered({ action: 'stop', id: 'full' })
  })

  test('streams everything, or the output since the last call, with or without escape sequences', async () => {
    await answered({
      action: 'start',
      command: "printf '\\033[31mred\\033[0m\\n'; read x; echo more; cat",
      name: 'log',
    })
    await shows('log', 'red')
    expect(await answered({ action: 'stream', id: 'log', since_last: true })).toBe('red\r\n')
    expect(await answered({ action: 'stream', id: 'log', since_last: true })).toBe('')
    await answered({ action: 'stdin', id: 'log', data: '\r' })
    await shows('log', 'more')
    expect(await answered({ action: 'stream', id: 'log', since_last: true })).toBe('\r\nmore\r\n')
    expect(await answered({ action: 'stream', id: 'log' })).toBe('red\r\n\r\nmore\r\n')
    expect(await answered({ action: 'stream', id: 'log', strip_ansi: false })).toContain('\x1b[31mred\x1b[0m')
    await answered({ action: 'stop', id: 'log' })
  })

  test('leaves an incomplete escape sequence for the next call', async () => {
    const program = "printf 'plain\\033[3'; read x; printf '1mred\\033[0m\\n'; cat"
    await answered({ action: 'start', command: `stty -echo; ${program}`, name: 'half' })
    await shows('half', 'plain')
    expect(await answered({ action: 'stream', id: 'half', since_last: true })).toBe('plain')
    await answered({ action: 'stdin', id: 'half', data: '\r' })
    await shows('half', 'red')
    expect(await answered({ action: 'stream', id: 'half', since_last: true })).toBe('red\r\n')
    await answered({ action: 'stop', id: 'half' })
  })

  test('streams megabytes without losing a line', async () => {
    await answered({ action: 'start', command: 'seq 300000; echo done', name: 'much' })
    let text = ''
    await until(async () => {
      text += await answered({ action: 'stream', id: 'much', since_last: true })
      return text.includes('Process exited')
    })
    const lines = text.split('\r\n')
    expect(lines.slice(0, 300_000).every((line, at) => line === String(at + 1))).toBe(true)
    expect(lines.slice(300_000)).toEqual(['done', '\n[Process exited with code 0]\n'])
    await answered({ action: 'stop', id: 'much' })
  })

  test('streams the newest megabytes of a larger output, to the end', async () => {
    await answered({ action: 'start', command: 'seq 900000', name: 'more' })
    await until(async () => (await answered({ action: 'list' })).includes('more stopped'))
    const text = await answered({ action: 'stream', id: 'more' })
    expect(text).toMatch(/^\[\d+ earlier bytes are left out\]\n\d+\r\n/)
    expect(text).toMatch(/899999\r\n900000\r\n\n\[Process exited with code 0\]\n$/)
    await answered({ action: 'stop', id: 'more' })
  })

  test('keeps an ended session readable until it is stopped, and refuses to type into it', async () => {
    await answered({ action: 'start', command: 'echo bye; exit 3', name: 'short', cwd: instance.user })
    await shows('short', 'Process exited')
    expect(await answered({ action: 'stdout', id: 'short' })).toBe('bye\n\n[Process exited with code 3]')
    expect(await answered({ action: 'stream', id: 'short' })).toBe('bye\r\n\n[Process exited with code 3]\n')
    expect(await answered({ action: 'list' })).toBe(`short stopped ${instance.user} echo bye; exit 3`)
    expect(await refused({ action: 'stdin', id: 'short', data: 'x' })).toMatch(
      /^Session short is not running \(pid: \d+, exit code: 3\)\. Check stdout or stream\.$/,
    )
    expect(await refused({ action: 'start', command: 'cat', name: 'short' })).toBe("Session 'short' already exists")
    await answered({ action: 'stop', id: 'short' })
  })

  test('reports the signal that ended a program', async () => {
    await answered({ action: 'start', command: 'kill -9 $$', name: 'killed' })
    await shows('killed', '[Process exited with code 0 (signal: 9)]')
    await answered({ action: 'stop', id: 'killed' })
  })

  test('presses thirty Enters in one call', async () => {
    await answered({ action: 'start', command: 'cat -n', name: 'thirty' })
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\r`).join('')
    await answered({ action: 'stdin', id: 'thirty', data: lines })
    await answered({ action: 'stdin', id: 'thirty', data: '\r'.repeat(30) })
    await until(async () => /^ +60\t/m.test(await answered({ action: 'stream', id: 'thirty' })))
    expect(await answered({ action: 'stream', id: 'thirty' })).toContain('30\tline 30')
    await answered({ action: 'stop', id: 'thirty' })
  })

  test('keeps simultaneous input of several clients in order, each complete', async () => {
    const other = await instance.door('terminalcp')
    await answered({ action: 'start', command: 'cat', name: 'both' })
    const text = (letter: string) => `${letter.repeat(20)}\r`.repeat(5)
    await Promise.all([
      answered({ action: 'stdin', id: 'both', data: text('a') }),
      answered({ action: 'stdin', id: 'both', data: text('b') }, other),
    ])
    await until(async () => (await answered({ action: 'stdout', id: 'both' })).split('\n').length >= 20)
    const typed = (await answered({ action: 'stdout', id: 'both' })).split('\n')
    expect(typed.every((line) => /^(a+|b+)$/.test(line))).toBe(true)
    await answered({ action: 'stop', id: 'both' })
  })

  test.each<[string, string]>([
    ['keys', '\x1b[A'.repeat(30_000)],
    ['lines', 'line\n'.repeat(30_000)],
    ['text', 'x'.repeat(100_000)],
  ])('does not wait for a program that reads nothing of many %s', async (name, data) => {
    await answered({ action: 'start', command: 'stty raw -echo; echo up; exec sleep 1000', name })
    await shows(name, 'up')
    expect(await answered({ action: 'stdin', id: name, data })).toBe('')
    expect(await answered({ action: 'stdin', id: name, data: '\x03' })).toBe('')
    expect(await answered({ action: 'stop', id: name })).toBe(`stopped ${name}`)
  })

  test('types line feeds and escape sequences verbatim', async () => {
    await answered({ action: 'start', command: 'stty raw -echo; echo up; exec cat -v', name: 'raw' })
    await shows('raw', 'up')
    await answered({ action: 'stdin', id: 'raw', data: 'a\nb\r\nc\rd\x1b\re\x1b[A\x04' })
    await until(async () => (await answered({ action: 'stream', id: 'raw' })).endsWith('^D'))
    expect(await answered({ action: 'stream', id: 'raw' })).toBe('up\na\nb^M\nc^Md^[^Me^[[A^D')
    await answered({ action: 'stop', id: 'raw' })
  })

  test('knows keys by name in a list, and takes one text verbatim', async () => {
    await answered({ action: 'start', command: 'cat', name: 'keys' })
    await answered({ action: 'stdin', id: 'keys', data: ['helpo', '::BSpace', '::BSpace', 'lo', '::Enter'] })
    await shows('keys', 'hello\nhello')
    await answered({ action: 'stdin', id: 'keys', data: 'a::Enter\r' })
    await shows('keys', 'a::Enter\na::Enter')
    await answered({ action: 'stdin', id: 'keys', data: ['::C-c'] })
    await shows('keys', 'Process exited')
    await answered({ action: 'stop', id: 'keys' })
  })

  test('leaves no process that ignores the hangup', async () => {
    const before = instance.processes()
    await answered({ action: 'start', command: "trap '' HUP TERM; sleep 1000 & echo up; wait", name: 'stubborn' })
    await shows('stubborn', 'up')
    expect(instance.processes().length).toBeGreaterThan(before.length)
    await answered({ action: 'stop', id: 'stubborn' })
    await until(() => instance.processes().length <= before.length)
    expect(instance.processes()).toEqual(before)
  })

  test('attach returns the size and all output so far', async () => {
    await answered({ action: 'start', command: 'echo here; cat', name: 'at' })
    await shows('at', 'here')
    expect(JSON.parse(await answered({ action: 'attach', id: 'at' }))).toEqual({
      cols: 80,
      rows: 24,
      rawOutput: 'here\r\n',
    })
    expect(await answered({ action: 'detach', id: 'at' })).toBe('detached')
    await answered({ action: 'stop', id: 'at' })
  })

  test('a folder with a blank in its name is quoted in the list', async () => {
    const cwd = join(instance.user, 'my files')
    mkdirSync(cwd)
    await answered({ action: 'start', command: 'cat', name: 'blank', cwd })
    expect(await answered({ action: 'list' })).toBe(`blank running "${cwd}" cat`)
    await answered({ action: 'stop', id: 'blank' })
  })
})

describe('terminal, version 1.1', () => {
  test('answers in JSON, and submit is Enter', async () => {
    const { id, ...started } = (await json({ action: 'start', command: 'cat', cwd: instance.user })) as { id: string }
    expect(started).toEqual({ command: 'cat', status: 'started', cwd: instance.user })
    expect(await json({ action: 'stdin', id, data: 'hello', submit: true })).toEqual({ id, status: 'input sent' })
    await shows(id, 'hello\nhello')
    expect((await call('terminal', { action: 'stdout', id })).text).toBe('hello\nhello')
    expect(await json({ action: 'list' })).toMatchObject([{ id, command: 'cat', running: true, cwd: instance.user }])
    expect(await json({ action: 'term-size', id })).toEqual({ rows: 24, cols: 80, scrollback_lines: 24 })
    expect(await json({ action: 'stop', id })).toEqual({ id, status: 'stopped' })
    expect(await json({ action: 'list' })).toEqual([])
  })

  test('streams escape sequences unless they are asked out', async () => {
    await json({ action: 'start', command: "printf '\\033[1mbold\\n'; cat", name: 'bold' })
    await shows('bold', 'bold')
    expect((await call('terminal', { action: 'stream', id: 'bold' })).text).toBe('\x1b[1mbold\r\n')
    expect((await call('terminal', { action: 'stream', id: 'bold', strip_ansi: true })).text).toBe('bold\r\n')
    await json({ action: 'stop', id: 'bold' })
  })
})

test.each<[string, Args, string]>([
  ['start without a command', { action: 'start' }, 'Missing required field: command'],
  ['stdin without data', { action: 'stdin', id: 'x' }, 'Missing required fields: id, data'],
  ['stdout without an id', { action: 'stdout' }, 'Missing required field: id'],
  ['stdout of none', { action: 'stdout', id: 'x' }, 'Process not found: x'],
  ['stream of none', { action: 'stream', id: 'x' }, 'Process not found: x'],
  ['stop of none', { action: 'stop', id: 'x' }, 'Process not found: x'],
  ['term-size of none', { action: 'term-size', id: 'x' }, 'Process not found: x'],
  ['resize of none', { action: 'resize', id: 'x', cols: 80, rows: 24 }, 'Process not found: x'],
  ['resize without an id', { action: 'resize', cols: 80, rows: 24 }, 'Missing required field: id'],
  ['attach to none', { action: 'attach', id: 'x' }, 'Process not found: x'],
  ['stdin of none', { action: 'stdin', id: 'x', data: 'y' }, 'Session not found: x'],
  ['an unknown action', { action: 'dance' }, 'Unknown action: dance'],
])('%s is refused', async (_name, args, message) => {
  expect(await refused(args)).toBe(message)
})

test('arguments that are not an object are refused, and so is an invalid folder', async () => {
  expect(await call('terminalcp', { args: 7 })).toEqual({
    text: 'Invalid arguments: expected JSON object',
    isError: true,
  })
  expect(await refused({ action: 'start', command: 'cat', cwd: '/nowhere' })).toContain('"/nowhere" does not exist')
})

test('stop without an id, and kill-server, end only the caller’s sessions', async () => {
  const other = await instance.door('terminalcp')
  await answered({ action: 'start', command: 'cat', name: 'theirs' }, other)
  await answered({ action: 'start', command: 'cat', name: 'one' })
  await answered({ action: 'start', command: 'cat', name: 'two' })
  expect(await answered({ action: 'stop' })).toBe('stopped 2 processes')
  await answered({ action: 'start', command: 'cat', name: 'three' })
  expect(await answered({ action: 'kill-server' })).toMatch(
    /^shutting down\n1 of your sessions stopped; the server goes on/,
  )
  expect(await answered({ action: 'list' })).toMatch(/^theirs running .*$/)
  expect(await answered({ action: 'stop', id: 'theirs' })).toBe('stopped theirs')
})

describe('the command line', () => {
  const cli = (...words: readonly string[]) => instance.cli('terminalcp', ...words)
  const done = (stdout: string) => ({ code: 0, stdout, stderr: '' })
  const failed = (stderr: string) => ({ code: 1, stdout: '', stderr })

  test('starts, types, reads, resizes and stops', async () => {
    expect(await cli('ls')).toEqual(done('No active sessions\n'))
    expect(await cli('start', 'py', 'python3', '-i', '--cwd', instance.user)).toEqual(done('Started session: py\n'))
    await shows('py', '>>>')
    expect(await cli('stdin', 'py', 'print(6 * 7)', '::Enter')).toEqual(done(''))
    await shows('py', '\n42\n>>>')
    expect((await cli('stdout', 'py', '2')).stdout).toBe('42\n>>> ')
    expect(await cli('ls')).toEqual(
      done(`  py\n    Status: running\n    CWD: ${instance.user}\n    Command: python3 -i\n\n`),
    )
    expect(await cli('resize', 'py', '100', '30')).toEqual(done('Terminal resized\n'))
    expect((await cli('term-size', 'py')).stdout).toMatch(/^30 100 \d+\n$/)
    expect(await cli('stop', 'py')).toEqual(done('stopped py\n'))
    expect(await cli('list')).toEqual(done('No active sessions\n'))
  })

  test('remembers from command to command what was streamed, together with MCP clients', async () => {
    await cli('start', 'log', "printf '\\033[1mone\\033[0m\\n'; read x; echo two; cat")
    await shows('log', 'one')
    expect(await cli('stream', 'log', '--with-ansi')).toEqual(done('\x1b[1mone\x1b[0m\r\n'))
    expect(await cli('stream', 'log', '--since-last')).toEqual(done('one\r\n'))
    await cli('stdin', 'log', '::Enter')
    await shows('log', 'two')
    expect(await answered({ action: 'stream', id: 'log', since_last: true })).toBe('\r\ntwo\r\n')
    expect(await cli('stream', 'log', '--since-last')).toEqual(done(''))
    await cli('stop', 'log')
  })

  test('ends its own sessions and leaves the rest', async () => {
    await answered({ action: 'start', command: 'cat', name: 'theirs' })
    await cli('start', 'a', 'cat')
    await cli('start', 'b', 'cat')
    expect(await cli('stop')).toEqual(done('stopped 2 processes\n'))
    expect((await cli('kill-server')).stdout).toMatch(/^Server killed\n0 of your sessions stopped; the server goes on/)
    expect((await cli('ls')).stdout).toContain('  theirs\n')
    await answered({ action: 'stop', id: 'theirs' })
  })

  test('prints its versions', async () => {
    expect(await cli('version')).toEqual(done('Server version: 1.3.3\nClient version: 1.3.3\n'))
  })

  test('prints its own version, and that no server runs, without one', async () => {
    const alone = scratchInstance()
    expect(await alone.cli('terminalcp', 'version')).toEqual({
      code: 1,
      stdout: 'Client version: 1.3.3\n',
      stderr: 'Failed to get server version: No server running\n',
    })
    expect(await alone.cli('terminalcp', 'kill-server')).toEqual(failed('No server running\n'))
  })

  test.each<[string, readonly string[], string]>([
    ['start without a command', ['start', 'x'], 'Missing required arguments\nagentpty terminalcp start ID'],
    ['stdin without text', ['stdin', 'x'], 'Missing required arguments\nagentpty terminalcp stdin ID'],
    ['resize to words', ['resize', 'x', 'wide', 'high'], 'cols and rows must be numbers\n'],
    ['an unknown word', ['dance'], 'Unknown command: dance\n'],
    ['an unknown flag', ['--version'], 'Unknown command: --version\n'],
    ['a short one', ['-x'], 'Unknown command: -x\n'],
    ['stop of none', ['stop', 'x'], 'Failed to stop session: Process not found: x\n'],
    ['stdout of none', ['stdout', 'x'], 'Failed to get stdout: Process not found: x\n'],
    ['stream of none', ['stream', 'x'], 'Failed to get stream: Process not found: x\n'],
    ['stdin of none', ['stdin', 'x', 'y'], 'Failed to send stdin: Session not found: x\n'],
    ['resize of none', ['resize', 'x', '80', '24'], 'Failed to resize terminal: Process not found: x\n'],
    ['term-size of none', ['term-size', 'x'], 'Failed to get terminal size: Process not found: x\n'],
  ])('%s is refused', async (_name, words, stderr) => {
    expect(await cli(...words)).toEqual(failed(expect.stringContaining(stderr) as unknown as string))
  })

  test('a person attaches to a session, and leaves it with ctrl+b', async () => {
    await answered({ action: 'start', command: 'cat', name: 'shared' })
    const rpc = await instance.rpc()
    const command = [process.execPath, program, 'terminalcp', 'attach', 'shared']
    const { terminalId } = await rpc.call('create', {
      command,
      cols: 90,
      rows: 20,
      waitFor: 'none',
      env: { ...instance.env },
    })
    const seen = async () => (await rpc.call('screenshot', { terminalId })).screen
    await until(async () => (await answered({ action: 'term-size', id: 'shared' })).startsWith('20 90 '))
    await rpc.call('send', { terminalId, text: 'typed here', waitFor: 'none' })
    await shows('shared', 'typed here\ntyped here')
    await until(async () => (await seen()).includes('typed here'))
    await rpc.call('sendKeys', { terminalId, keys: ['ctrl+b'], waitFor: 'exit' })
    expect(await seen()).toContain('Detached from shared')
    expect(await answered({ action: 'list' })).toContain('shared running')
    await rpc.call('close', { terminalId })
    await answered({ action: 'stop', id: 'shared' })
  })

  test('its help, and the command alone, name every action', async () => {
    expect((await cli()).stdout).toMatch(/stdin ID(.|\n)*kill-server(.|\n)*attach ID/)
    expect((await cli('--help')).stdout).toMatch(/stdin ID(.|\n)*kill-server(.|\n)*attach ID/)
  })
})
