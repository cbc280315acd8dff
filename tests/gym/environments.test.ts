/** Environments with real programs: the effect of each action, the content of a step, the end of an episode, and the isolation. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Action } from '@agentpty/protocol/gym'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Attack, behindWalls, users } from '../harness/behind-walls.ts'
import { until } from '../harness/instance.ts'
import { GymClient, type TestEnvironment } from './gym-client.ts'

describe.each(users)('as %s', (_name, userId) => {
  const walls = behindWalls(userId)
  let gym: GymClient
  let shell: TestEnvironment
  let attacked: TestEnvironment | undefined

  beforeAll(async () => {
    gym = new GymClient(walls.client)
    shell = await gym.make({})
    await shell.reset()
  })

  afterAll(async () => {
    await shell.close()
    await attacked?.close()
    expect(readdirSync(join(walls.instance.paths.cacheFolder, 'gym')).filter((name) => /^env-/.test(name))).toEqual([])
  })

  test.each<[string, Action, RegExp]>([
    ['a string is typed, and Enter pressed', 'echo one; echo two', /one\ntwo\n.*#$/],
    ['text with Enter', { type: 'send', text: 'echo sent', enter: true }, /^sent\n/],
    ['text without Enter stands at the prompt', { type: 'send', text: 'echo later' }, /^$|echo later/],
    ['keys', { type: 'keys', keys: ['enter'] }, /later\n/],
    ['what Terminus writes', { keystrokes: 'echo kept; false\n', duration: 1 }, /kept\n/],
    ['of several lines, each is entered', { keystrokes: 'echo a1\necho a2\n', duration: 2 }, /a1\n[\s\S]*a2\n/],
    ['a key by tmux’s name', { keystrokes: 'C-c', duration: 0.5 }, /\^C/],
    ['a leading dash is a text as any other', '-n; echo dash', /dash/],
    ['a signal reaches the program in the foreground', { type: 'signal', signal: 'SIGWINCH' }, /^[\s\S]*$/],
    ['a paste of several lines', { type: 'paste', text: 'echo p1\necho p2' }, /^[\s\S]*$/],
    ['is run by Enter', { type: 'keys', keys: ['enter'] }, /p1\np2\n/],
  ])('%s', async (_what, action, shown) => {
    const { observation, reward, terminated, truncated, info } = await shell.step(action)
    expect(observation).toMatch(shown)
    expect({ reward, terminated, truncated, state: info.state }).toEqual({
      reward: 0,
      terminated: false,
      truncated: false,
      state: 'ready',
    })
  })

  test('a step returns the exit code, and the output since the previous step', async () => {
    expect((await shell.step('false')).info.exitCode).toBe(1)
    const { info } = await shell.step('(sleep 0.2; echo in between) & true')
    await until(async () => (await shell.output('pgrep sleep || true')) === '')
    const next = await shell.step('echo next')
    expect(next.observation).toMatch(/in between[\s\S]*next\n/)
    expect(next.info.cursor.from).toBe(info.cursor.to)
  })

  test('a slow step is busy and not over, and a wait continues it', async () => {
    const slow = await gym.make({ stepTimeoutMs: 300 })
    await slow.reset()
    const first = await slow.step('sleep 0.8; echo woken')
    expect(first).toMatchObject({ reward: 0, terminated: false, truncated: false, info: { state: 'busy' } })
    let seen = ''
    for (let turn = 0; turn < 20 && !seen.includes('woken'); turn++)
      seen += (await slow.step({ type: 'wait' })).observation
    expect(seen).toMatch(/^woken\n/m)
    await slow.close()
  })

  test('an episode ends with its program, by finish, by success, and after its last step', async () => {
    const python = await gym.make({ program: ['python3', '-q'], success: { text: 'treasure' }, maxEpisodeSteps: 2 })
    const { observation, info } = await python.reset()
    expect({ observation, kind: info.kind }).toEqual({ observation: '>>>', kind: 'repl' })
    expect(await python.step('6 * 7')).toMatchObject({ observation: '42\n>>>', terminated: false, truncated: false })
    expect(await python.step('1')).toMatchObject({ terminated: false, truncated: true })
    await expect(python.step('2')).rejects.toMatchObject({ code: 'invalid_input' })
    await python.reset()
    expect(await python.step('"trea" + "sure"')).toMatchObject({ reward: 1, terminated: true, truncated: false })
    await python.reset()
    const ended = await python.step('raise SystemExit(3)')
    expect(ended).toMatchObject({ reward: 0, terminated: true, info: { state: 'exited', exitCode: 3 } })
    await python.reset()
    expect(await python.step({ type: 'finish' })).toMatchObject({ observation: '', reward: 0, terminated: true })
    await python.close()
  })

  test('a full-screen program returns its screen, and a resize returns the new drawing', async () => {
    const vim = await gym.make({ program: ['vim', '-Z', '-u', 'NONE', '-n', 'text'], rows: 12, cols: 40 })
    await vim.reset()
    const typed = await vim.step({ type: 'keys', keys: ['i', 'h', 'i', 'escape'] })
    expect(typed.observation.split('\n')).toHaveLength(12)
    expect(typed.observation).toMatch(/^hi/)
    const resized = await vim.step({ type: 'resize', rows: 6, cols: 30 })
    // Its last row may be empty, and is then not shown.
    expect(resized.observation).toMatch(/^hi(?:\n~){3,4}(?:\n.*)?$/)
    await vim.step(':w')
    expect(await vim.output('cat text')).toBe('hi\n')
    await vim.close()
  })

  test('a resize and a signal end a step only after the program has responded', async () => {
    const program = `import signal, sys
signal.signal(signal.SIGWINCH, lambda *_: print("size", *__import__("os").get_terminal_size(), flush=True))
signal.signal(signal.SIGUSR1, lambda *_: print("signal", flush=True))
print("started", flush=True)
for line in sys.stdin: print(line)`
    const python = await gym.make({ program: ['python3', '-c', program] })
    expect((await python.reset()).observation).toContain('started')
    for (const cols of [70, 60, 50, 40]) {
      const resized = await python.step({ type: 'resize', rows: 10, cols })
      expect(resized.observation).toBe(`size ${cols} 10`)
      const signalled = await python.step({ type: 'signal', signal: 'SIGUSR1' })
      expect(signalled.observation).toBe('signal')
    }
    await python.close()
  })

  test('text shown since an action is not waited for, and typed text does not count', async () => {
    const waiting = await gym.make({ program: 'echo welcome; exec bash --norc' })
    await waiting.reset()
    const welcome = await waiting.step({ type: 'wait', until: { text: 'welcome' } })
    expect(welcome).toMatchObject({ observation: '', info: { state: 'ready' } })
    expect((await waiting.step('echo come')).observation).toMatch(/^come\n/)
    const come = await waiting.step({ type: 'wait', until: { text: 'come' } })
    expect(come).toMatchObject({ observation: '', info: { state: 'ready' } })
    await waiting.step('clear')
    const gone = await waiting.step({ type: 'wait', until: [{ text: 'come' }, { quietMs: 50 }] })
    expect(gone.info.state).toBe('ready')
    await waiting.step({ type: 'send', text: 'sleep 0.3; echo ho""ho # hoho' })
    await waiting.step({ type: 'keys', keys: ['enter'] })
    const later = await waiting.step({ type: 'wait', until: { text: 'hoho\n' } })
    expect(later.info.state).toBe('ready')
    await waiting.close()
  })

  test('programs see the requested time, all the same, and it advances', async () => {
    const clocked = await gym.make({ clock: { startAt: '2031-05-06T07:08:09+00:00' } })
    const python = `import datetime, time; print(datetime.datetime.now().year, time.time() > ${Date.UTC(2031, 4, 6, 7, 8, 9) / 1000})`
    for (let episode = 0; episode < 2; episode++) {
      await clocked.reset()
      expect((await clocked.step('date +%FT%H:%M')).observation).toMatch(/^2031-05-06T07:0[89]\n/)
      expect((await clocked.step(`python3 -c '${python}'`)).observation).toMatch(/^2031 True\n/)
      expect(
        (await clocked.step('a=$(date +%s%N); sleep 0.1; test $(date +%s%N) -gt $((a + 90000000))')).info.exitCode,
      ).toBe(0)
      expect(await clocked.output('date +%F')).toBe('2031-05-06\n')
    }
    await clocked.close()
  })

  test('a program requested by another one, like gpg’s pinentry, waits for its person', async () => {
    const asked = await gym.make({})
    await asked.reset()
    await asked.step('gpg -k 2>/dev/null; echo content > file')
    const asks = await asked.step('gpg -c file')
    expect(asks.observation).toContain('Passphrase:')
    expect(asks.info).toMatchObject({ state: 'ready', confidence: 'low' })
    await asked.close()
  })

  test('closing ends a running step, which reports a failure of the machinery', async () => {
    const closed = await gym.make({})
    await closed.reset()
    const step = closed.step('sleep 50')
    await until(async () => (await closed.output('pgrep -c sleep || true')).trim() === '1')
    await closed.close()
    expect(await step).toMatchObject({ reward: 0, truncated: true, info: { infraError: { code: expect.any(String) } } })
  })

  test('several terminals share one container', async () => {
    const two = await gym.make({ terminals: { calc: ['bc', '-q'], shell: 'exec bash --norc' } })
    const { info } = await two.reset()
    expect(info.terminals).toEqual({
      calc: expect.stringMatching(/^term-\d+$/),
      shell: expect.stringMatching(/^term-\d+$/),
    })
    expect((await two.step({ type: 'send', text: '2^64', enter: true, terminal: 'calc' })).observation).toMatch(
      /^18446744073709551616\n?/,
    )
    await two.step('echo shared > file')
    const other = await two.step({ type: 'send', text: 'cat file; pgrep -c bc', enter: true, terminal: 'shell' })
    expect(other.observation).toMatch(/^shared\n1\n/)
    await expect(two.step({ type: 'keys', keys: ['a'], terminal: 'none' })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    await two.close()
  })

  test('layers are mounted at their paths, above the system’s files', async () => {
    const [data, etc, local] = ['data', 'etc', 'local'].map((name) => walls.outside(name))
    walls.write(join(data ?? '', 'in/side'), 'data\n')
    walls.write(join(etc ?? '', 'own.conf'), 'own\n')
    walls.write(join(local ?? '', 'tool'), 'tool\n')
    const layers = [
      { target: '/data', folder: data ?? '' },
      { target: '/etc', folder: etc ?? '' },
      { target: '/usr/local/bin', folder: local ?? '' },
    ]
    const layered = await gym.make({ layers })
    await layered.reset()
    expect(await layered.output('cat /data/in/side /etc/own.conf /usr/local/bin/tool; head -c 5 /etc/passwd')).toBe(
      'data\nown\ntool\nroot:',
    )
    await layered.step('echo more >> /data/in/side; echo more >> /etc/own.conf')
    expect(await layered.output('cat /data/in/side /etc/own.conf')).toBe('data\nmore\nown\nmore\n')
    await layered.reset()
    expect(await layered.output('cat /data/in/side /etc/own.conf')).toBe('data\nown\n')
    await layered.close()
    const copied = gym.make({ layers, resetBy: 'copy' })
    await expect(copied).rejects.toMatchObject({ code: 'sandbox_unavailable' })
  })

  test('a fork has the same state, by the same actions or files, and then continues separately', async () => {
    await shell.reset(7)
    await shell.step('x=5; echo $x > file')
    await shell.step('mkdir folder; echo $x')
    const replayed = await shell.fork('replay')
    expect(replayed).toMatchObject({ replayed: 2, differsAt: null, observation: expect.stringMatching(/^5\n/) })
    expect((await replayed.environment.step('echo $x; ls')).observation).toMatch(/^5\nfile\s+folder\n/)
    const copied = await shell.fork('files')
    await copied.environment.step('echo changed > file')
    expect((await copied.environment.step('echo "<$x>"; cat file')).observation).toMatch(/^<>\nchanged\n/)
    expect(await shell.output('cat file')).toBe('5\n')
    await copied.environment.reset()
    expect(await copied.environment.output('ls')).toBe('')
    await replayed.environment.close()
    await copied.environment.close()
  })

  test('programs see the same everywhere: names, variables, process numbers, no network', async () => {
    await shell.reset(7)
    expect(
      await shell.output('id -u; whoami; hostname; echo $HOME $TZ $LC_ALL $PYTHONHASHSEED; env | grep AGENTPTY_'),
    ).toBe('0\nroot\nagentpty\n/root UTC C.UTF-8 7\nAGENTPTY_SEED=7\n')
    expect((await shell.step('tty; echo $$')).observation).toMatch(/^\/dev\/pts\/0\n\d\n/)
    expect(await shell.output('cat /proc/net/dev | tail -n +3 | cut -d: -f1')).toBe('    lo\n')
  })

  test('a program that cannot be started is a failure of the machinery, and a closed environment does not exist', async () => {
    const missing = await gym.make({ program: ['/no/such/program'] })
    const { info } = await missing.resetAnyhow()
    expect(info.infraError).toMatchObject({ code: 'spawn_failed' })
    await missing.close()
    await expect(missing.reset()).rejects.toMatchObject({ code: 'environment_not_found' })
  })

  test.each<[string, Attack]>([
    ['read a secret of outside', ['read', '/etc/shadow']],
    ['see the homes of outside', ['entries', '/home']],
    ['write into the system', ['write', '/usr/bin/x']],
    ['write into the files of /etc', ['write', '/etc/passwd']],
    ['change the kernel’s settings', ['sysctl', '/proc/sys/kernel/core_pattern']],
    ['change those of its own name', ['sysctl', '/proc/sys/kernel/hostname']],
    ['ask the kernel for what only a keyboard may', ['sysctl', '/proc/sysrq-trigger']],
    ['mount', ['mount', '/tmp']],
    ['mount by new calls', ['new_mount_calls']],
    ['make a namespace', ['unshare']],
    ['make one by clone', ['clone']],
    ['make one by clone3', ['clone3']],
    ['keep keys in the kernel', ['keys']],
    ['make a device', ['make_device', '/tmp/device']],
    ['trace process 1', ['ptrace', 1]],
    ['read its memory', ['proc', 1, 'mem']],
    ['reach its files', ['entries', '/proc/1/root/']],
    ['look into a process of outside', ['proc', process.pid, 'environ']],
    ['reach the network', ['connect', '1.1.1.1', 80]],
    ['find variables of the server', ['environment', 'AGENTPTY_HOME', 'SSH_AUTH_SOCK', 'AGENTPTY_TERMINAL']],
  ])('no program inside can %s', async (_what, attack) => {
    attacked ??= await gym.make({ files: walls.workspace })
    await attacked.reset()
    expect(await attacked.output('python3 attack.py', { ATTACK: JSON.stringify(attack) })).toMatch(/^held: /)
  })

  test.each<[string, Attack, RegExp]>([
    ['a fork bomb ends at the number of processes', ['fork_bomb', 3_000], /held: .*|^$/],
    ['who takes all memory is ended', ['hog', 6_000], /^(?!out)/],
  ])('%s, and the next episode is not affected', async (_what, attack, said) => {
    attacked ??= await gym.make({ files: walls.workspace })
    await attacked.reset()
    expect(await attacked.output('python3 attack.py', { ATTACK: JSON.stringify(attack) })).toMatch(said)
    await attacked.reset()
    expect(await attacked.output('echo unharmed')).toBe('unharmed\n')
  })
})
