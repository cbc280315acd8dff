/** The command line as a person or a script uses it, on the built product. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Finished } from '../harness/command-line.ts'
import { type Instance, program, run } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

let instance: Instance
beforeEach(() => {
  instance = scratchInstance()
})

const cli = (...args: readonly string[]): Promise<Finished> => instance.cliProcess(...args)

/** Runs `agentpty ARGS` with standard input. */
function fed(input: string, ...args: readonly string[]): Promise<Finished> {
  return new Promise((settle) => {
    const child = spawn(process.execPath, [program, ...args], { env: { ...instance.env } })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (bytes) => (stdout += bytes))
    child.stderr.on('data', (bytes) => (stderr += bytes))
    child.on('close', (code) => settle({ code: code ?? -1, stdout, stderr }))
    child.stdin.end(input)
  })
}

describe('run', () => {
  test('prints the output of its command, as plain text in a pipe, and returns its exit code', async () => {
    const result = await cli('run', 'printf "\\033[31mred\\033[0m\\nnext\\n"; exit 7')
    expect(result).toEqual({ code: 7, stdout: 'red\nnext\n', stderr: '' })
  })

  test('keeps escape sequences on request', async () => {
    expect((await cli('run', '--raw', 'printf "\\033[1mX"')).stdout).toBe('\x1b[1mX')
  })

  test('runs several words unchanged, including flags', async () => {
    expect((await cli('run', '--', 'printf', '%s|', 'a b', '--json')).stdout).toBe('a b|--json|')
    expect((await cli('run', 'printf', '%s|', '--help')).stdout).toBe('--help|')
  })

  test('loses none of a large output, and leaves no terminal', async () => {
    const { stdout } = await cli('run', 'seq 1 20000')
    expect(stdout).toBe(Array.from({ length: 20_000 }, (_, at) => `${at + 1}\n`).join(''))
    expect(JSON.parse((await cli('ls', '--json')).stdout).terminals).toEqual([])
  })

  test('exits with 128 + N for a command that signal N ended', async () => {
    expect((await cli('run', 'kill -TERM $$')).code).toBe(143)
  })

  test.each([
    ['lines', 'one\ntwo\n', 'cat', /two\s+one|one\s+two/],
    ['a line without an end', 'one', 'read -r word; echo "got $word"', /got one/],
    ['many lines', 'x\n'.repeat(5_000), 'wc -l', /^5000$/m],
  ])('types its standard input: %s', async (_what, input, command, output) => {
    const ran = await fed(input, 'run', command)
    expect(ran).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(output) })
  })

  test('in a pipe, reports a command’s question and how to answer it', async () => {
    const child = spawn(process.execPath, [program, 'run', 'read -p "sure? " x; echo "[$x]"'], {
      env: { ...instance.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = text(child.stdout)
    const [said] = (await once(child.stderr, 'data')) as [Buffer]
    const [, id = ''] = /it asks "sure\?" and waits\. Answer with: agentpty send (\S+) TEXT/.exec(said.toString()) ?? []
    await cli('send', id, 'yes')
    expect(await output).toContain('[yes]')
  })

  test('when interrupted, ends its command and all processes of it', async () => {
    const child = spawn(process.execPath, [program, 'run', 'echo up; sleep 1000 & wait'], { env: { ...instance.env } })
    const ended = new Promise((settle) => child.on('close', settle))
    await new Promise((settle) => child.stdout.once('data', settle))
    child.kill('SIGINT')
    expect(await ended).toBe(130)
    expect((await cli('ls')).stdout).toBe('No terminals.\n')
  })

  test('keeps the folder and variables of its shell', async () => {
    await cli('new', '--name', 'sh', '--wait', 'ready')
    expect((await cli('run', '--in', 'sh', 'cd /usr; false')).code).toBe(1)
    expect((await cli('run', '--in', 'sh', 'pwd')).stdout).toContain('/usr')
    expect((await cli('run', '--in', 'sh', '--cwd', '/', 'pwd')).stdout).toBe('/\n')
    expect((await cli('run', '--in', 'sh', 'echo a\nfalse\necho b')).stdout).toBe('a\nb\n')
    await cli('send', 'sh', '--no-enter', 'rm ')
    const refused = await cli('run', '--in', 'sh', 'pwd')
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('--clear-line') })
    expect((await cli('run', '--in', 'sh', '--clear-line', 'pwd')).stdout).toBe('/\n')
    const asks = await cli('run', '--in', 'sh', 'read answer\necho never typed')
    expect(asks.stderr).toContain('Not typed yet')
  })
})

