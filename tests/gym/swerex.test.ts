/** The SWE-ReX door, as its remote runtime uses it. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WireClient } from '@agentpty/protocol/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../harness/instance.ts'
import { scratchFolder } from '../harness/scratch.ts'
import { type Answer, Door } from './door.ts'

let door: Door
let client: WireClient

beforeAll(async () => {
  door = await Door.open('gym:\n  swerex:\n    environmentsMax: 2\n')
  client = await door.instance.rpc()
  expect(await rex('create_session', { startup_source: [] })).toMatchObject({
    status: 200,
    body: { session_type: 'bash' },
  })
})

afterAll(async () => {
  assert.deepEqual(await door.instance.stop(), [])
})

/** Sends a request like its client: the key in its own header, and an id for each request. */
function rex(path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return door.ask(`/gym/swerex/${path}`, body, { authorization: '', 'x-api-key': door.token, ...headers })
}

const run = (command: string, more: object = {}) => rex('run_in_session', { command, action_type: 'bash', ...more })
const raised = (name: string, more: object = {}) => ({
  status: 511,
  body: { swerexception: { class_path: name, message: expect.any(String), traceback: '', ...more } },
})
const own = (name: string, more: object = {}) => raised(`swerex.exceptions.${name}`, more)

describe('a command in a session', () => {
  test.each<[string, string, string, number]>([
    ['a plain line', 'echo hello', 'hello\n', 0],
    ['quotes and variables', 'x="a b"; echo "$x"', 'a b\n', 0],
    ['what an earlier one has set', 'echo $x', 'a b\n', 0],
    ['a folder that is changed to', 'cd /tmp && pwd', '/tmp\n', 0],
    ['stays changed', 'pwd', '/tmp\n', 0],
    ['several lines', 'for n in 1 2\ndo\n  echo $n\ndone\necho end', '1\n2\nend\n', 0],
    ['a here-document with tabs', "cat <<'EOF'\n\tone\n$two\nEOF", '\tone\n$two\n', 0],
    ['an exclamation mark', 'echo "hi!"', 'hi!\n', 0],
    ['what is no English', "printf 'Grüße, 世界\\n'", 'Grüße, 世界\n', 0],
    ['tabs and blanks at the end of lines', "printf 'a\\tb  \\n \\n'", 'a\tb  \n \n', 0],
    ['line ends before, after and alone', "printf '\\n\\nx\\n\\n\\n'", '\n\nx\n\n\n', 0],
    ['no line end', "printf '50%%\\r100%%'", '50%\r100%', 0],
    ['nothing', '', '', 0],
    ['a comment', '# nothing', '', 0],
    ['many lines of output', 'seq 1 5000', `${Array.from({ length: 5_000 }, (_, at) => at + 1).join('\n')}\n`, 0],
    ['one that fails', '(exit 7)', '', 7],
  ])('%s', async (_what, command, output, exitCode) => {
    const { status, body } = await run(command, { check: 'silent' })
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { exit_code: exitCode, expect_string: 'SHELLPS1PREFIX', failure_reason: '', session_type: 'bash' },
    })
    expect(body['output']).toBe(output)
  })

  test.each([
    ['holds bytes that are not UTF-8', String.raw`printf 'caf\351\n'`, '1 byte is not UTF-8 and shown as U+FFFD.'],
    ['is longer than what is kept', 'seq 1 1500000', expect.stringMatching(/^\d+ earlier bytes are no longer kept\.$/)],
  ])('output that %s is reported in failure_reason', async (_what, command, failure_reason) => {
    const { status, body } = await run(command, { check: 'silent' })
    expect({ status, body }).toMatchObject({ status: 200, body: { exit_code: 0, failure_reason } })
  })

  test('200 random outputs arrive unchanged', async () => {
    const characters = [
      '\t',
      '\n',
      ' ',
      '  ',
      '\n\n',
      'é',
      '字',
      '🙂',
      ...Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)),
    ]
    let state = 7
    const next = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((state / 2_147_483_648) * below)
    }
    for (let trial = 0; trial < 200; trial++) {
      const printed = Array.from({ length: next(120) }, () => characters[next(characters.length)]).join('')
      const command = `base64 -d <<< '${Buffer.from(printed).toString('base64')}'`
      expect((await run(command)).body['output']).toBe(printed)
    }
  })

  test('that fails is raised on request, and otherwise not', async () => {
    expect(await run('echo said; false', { error_msg: 'Ours' })).toMatchObject(
      own('NonZeroExitCodeError', {
        message: expect.stringMatching(/^Ours: Command 'echo said; false' failed with exit code 1\./),
        extra_info: { output: 'said\n', exit_code: 1 },
      }),
    )
    expect(await run('false', { check: 'ignore' })).toMatchObject({ status: 200, body: { exit_code: null } })
  })

  test.each<[string, string]>([
    ['in one of its lines', 'touch ran\nif true; then'],
    ['in one line', 'touch ran; done'],
    ['that is a missing rest', 'touch ran; if true; then'],
    ['that is a missing quote', 'touch ran; echo "'],
  ])('with a fault %s is not run at all', async (_where, command) => {
    expect(await run(command)).toMatchObject(
      own('BashIncorrectSyntaxError', {
        extra_info: { bash_stderr: expect.stringMatching(/syntax error|unexpected EOF/) },
      }),
    )
    expect(await run('ls ran', { check: 'silent' })).toMatchObject({ body: { exit_code: 2 } })
  })

  test('that looks like a fault but has none is run', async () => {
    expect(await run('echo syntax error; (exit 2)', { check: 'silent' })).toMatchObject({
      status: 200,
      body: { output: 'syntax error\n', exit_code: 2 },
    })
  })

  test('that times out returns its output, and is interrupted', async () => {
    expect(await run("sh -c 'echo so far; exec sleep 1000'", { timeout: 1 })).toMatchObject(
      own('CommandTimeoutError', {
        message: expect.stringMatching(/^timeout after 1 seconds/),
        extra_info: { output: expect.stringContaining('so far') },
      }),
    )
    expect(await run('echo next', { timeout: 1 })).toMatchObject(own('CommandTimeoutError'))
    const interrupt = { action_type: 'bash_interrupt', timeout: 5 }
    expect(await rex('run_in_session', interrupt)).toMatchObject({ status: 200, body: { exit_code: 0 } })
    expect(await run('echo next')).toMatchObject({ body: { output: 'next\n', exit_code: 0 } })
  })

  test('that ignores the interrupt is ended', async () => {
    const stubborn = `python3 -c "import signal, time; signal.signal(signal.SIGINT, signal.SIG_IGN); print('deaf', flush=True); time.sleep(1000)"`
    expect(await run(stubborn, { expect: ['deaf'] })).toMatchObject({ status: 200, body: { expect_string: 'deaf' } })
    expect(await rex('run_in_session', { action_type: 'bash_interrupt', n_retry: 1, timeout: 0.2 })).toMatchObject({
      status: 200,
    })
    expect(await run('echo back')).toMatchObject({ body: { output: 'back\n' } })
  })

  test('that asks reports it immediately, and is answered', async () => {
    expect(await run('read -p "Name? " name')).toMatchObject(
      own('NoExitCodeError', { message: expect.stringContaining('waits for input') }),
    )
    expect(await run('Ada', { is_interactive_command: true })).toMatchObject({ status: 200 })
    expect(await run('echo $name')).toMatchObject({ body: { output: 'Ada\n' } })
  })

  test('talks to a REPL by its prompt, or without knowing it', async () => {
    const talk = (command: string, more: object = {}) => run(command, { is_interactive_command: true, ...more })
    expect(await talk('python3 -q', { expect: ['>>> '] })).toMatchObject({
      body: { expect_string: '>>> ', exit_code: 0 },
    })
    expect(await talk('6 * 7', { expect: ['>>> '] })).toMatchObject({ body: { output: '42', expect_string: '>>> ' } })
    expect(await talk('print("a", 5)', { expect: ['a [0-9]'] })).toMatchObject({ body: { expect_string: 'a [0-9]' } })
    expect(await talk('1 + 1')).toMatchObject({ body: { output: expect.stringContaining('2') } })
    expect(await run('exit()', { is_interactive_quit: true })).toMatchObject({
      body: { exit_code: 0, expect_string: 'SHELLPS1PREFIX' },
    })
    expect(await run('echo shell')).toMatchObject({ body: { output: 'shell\n' } })
  })

  test('that ends the shell is reported, and its session is reopened', async () => {
    await rex('create_session', { session: 'short' })
    expect(await run('exit 3', { session: 'short' })).toMatchObject(
      raised('pexpect.exceptions.EOF', { extra_info: { exit_code: 3 } }),
    )
    expect(await rex('close_session', { session: 'short' })).toMatchObject({ status: 200 })
    expect(await rex('create_session', { session: 'short' })).toMatchObject({ status: 200 })
    expect(await run('echo again', { session: 'short' })).toMatchObject({ body: { output: 'again\n' } })
    await rex('close_session', { session: 'short' })
  })

  test('a retry with the same id does nothing twice', async () => {
    const headers = { 'x-request-id': 'one' }
    const body = { command: 'count=$((count + 1)); echo $count' }
    const answers = await Promise.all([1, 2, 3].map(() => rex('run_in_session', body, headers)))
    expect(answers.map((answer) => answer.body['output'])).toEqual(['1\n', '1\n', '1\n'])
    expect((await rex('run_in_session', body, { 'x-request-id': 'two' })).body['output']).toBe('2\n')
  })

  test('commands of one session wait for each other, those of another do not', async () => {
    await rex('create_session', { session: 'other' })
    await run('rm -f /tmp/pipe; mkfifo /tmp/pipe')
    const slow = run('cat /tmp/pipe')
    const after = run('echo after')
    expect(await run('echo through > /tmp/pipe', { session: 'other' })).toMatchObject({ status: 200 })
    expect([(await slow).body['output'], (await after).body['output']]).toEqual(['through\n', 'after\n'])
    await rex('close_session', { session: 'other' })
  })
})

