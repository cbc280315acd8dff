/** Sandboxes of agents and other namespaces inside a gate that asks: they work, their walls hold, and the gate sees through their mounts. */

import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostProgram, openHost, type TestHost } from '../harness/host-fixture.ts'
import { installed } from '../harness/installed.ts'
import { GatedHome } from './gated-home.ts'

const packages = installed('effects', join(import.meta.dirname, 'package.json'))
const installTimeoutMs = 600_000

let host: TestHost
beforeAll(async () => {
  packages.install()
  host = await openHost()
}, installTimeoutMs)
afterAll(() => host.stop())

/** Codex keeps no programs of its own in a folder for temporary files. */
const homes = resolve('.cache/homes')

function codexSandbox({ path, keep }: GatedHome) {
  mkdirSync(join(path, '.codex'))
  const settings = [
    'sandbox_mode="workspace-write"',
    `sandbox_workspace_write.writable_roots=["${keep}"]`,
    'sandbox_workspace_write.exclude_slash_tmp=true',
    'sandbox_workspace_write.exclude_tmpdir_env_var=true',
  ]
  return [
    process.execPath,
    packages.file('@openai', 'codex', 'bin', 'codex.js'),
    'sandbox',
    ...settings.flatMap((one) => ['-c', one]),
    '--',
    'sh',
    '-c',
  ]
}

function claudeSandbox({ path, keep }: GatedHome) {
  const settings = {
    filesystem: { denyRead: [], allowWrite: ['.', keep], denyWrite: [] },
    network: { allowedDomains: [], deniedDomains: [] },
  }
  writeFileSync(join(path, '.srt-settings.json'), JSON.stringify(settings))
  return [packages.node, packages.file('@anthropic-ai', 'sandbox-runtime', 'dist', 'cli.js'), '-c']
}

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`

describe.each([
  ['Codex', codexSandbox],
  ['Claude Code', claudeSandbox],
])('the sandbox of %s', (_name, sandboxFor) => {
  test.each(['allow', 'deny'] as const)('works, and its walls hold when a person answers %s', async (answer) => {
    const home = new GatedHome(host, homes)
    mkdirSync(join(home.path, 'walled'))
    writeFileSync(join(home.path, 'walled/f'), '')
    const inside = `
      grep -x "Seccomp:.*2" /proc/self/status; mkdir d; echo works > d/f; cat d/f; rm -r d
      echo x > ~/new; rm -f ~/keep/a ~/keep/b; rm -f ~/walled/f; echo "walled $?"`
    const terminal = await home.open(`${[...sandboxFor(home), inside].map(quoted).join(' ')}; ls ~/walled; ls -A`)
    const questions = [await terminal.answer(answer), await terminal.answer(answer)]
    await terminal.recorder.exit
    expect(questions.map(({ verb, area }) => [verb, area])).toEqual([
      ['delete', home.keep],
      ['delete', join(home.path, 'walled/f')],
    ])
    expect(terminal.questions).toHaveLength(2)
    expect(terminal.text).toMatch(/^Seccomp:\t2\r\nworks\r\n.*new: Read-only file system\r\n/)
    expect(terminal.text).toMatch(
      answer === 'allow' ? /walled\/f.*: Read-only file system\r\nwalled 1\r\nf\r\n$/ : /denied\r\nwalled 1\r\nf\r\n$/,
    )
    expect(home.kept).toEqual(answer === 'allow' ? ['c'] : ['a', 'b', 'c'])
    await terminal.close()
  })
})

/** Each shows the guarded folder at another path. */
const views: readonly (readonly [name: string, command: string])[] = [
  ['bubblewrap', 'bwrap --dev-bind / / --bind ~/keep ~/view sh -c'],
  ['bubblewrap with all namespaces', 'bwrap --unshare-all --dev-bind / / --proc /proc --bind ~/keep ~/view sh -c'],
  ['a namespace of users and mounts', 'unshare -Urm sh -c "mount --bind ~/keep ~/view; eval \\"\\$0\\"; exit"'],
]

describe.each(views)('inside %s', (_name, command) => {
  test('a guarded file under another name is asked about by the name that a person knows', async () => {
    const home = new GatedHome(host)
    mkdirSync(join(home.path, 'view'))
    const terminal = await home.open(`${command} 'rm ~/view/a; echo "code $?"; echo $(ls ~/view)'`)
    const question = await terminal.answer('deny')
    await terminal.recorder.exit
    expect(question).toMatchObject({ verb: 'delete', path: join(home.keep, 'a'), program: 'rm' })
    expect(terminal.text).toMatch(/Permission denied\r\ncode 1\r\na b c\r\n$/)
    expect([home.kept, terminal.questions.length]).toEqual([['a', 'b', 'c'], 1])
    await terminal.close()
  })

  test('ordinary work goes on as without a gate', async () => {
    const work = `
      mkdir -p d/e; echo x > d/e/f; ln d/e/f d/g; ln -s f d/e/l; cp -a d d2; mv d2 d3; tar cf t.tar d3; rm -rf d3; tar xf t.tar
      echo 5 > /proc/self/oom_score_adj; echo named > /proc/self/comm; cat /proc/$$/oom_score_adj; : > ~/made; rm ~/made
      find . -printf "%p %y %m %U %G %n\\n" | sort`
    const texts = []
    for (const gate of ['off', 'ask'] as const) {
      const home = new GatedHome(host)
      mkdirSync(join(home.path, 'view'))
      const terminal = await home.run(`${command} '${work}'`, { gate })
      expect(terminal.questions).toEqual([])
      texts.push(terminal.text)
    }
    expect(texts[0]).toContain('./d3/e/f f 644')
    expect(texts[1]).toBe(texts[0])
  })
})

test('two sandboxes, one after the other, that show other folders at one path are not confused', async () => {
  const home = new GatedHome(host)
  mkdirSync(join(home.path, 'view'))
  const free = 'bwrap --dev-bind / / --bind ~/proj ~/view sh -c "echo x > ~/view/a; rm ~/view/a"'
  const terminal = await home.open(`${free}; bwrap --dev-bind / / --bind ~/keep ~/view rm ~/view/a; echo "code $?"`)
  const { path } = await terminal.answer('deny')
  await terminal.recorder.exit
  expect([path, home.kept, terminal.text.endsWith('code 1\r\n')]).toEqual([join(home.keep, 'a'), ['a', 'b', 'c'], true])
  await terminal.close()
})

const isRoot = process.getuid?.() === 0
const asOther = 'setpriv --reuid 54321 --regid 54321 --clear-groups'

/** Returns the output of a script without a gate, and with one that asks nothing about it. */
async function withAndWithout(script: string): Promise<readonly string[]> {
  const texts = []
  for (const gate of ['off', 'ask'] as const) {
    const home = new GatedHome(host)
    chmodSync(home.path, 0o755)
    chmodSync(home.workspace, 0o777)
    const terminal = await home.run(script, { gate })
    expect(terminal.questions).toEqual([])
    texts.push(terminal.text.replaceAll(home.path, '~'))
  }
  return texts
}

const inOwnNamespace = `
  echo w > f; chmod 444 f; echo x > f && echo written; chown 0:0 f && echo owned; chown 9 f 2>/dev/null || echo refused
  mkdir -m 0 d; echo y > d/x && echo inside; rm -r d; echo a 2>/dev/null > foreign || echo foreign
  echo 7 > /proc/self/oom_score_adj; cat /proc/self/oom_score_adj; unshare -Ur sh -c "id -u; echo z > g; rm g; stat -c %u f"