describe('terminals', () => {
  test('are opened, typed into, read, renamed, resized and closed', async () => {
    expect((await cli('new', '--name', 'one', '--size', '90x20', '--wait', 'ready', '-e', 'COLOUR=blue')).stdout).toBe(
      'term-1\n',
    )
    expect((await cli('send', 'one', 'echo', '$COLOUR-$COLUMNS')).stdout).toContain('blue-90')
    await cli('resize', 'one', '100x30')
    expect((await cli('send', 'one', 'stty size')).stdout).toContain('30 100')
    await cli('rename', 'one', 'two')
    expect((await cli('ls')).stdout).toMatch(/term-1 +two +at its prompt/)
    expect((await cli('read', 'two', '--find', '^blue')).stdout).toContain('blue-90')
    expect((await cli('screen', 'two')).stdout).toContain('blue-90')
    expect((await cli('close', 'two')).code).toBe(0)
    expect((await cli('ls')).stdout).toBe('No terminals.\n')
  })

  test('keep their new name when the daemon is killed', async () => {
    await cli('new', '--name', 'before')
    await cli('rename', 'before', 'after')
    await instance.killDaemon()
    expect((await cli('ls')).stdout).toMatch(/term-1 +after/)
  })

  test('a taken name is refused, and the terminal keeps its own', async () => {
    await cli('new', '--name', 'a')
    await cli('new', '--name', 'b')
    const refused = await cli('rename', 'b', 'a')
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('is named "a"') })
    expect((await cli('ls')).stdout).toMatch(/term-2 +b/)
  })

  test('take text from standard input', async () => {
    await cli('new', '--name', 'cat', '--', 'cat')
    expect((await fed('from a pipe\n', 'send', 'cat', '-', '--wait', 'quiet:100')).stdout).toBe('from a pipe\n')
  })

  test('are all closed by --all, whichever client opened them', async () => {
    await (await instance.rpc()).call('create', { command: ['cat'] })
    await cli('new', 'cat')
    await cli('close', '--all')
    expect((await cli('ls')).stdout).toBe('No terminals.\n')
  })
})

describe('exit codes', () => {
  test.each<[string, readonly string[], number, RegExp]>([
    ['an option before a command', ['--nope'], 2, /no option "--nope" before a command.\nSee: agentpty --help/],
    ['the inner command with anything more', ['daemon', '--help'], 2, /no command "daemon"/],
    ['an unknown command', ['lst'], 2, /no command "lst".\nDid you mean: agentpty ls\nAll commands: agentpty --help/],
    ['a command with swapped letters', ['wiat'], 2, /no command "wiat".\nDid you mean: agentpty wait\n/],
    ['a command of another program', ['kill'], 2, /no command "kill".\nDid you mean: agentpty close\n/],
    ['a command like no other', ['frobnicate'], 2, /no command "frobnicate".\nSee: agentpty --help/],
    ['a name that every object has', ['constructor'], 2, /no command "constructor".\nSee: agentpty --help/],
    ['an unknown flag', ['ls', '--nope'], 2, /ls has no option --nope.\nSee: agentpty ls --help/],
    [
      'a flag with a wrong letter',
      ['wait', 'x', '--timeuot', '5'],
      2,
      /wait has no option --timeuot \(did you mean --timeout\?\)/,
    ],
    ['a missing word', ['send', 'x'], 2, /send takes ID TEXT/],
    ['a missing terminal', ['read', 'x'], 1, /No terminal "x"/],
    ['an invalid condition', ['wait', 'x', '--for', 'tomorrow'], 2, /nothing to wait for/],
    ['an invalid number', ['wait', 'x', '--timeout', 'soon'], 2, /not a whole number/],
  ])('%s', async (_name, args, code, stderr) => {
    expect(await cli(...args)).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(stderr) })
  })

  test('a wait reports whether the condition was met, timed out, or the program ended', async () => {
    await cli('new', '--name', 'quick', '--', 'sh', '-c', 'echo up; read x; exit 0')
    expect((await cli('wait', 'quick', '--for', 'text:up')).code).toBe(0)
    expect((await cli('wait', 'quick', '--for', 'text:never', '--timeout', '50')).code).toBe(4)
    await cli('send', 'quick', 'go', '--wait', 'exit')
    expect((await cli('wait', 'quick', '--for', 'text:never')).code).toBe(5)
  })
})

