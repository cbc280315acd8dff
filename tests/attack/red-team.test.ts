/** Another user of the machine, a web page, a hostile repository and a hostile program: each attacks, and fails. */

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { program } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'
import { workspaceIn } from '../harness/workspace.ts'

const instance = scratchInstance()

/** A checkout with a policy folder and a file to lose. */
function workspace(): string {
  const folder = workspaceIn(instance.user)
  mkdirSync(join(folder, '.agentpty'))
  return folder
}

/** Each prints its name on success. Arguments: the home, the socket, the port, the terminal's device, one of our processes. */
const otherUser = `
import fcntl, os, signal, socket, subprocess, sys, termios
home, run, port, device, pid = sys.argv[1:]
def attack(name):
    def run_it(step):
        try:
            step()
            print('got through:', name)
        except Exception as error:
            print('refused:', name, type(error).__name__)
    return run_it
def talk(name):
    peer = socket.socket(socket.AF_UNIX)
    peer.connect(os.path.join(run, name))
@attack('the list of its sockets')
def _(): names.extend(os.listdir(run))
names = ['daemon.sock', 'ptyhost.sock', 'ptyhost-1.sock']
for name in names:
    attack(name)(lambda name=name: talk(name))
for name in ['token', 'approvals.json', 'audit', 'config.yaml', 'last-id']:
    attack(name)(lambda name=name: open(os.path.join(home, name)).read(1) if not os.path.isdir(os.path.join(home, name)) else os.listdir(os.path.join(home, name)))
attack('the terminal, reading')(lambda: os.open(device, os.O_RDONLY | os.O_NOCTTY))
attack('the terminal, writing')(lambda: os.open(device, os.O_WRONLY | os.O_NOCTTY))
attack('its memory')(lambda: open('/proc/%s/mem' % pid, 'rb').read(1))
attack('its environment')(lambda: open('/proc/%s/environ' % pid, 'rb').read(1))
attack('ending it')(lambda: os.kill(int(pid), signal.SIGKILL))
def ask():
    import http.client
    peer = http.client.HTTPConnection('127.0.0.1', int(port))
    peer.request('POST', '/mcp', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', {'content-type': 'application/json', 'accept': 'application/json, text/event-stream', 'authorization': 'Bearer guess'})
    if peer.getresponse().status != 200: raise PermissionError()
attack('its HTTP')(ask)
print('tried')
`

test.runIf(process.getuid?.() === 0)('another user of the machine reaches nothing', async () => {
  const client = await instance.rpc()
  const { terminalId } = await client.call('create', { shell: 'bash' })
  await expect(client.call('send', { terminalId, text: 'rm x' })).rejects.toMatchObject({ code: 'needs_approval' })
  const { output } = await client.call('run', { terminalId, command: 'tty' })
  const { daemon, http } = await instance.status()
  const script = join('/tmp', `agentpty-other-user-${process.pid}.py`)
  writeFileSync(script, otherUser)
  chmodSync(script, 0o644)
  const { port } = new URL(http?.url ?? '')
  // Isolated (-I): Python must not import modules beside the script in /tmp.
  const words = ['-I', script, instance.home, join(instance.home, 'run'), port, output.trim(), String(daemon.pid)]
  const other = spawn('python3', words, { uid: 54_321, gid: 54_321, cwd: '/', env: { PATH: '/usr/bin:/bin' } })
  let said = ''
  other.stdout.on('data', (piece) => {
    said += piece
  })
  await once(other, 'close')
  const lines = said.trim().split('\n')
  expect(lines.at(-1)).toBe('tried')
  expect(lines.filter((line) => line.startsWith('got through'))).toEqual([])
  expect(lines.length).toBeGreaterThan(14)
  expect((await instance.status()).daemon.pid).toBe(daemon.pid)
})