describe('sessions', () => {
  test('are known by their names', async () => {
    expect(await rex('create_session', {})).toMatchObject(own('SessionExistsError'))
    expect(await run('ls', { session: 'none' })).toMatchObject(own('SessionDoesNotExistError'))
    expect(await rex('close_session', { session: 'none' })).toMatchObject(own('SessionDoesNotExistError'))
  })

  test('read files at their start', async () => {
    await rex('write_file', { path: '/tmp/own rc', content: 'echo loaded; greeting=hey\n' })
    const started = await rex('create_session', { session: 'rc', startup_source: ['/tmp/own rc'] })
    expect(started.body['output']).toBe('loaded\n')
    expect(await run('echo $greeting', { session: 'rc' })).toMatchObject({ body: { output: 'hey\n' } })
    await rex('close_session', { session: 'rc' })
  })
})

describe('beside sessions', () => {
  test.each<[string, object, object]>([
    ['a list', { command: ['echo', 'a b'] }, { stdout: 'a b\n', stderr: '', exit_code: 0 }],
    [
      'a line by a shell',
      { command: 'echo $((40 + 2)); echo no >&2; exit 3', shell: true },
      { stdout: '42\n', stderr: 'no\n', exit_code: 3 },
    ],
    [
      'both outputs as one',
      { command: 'echo a; echo b >&2', shell: true, merge_output_streams: true },
      { stdout: 'a\nb\n', stderr: '' },
    ],
    [
      'a folder and variables',
      { command: 'pwd; echo $OWN', shell: true, cwd: '/tmp', env: { OWN: 'yes' } },
      { stdout: '/tmp\nyes\n' },
    ],
    ['bytes that are no text', { command: "printf 'a\\377'", shell: true }, { stdout: 'a\\xff' }],
  ])('%s is executed', async (_what, command, want) => {
    expect(await rex('execute', command)).toMatchObject({ status: 200, body: want })
  })

  test('a failing or slow command is raised', async () => {
    expect(await rex('execute', { command: 'echo out; false', shell: true, check: true })).toMatchObject(
      own('NonZeroExitCodeError', { extra_info: { stdout: 'out\n' } }),
    )
    expect(await rex('execute', { command: 'echo out; sleep 1000', shell: true, timeout: 0.3 })).toMatchObject(
      own('CommandTimeoutError', { extra_info: { stdout: 'out\n' } }),
    )
  })

  test('files are written with the folders above them, and read', async () => {
    const content = 'Grüße\r\n\ttab\n'
    expect(await rex('write_file', { path: '/tmp/new/deep/file', content })).toMatchObject({ status: 200 })
    expect(await rex('read_file', { path: '/tmp/new/deep/file' })).toMatchObject({ body: { content } })
    expect(await rex('read_file', { path: '/none' })).toMatchObject(raised('builtins.FileNotFoundError'))
    expect(await rex('read_file', { path: '/tmp' })).toMatchObject(raised('builtins.IsADirectoryError'))
    await rex('execute', { command: "printf 'a\\377b' > /tmp/bytes", shell: true })
    expect(await rex('read_file', { path: '/tmp/bytes' })).toMatchObject(raised('builtins.UnicodeDecodeError'))
    for (const [errors, want] of [
      ['replace', 'a\uFFFDb'],
      ['ignore', 'ab'],
      ['backslashreplace', 'a\\xffb'],
    ])
      expect(await rex('read_file', { path: '/tmp/bytes', errors })).toMatchObject({ body: { content: want } })
    expect(await rex('read_file', { path: '/tmp/bytes', encoding: 'latin1' })).toMatchObject({
      body: { content: 'aÿb' },
    })
    expect(await rex('read_file', { path: '/tmp/bytes', encoding: 'klingon' })).toMatchObject(
      raised('builtins.LookupError'),
    )
  })

  test('files and folders are uploaded', async () => {
    const bytes = new Uint8Array(200_000).map((_, at) => at % 251)
    expect(await send({ file: bytes, target_path: '/tmp/up/bytes', unzip: 'false' })).toBe(200)
    expect(await rex('execute', { command: ['wc', '-c', '/tmp/up/bytes'] })).toMatchObject({
      body: { stdout: '200000 /tmp/up/bytes\n' },
    })
    expect(await send({ file: zipped({ 'a/b.txt': 'in there\n' }), target_path: '/tmp/folder', unzip: 'true' })).toBe(
      200,
    )
    expect(await rex('read_file', { path: '/tmp/folder/a/b.txt' })).toMatchObject({ body: { content: 'in there\n' } })
    expect(await send({ file: bytes, target_path: '/tmp/folder', unzip: 'true' })).toBe(511)
    expect(await send({ target_path: '/tmp/folder' })).toBe(422)
  })
})