test('the help of the program names its commands, and a command shows its flags', async () => {
  const { stdout } = await cli('--help')
  expect([...stdout.matchAll(/^ {2}([a-z]+) /gm)].length).toBeGreaterThan(15)
  const help = await cli('wait', '--help')
  expect([help.code, help.stdout]).toEqual([0, expect.stringMatching(/agentpty wait(.|\n)*--json/)])
})

describe('config', () => {
  const write = async (text: string) => writeFileSync((await cli('config', 'path')).stdout.trim(), text)

  test('is read by the daemon, and shows the origin of each value', async () => {
    await write('cols: 77 # narrow\n')
    await cli('new', '--name', 'sh', '--wait', 'ready')
    expect((await cli('send', 'sh', 'stty size')).stdout).toContain('30 77')
    expect((await cli('config')).stdout).toMatch(/cols +77 +\S+config.yaml:1 +Columns/)
  })

  test('with an error starts no daemon: the file and line are named, also by the doctor', async () => {
    await write('rows: 20\nrwos: 3\n')
    const want = expect.stringContaining('config.yaml:2: there is no setting "rwos"')
    expect(await cli('ls')).toMatchObject({ code: 2, stderr: want })
    expect(await cli('doctor')).toMatchObject({ code: 1, stdout: want })
  })

  test('written by agentpty as an example is valid', async () => {
    const { stdout } = await cli('config', 'example')
    await write(stdout.replaceAll(/^# (?=\w+: )/gm, ''))
    expect((await cli('ls')).code).toBe(0)
    const { stdout: settings } = await cli('config')
    expect(settings.split('\n').filter((line) => / default /.test(line))).toEqual([
      expect.stringMatching(/^policy /),
      expect.stringMatching(/^agents /),
      expect.stringMatching(/^notify /),
      expect.stringMatching(/^recording /),
      expect.stringMatching(/^gym /),
    ])
  })
})

describe('completion', () => {
  beforeEach(async () => {
    await cli('new', '--name', 'build')
    // The shells must find a command named agentpty.
    mkdirSync(join(instance.user, 'bin'))
    writeFileSync(join(instance.user, 'bin', 'agentpty'), `#!/bin/sh\nexec ${process.execPath} ${program} "$@"\n`, {
      mode: 0o755,
    })
  })
  const inShell = (shell: string, script: string) =>
    run(shell, shell === 'fish' ? ['-c', script] : shell === 'zsh' ? ['-fc', script] : ['-c', script], {
      ...instance.env,
      PATH: `${join(instance.user, 'bin')}:${instance.env['PATH']}`,
    })

  test('in bash', async () => {
    const script = `eval "$(agentpty completion bash)"; ask() { COMP_LINE="$1" COMP_POINT=\${#1}; _agentpty; echo "\${COMPREPLY[*]}"; }
      ask 'agentpty re'; ask 'agentpty send b'; ask 'agentpty wait term-1 '; ask 'agentpty new --wait text'; ask 'agentpty new --wait ready:h'`
    expect((await inShell('bash', script)).stdout).toBe(
      'read rename resize release recordings replay recording report\nbuild\nbuild term-1\ntext:\nhigh\n',
    )
  })

  test('in fish', async () => {
    const script = 'agentpty completion fish | source; complete -C "agentpty send b"; complete -C "agentpty sta"'
    expect((await inShell('fish', script)).stdout).toMatch(/^build\t.*\nstatus\t/)
  })

  test('in zsh', async () => {
    const script = `autoload -Uz compinit; compinit -u -D; _describe() { print -l -- $found }; eval "$(agentpty completion zsh)"
      words=(agentpty send b); CURRENT=3; _agentpty`
    expect((await inShell('zsh', script)).stdout).toContain('build:')
  })

  test('starts no daemon for a Tab', async () => {
    await cli('stop', '--all')
    expect((await cli('__complete', 'send', '')).stdout).toBe('')
    expect(instance.processes()).toEqual([])
  })
})

describe('errors use the words of the command line', () => {
  test.each<[string, readonly string[], number, string]>([
    [
      'a size',
      ['new', '--size', '1x1'],
      2,
      'agentpty new: size: Too small: expected number to be >=2.\nSee: agentpty new --help\n',
    ],
    [
      'a name',
      ['new', '--name', 'a b'],
      2,
      'agentpty new: NAME: letters, digits, "_", "." and "-" only.\nSee: agentpty new --help\n',
    ],
    ['nothing open', ['read', 'x'], 1, 'agentpty: No terminal "x".\nNone is open: start with agentpty new.\n'],
  ])('%s', async (_what, args, code, stderr) => {
    expect(await cli(...args)).toEqual({ code, stdout: '', stderr })
  })

  test('a key', async () => {
    await cli('new', '--name', 'sh')
    expect(await cli('keys', 'sh', 'entr')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Text belongs in agentpty send\.\n$/),
    })
    await cli('new', '--name', 'over', 'exit 0')
    await cli('wait', 'over', '--for', 'exit')
    expect((await cli('send', 'over', 'x')).stderr).toContain(
      'Read its output with agentpty read, or open a new terminal.',
    )
  })

  test('a socket folder open to other users is a fault of the machine, not of the arguments', async () => {
    await cli('ls')
    await cli('stop', '--all')
    chmodSync(instance.paths.runFolder, 0o777)
    expect(await cli('ls')).toMatchObject({ code: 3, stderr: expect.stringContaining('is open to other users') })
    chmodSync(instance.paths.runFolder, 0o700)
  })
})