`

test.each([['this user', ''], ...(isRoot ? [['another user', asOther]] : [])])(
  'in its own user namespace a program of %s may do what it may without a gate',
  async (_name, user) => {
    const [without, gated] = await withAndWithout(
      `echo mine > foreign; chmod 600 foreign; ${user} unshare -Ur sh -c '${inOwnNamespace}'; stat -c %u f; cat foreign`,
    )
    expect(without).toMatch(/^written\r\nowned\r\nrefused\r\ninside\r\n/)
    expect(gated).toBe(without)
  },
)

test.runIf(isRoot)('a program of root without capabilities may not do more than without a gate', async () => {
  const [without, gated] = await withAndWithout(`
    echo theirs > f; mkdir d; echo theirs > d/f; chmod 600 f; chmod 700 d; chown -R 54321 f d
    setpriv --bounding-set -all --inh-caps -all sh -c 'echo x > f; rm d/f; chmod 777 f; : > d/g'; cat f d/f; ls d`)
  expect(without).toMatch(/cannot create f: Permission denied.*rm: cannot.*theirs\r\ntheirs\r\nf\r\n$/s)
  expect(gated).toBe(without)
})

/** CLONE_NEWUSER. */
const leavesItsRights = `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def write(path):
    try: open(path, 'w').close(); print('written')
    except PermissionError: print('refused')
write('own'); write('theirs')
if libc.unshare(0x10000000): raise OSError(ctypes.get_errno())
write('own'); write('theirs'); os.remove('own')
`

test.runIf(isRoot)(
  'a program of root that enters a user namespace between two calls loses its rights at once',
  async () => {
    const [without, gated] = await withAndWithout(
      `touch theirs; chmod 600 theirs; chown 54321 theirs; python3 -c "${leavesItsRights}"; ls`,
    )
    expect(without).toBe('written\r\nwritten\r\nwritten\r\nrefused\r\ntheirs\r\n')
    expect(gated).toBe(without)
  },
)

const landlock = Number(execFileSync(hostProgram, ['--landlock'], { encoding: 'utf8' }))

test.runIf(landlock >= 1)(
  'what a program forbids itself by Landlock stays forbidden, whatever a person answers',
  async () => {
    const home = new GatedHome(host)
    writeFileSync(join(home.workspace, 'f'), '')
    const terminal = await home.open(`python3 ${join(import.meta.dirname, 'programs/landlock.py')} $PWD/f ~/keep/a`)
    terminal.answersAll('allow')
    await terminal.recorder.exit
    await terminal.close()
    expect(terminal.text).toBe('made and deleted\r\ndeleted\r\nnew Permission denied\r\ndelete Permission denied\r\n')
    expect([home.kept, terminal.questions.map(({ answer }) => answer)]).toEqual([['a', 'b', 'c'], ['allowed']])
  },
)