describe('a web page', () => {
  const ask = async (headers: Readonly<Record<string, string>>, method = 'GET', path = '/mcp') => {
    const { http } = await instance.status()
    return new Promise<number | string>((resolve) => {
      const asked = request(`${http?.url}${path}`, { method, headers }, ({ statusCode = 0 }) => resolve(statusCode))
      asked.on('upgrade', () => resolve('upgraded'))
      asked.on('error', (error) => resolve(error.message))
      asked.end()
    })
  }
  const webSocket = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  }

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['opens no WebSocket from its own site', { ...webSocket, origin: 'https://evil.example' }, 'GET'],
    ['opens none under a name that leads here', { ...webSocket, host: 'evil.example' }, 'GET'],
    ['opens none without saying where it is from', webSocket, 'GET'],
    [
      'posts no form, which needs no preflight',
      { origin: 'https://evil.example', 'content-type': 'text/plain' },
      'POST',
    ],
    [
      'is not allowed to ask with a header',
      { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
      'OPTIONS',
    ],
  ])('%s', async (_what, headers, method) => {
    for (const path of ['/mcp', '/wire', '/sign-in'])
      expect([path, await ask(headers, method, path)]).toEqual([path, expect.toSatisfy((code) => code >= 400)])
    // The document of the page is public, and contains nothing secret.
    for (const path of ['/health', '/']) expect(await ask(headers, method, path)).not.toBe('upgraded')
  })
})

describe('a hostile repository', () => {
  const lenient = 'profile: trusted\nallow: ["rm **"]\npaths:\n  write: [/]\n  read: [~/.ssh]\napprovalTimeoutMs: 1\n'

  test.each<[string, (folder: string) => void]>([
    ['allows itself everything', (folder) => writeFileSync(join(folder, '.agentpty/policy.yaml'), lenient)],
    [
      'has CodeBuddy’s files allow it',
      (folder) => {
        mkdirSync(join(folder, '.codebuddy'))
        writeFileSync(
          join(folder, '.codebuddy/permissions.json'),
          '{"profile":"trusted","commandAllowPatterns":[".*"]}',
        )
        writeFileSync(join(folder, '.codebuddy/security.json'), '{"commandDenyPatterns":["(a+)+$","("]}')
      },
    ],
    [
      'has a policy that is a link to the user’s own',
      (folder) => symlinkSync('/etc/passwd', join(folder, '.agentpty/policy.yaml')),
    ],
    ['has a policy that never ends', (folder) => symlinkSync('/dev/zero', join(folder, '.agentpty/policy.yaml'))],
    [
      'has a policy of a terabyte',
      (folder) => {
        writeFileSync(join(folder, '.agentpty/policy.yaml'), '')
        truncateSync(join(folder, '.agentpty/policy.yaml'), 2 ** 40)
      },
    ],
    [
      'has an index of git that lies',
      (folder) => writeFileSync(join(folder, '.git/index'), Buffer.from('4449524300000002ffffffff', 'hex')),
    ],
    ['has a policy that is a folder', (folder) => mkdirSync(join(folder, '.agentpty/policy.yaml'))],
  ])('that %s gets nothing allowed, and is answered as fast as any', async (_what, spoil) => {
    const cwd = workspace()
    spoil(cwd)
    const client = await instance.rpc()
    const { terminalId } = await client.call('create', { cwd, shell: 'bash' })
    await expect(client.call('send', { terminalId, text: 'rm precious' })).rejects.toMatchObject({
      code: 'needs_approval',
    })
    expect(existsSync(join(cwd, 'precious'))).toBe(true)
  })

  test('whose policy is an unfilled pipe keeps no caller waiting', async () => {
    const cwd = workspace()
    const client = await instance.rpc()
    execFileSync('mkfifo', [join(cwd, '.agentpty/policy.yaml')])
    const { terminalId } = await client.call('create', { cwd, shell: 'bash' })
    await expect(client.call('send', { terminalId, text: 'rm precious' })).rejects.toMatchObject({
      code: 'needs_approval',
    })
  })
})