describe('from inside a terminal', () => {
  const pids = new Map<string, number>()
  const inside = async (terminalId: string, ...args: readonly string[]) => {
    const { terminals } = JSON.parse((await cli('ls', '--json')).stdout)
    for (const one of terminals) pids.set(one.terminalId, one.pid)
    const pid = pids.get(terminalId)
    const claim = pid === undefined ? { AGENTPTY_TERMINAL: terminalId } : instance.environmentIn(pid)
    return run(process.execPath, [program, ...args], { ...instance.env, ...claim })
  }

  test.each<[string, (id: string) => readonly string[]]>([
    ['close by its id', (id) => ['close', id]],
    ['close by its name', () => ['close', 'mine']],
    ['close of several', (id) => ['close', 'other', id]],
    ['close of all', () => ['close', '--all']],
    ['stop of all', () => ['stop', '--all']],
  ])('%s is refused without --force, and nothing is closed', async (_what, args) => {
    const id = (await cli('new', '--name', 'mine')).stdout.trim()
    await cli('new', '--name', 'other')
    const result = await inside(id, ...args(id))
    expect(result).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/terminal that you run in\.\n.*add --force\.\n$/),
    })
    expect(JSON.parse((await cli('ls', '--json')).stdout).terminals).toHaveLength(2)
    expect(await inside(id, ...args(id), '--force')).toMatchObject({ code: 0 })
  })

  test('other terminals are closed as usual', async () => {
    const id = (await cli('new', '--name', 'mine')).stdout.trim()
    await cli('new', '--name', 'other')
    expect(await inside(id, 'close', 'other')).toMatchObject({ code: 0 })
    expect(await inside('term-99', 'stop', '--all')).toMatchObject({ code: 0 })
  })

  test('a program typed there is refused as well', async () => {
    const rpc = await instance.rpc()
    const { terminalId } = await rpc.call('create', { shell: '/bin/bash' })
    const command = `${process.execPath} ${program} close $AGENTPTY_TERMINAL`
    const result = await rpc.call('run', { terminalId, command })
    expect(result).toMatchObject({ exitCode: 1, output: expect.stringContaining('that you run in') })
    await rpc.close()
  })
})

test.each([['ls'], ['run', '--', 'true'], ['mcp']])('a deleted working folder is named: %s', async (...words) => {
  const script = `mkdir gone; cd gone; rmdir ../gone; exec "$@" < /dev/null`
  const command = [process.execPath, program, ...words]
  const ran = await run('/bin/sh', ['-c', script, 'sh', ...command], instance.env, { cwd: instance.user })
  expect(ran).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^agentpty: The working folder does not exist.*\n.*cd ~\n$/),
  })
})

test('in a pipe the whole output is printed, whatever its length', async () => {
  const rpc = await instance.rpc()
  const { terminalId } = await rpc.call('create', { command: 'seq 1 300000; exec cat', waitFor: { text: '300000\n' } })
  const lines = Array.from({ length: 300_000 }, (_, index) => `${index + 1}\n`).join('')
  expect((await cli('read', terminalId)).stdout === lines).toBe(true)
  expect((await cli('read', terminalId, '--raw')).stdout === lines.replaceAll('\n', '\r\n')).toBe(true)
  expect((await cli('read', terminalId, '--max-bytes', '1000')).stdout).toContain('omitted')
  await rpc.close()
})