async function send({
  file,
  ...fields
}: {
  file?: Uint8Array<ArrayBuffer>
  target_path: string
  unzip?: string
}): Promise<number> {
  const form = new FormData()
  if (file !== undefined) form.set('file', new Blob([file]), 'file')
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const response = await fetch(`${door.url}/gym/swerex/upload`, {
    method: 'POST',
    headers: { 'x-api-key': door.token },
    body: form,
  })
  await response.arrayBuffer()
  return response.status
}

function zipped(files: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  const folder = scratchFolder()
  const code =
    'import sys, json, zipfile\nwith zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z:\n for n, t in json.loads(sys.argv[2]).items(): z.writestr(n, t)'
  writeFileSync(join(folder, 'make.py'), code)
  execFileSync('python3', [join(folder, 'make.py'), join(folder, 'it.zip'), JSON.stringify(files)])
  return new Uint8Array(readFileSync(join(folder, 'it.zip')))
}

describe('runtimes', () => {
  test('each name in the address is a runtime with its own container, which is removed when closed', async () => {
    expect(await rex('second/create_session', {})).toMatchObject({ status: 200 })
    await rex('second/write_file', { path: '/tmp/only', content: 'here' })
    expect(await rex('read_file', { path: '/tmp/only' })).toMatchObject(raised('builtins.FileNotFoundError'))
    expect(await rex('third/create_session', {})).toMatchObject(own('SwerexException'))
    expect(await rex('second/close', {})).toEqual({ status: 200, body: {} })
    await until(async () => (await client.call('environments', {})).environments.length === 1)
    expect(await rex('second/run_in_session', { command: 'ls' })).toMatchObject(own('SessionDoesNotExistError'))
    expect(await rex('second/read_file', { path: '/tmp/only' })).toMatchObject(raised('builtins.FileNotFoundError'))
    await rex('second/close', {})
  })

  test('nothing exists before it is needed', async () => {
    expect(await rex('is_alive')).toEqual({ status: 200, body: { is_alive: true, message: '' } })
    expect(await rex('')).toMatchObject({ status: 200 })
    expect((await client.call('environments', {})).environments).toHaveLength(1)
  })

  test.each<[string, () => Record<string, string>, number]>([
    ['no key', () => ({ 'x-api-key': '' }), 401],
    ['a wrong one', () => ({ 'x-api-key': 'wrong' }), 401],
    ['the token as others bring it', () => ({ 'x-api-key': '', authorization: `Bearer ${door.token}` }), 200],
    ['a page of elsewhere', () => ({ origin: 'https://evil.example' }), 403],
  ])('%s gets the right status', async (_who, headers, status) => {
    expect((await rex('is_alive', undefined, headers())).status).toBe(status)
  })

  test('an invalid request reports the problem', async () => {
    expect(await rex('run_in_session', { check: 'loud' })).toMatchObject({ status: 422 })
    expect(await rex('create_session')).toMatchObject({ status: 405 })
    expect(await rex('fly', {})).toMatchObject({ status: 404 })
  })
})