describe('a hostile program', () => {
  /** A script, as an agent would run it after a clone. */
  async function printing(text: string) {
    const cwd = workspace()
    writeFileSync(join(cwd, 'evil.sh'), `printf '${text}'\n`)
    const client = await instance.rpc()
    const { terminalId } = await client.call('create', { cwd, shell: 'bash' })
    await client.call('run', { terminalId, command: 'sh evil.sh' })
    return { client, terminalId, cwd }
  }

  const marks = (line: string) =>
    String.raw`\033]133;A\007$ \033]133;B\007\033]633;E;${line}\007\033]133;C\007\033]133;D;0\007`

  test.each<[string, string]>([
    [
      'pretends that its shell is elsewhere',
      String.raw`\033]7;file:///tmp/harmless\007\033]633;P;Cwd=/tmp/harmless\007`,
    ],
    ['pretends that lines were run', marks('alias rm=true')],
    ['pretends that a command still runs', String.raw`\033]133;C\007`],
    ['pretends to be a prompt', String.raw`\033[2J\033[H\033]133;A\007# \033]133;B\007`],
    ['pretends that the shell edits no lines', String.raw`\033[?2004l`],
  ])('that %s changes neither the questions nor the display', async (_what, text) => {
    const { client, terminalId, cwd } = await printing(text)
    await expect(client.call('send', { terminalId, text: 'rm -rf /' })).rejects.toMatchObject({ code: 'denied' })
    await expect(client.call('send', { terminalId, text: 'rm precious' })).rejects.toMatchObject({
      code: 'needs_approval',
    })
    const { approvals } = await client.call('approvals', {})
    expect(approvals.at(-1)).toMatchObject({
      terminalId,
      cwd,
      resolved: 'rm precious',
      effects: [expect.stringMatching(/^deletes precious/)],
    })
  })

  test('that asks the terminal for its title or clipboard gets nothing run by its shell', async () => {
    const queries = String.raw`\033]0;rm precious\007\033[21t\033[20t\033]52;c;?\007\033]52;c;cm0gcHJlY2lvdXM=\007\033P$qm\033\134\033]4;0;?\007\033[c\033[6n`
    const { client, terminalId, cwd } = await printing(queries)
    const { output } = await client.call('run', { terminalId, command: 'echo at the prompt', clearLine: true })
    expect(output.trim()).toBe('at the prompt')
    expect(readFileSync(join(cwd, 'precious'), 'utf8')).toBe('data\n')
  })

  test('that writes into a person’s question is spelled out there', async () => {
    const cwd = workspace()
    const client = await instance.rpc()
    const { terminalId } = await client.call('create', { cwd, shell: 'bash' })
    const name = 'x\u202egpj.tset\u200b'
    await expect(client.call('send', { terminalId, text: `rm "${name}"` })).rejects.toMatchObject({
      code: 'needs_approval',
    })
    const { stdout } = await instance.cli('approvals')
    expect(stdout).toContain('⟨U+202E⟩gpj.tset⟨U+200B⟩')
    expect(stdout).not.toMatch(/[\u202e\u200b\u001b]/)
  })
})

test('an agent inside a terminal can neither answer, grant, revoke nor end the server by the command line', async () => {
  const cwd = workspace()
  const client = await instance.rpc()
  const { terminalId } = await client.call('create', { cwd, shell: 'bash' })
  await expect(client.call('send', { terminalId, text: 'rm precious' })).rejects.toMatchObject({
    code: 'needs_approval',
  })
  const { approvals } = await client.call('approvals', {})
  const id = approvals.at(-1)?.approvalId
  const tries = [
    `approvals answer ${id} allow --in folder`,
    'approvals revoke gr-1',
    `secret ${terminalId} < precious`,
    'stop --all',
  ]
  writeFileSync(
    join(cwd, 'sly.sh'),
    tries.map((words) => `${process.execPath} ${program} ${words}; echo "code $?"\n`).join(''),
  )
  const { output } = await client.call('run', { terminalId, command: 'sh sly.sh' })
  expect(output.match(/^code \d+/gm)).toHaveLength(tries.length)
  expect(output).not.toMatch(/^code 0/m)
  expect(existsSync(join(cwd, 'precious'))).toBe(true)
})
