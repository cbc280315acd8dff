/**
 * A downloaded task folder is played unchanged. Whatever it contains, nothing runs on the host, nothing outside of the trial's folder is
 * written, and no host file gets into the environment or the trial. Each task is refused with the next step, or played without harm.
 */

import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { scratchFolder, scratchInstance } from '../harness/scratch.ts'
import { rewardIf, TaskWriter } from '../harness/task-writer.ts'

const secret = 'SECRET OF THE HOST'

const instance = scratchInstance()
const tasks = new TaskWriter()
/** The files that the tasks try to reach. */
let victim: string
let jobs = 0

beforeEach(() => {
  victim = scratchFolder()
  writeFileSync(join(victim, 'secret'), secret)
  chmodSync(victim, 0o755)
})

type Links = Readonly<Record<string, string>>

const dockerfile = (...lines: readonly string[]) => ['FROM debian:12', ...lines, ''].join('\n')
const solved = { 'solution/solve.sh': 'true\n', 'tests/test.sh': rewardIf('true') }

function task(name: string, files: Readonly<Record<string, string>>, links: Links = {}): string {
  const folder = tasks.write(name, { 'task.toml': '', ...solved, ...files })
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(target, join(folder, path))
  }
  return folder
}

async function run(folder: string, verb: 'run' | 'validate' = 'run') {
  const name = `job-${++jobs}`
  const words = [...(verb === 'run' ? ['--agent', 'oracle'] : []), '--out', tasks.folder, '--name', name]
  const result = await instance.cli('gym', verb, folder, ...words)
  const job = join(tasks.folder, name)
  const [trial] = existsSync(job) ? readdirSync(job).filter((one) => lstatSync(join(job, one)).isDirectory()) : []
  return { ...result, text: result.stdout + result.stderr, trial: trial === undefined ? null : join(job, trial) }
}

/** The victim is unchanged, and no file of the trial contains its secret. */
function expectUnharmed(trial: string | null): void {
  expect(readdirSync(victim)).toEqual(['secret'])
  expect(readFileSync(join(victim, 'secret'), 'utf8')).toBe(secret)
  if (trial === null) return
  for (const path of readdirSync(trial, { recursive: true, encoding: 'utf8' })) {
    const stat = lstatSync(join(trial, path))
    expect([path, stat.isFile() || stat.isDirectory()]).toEqual([path, true])
    if (stat.isFile()) expect(readFileSync(join(trial, path), 'latin1')).not.toContain(secret)
  }
}

test.each(['run', 'validate'] as const)(
  'gym %s treats an artifact’s path as a path, never as an option of a program',
  async (verb) => {
    const paths = [
      '/app/a',
      `/--to-command=id>${victim}/pwned`,
      '/--checkpoint=1',
      `/--checkpoint-action=exec=touch ${victim}/pwned`,
      `--use-compress-program=touch ${victim}/pwned`,
      '/-T/etc/passwd',
      `/$(touch ${victim}/pwned)`,
      "/';touch pwned;'",
    ]
    const renamed = `{source = "/app/a", destination = "--help", exclude = ["--to-command=id", "';id;'"]}`
    const folder = task(`options-${verb}`, {
      'task.toml': `artifacts = [${paths.map((path) => JSON.stringify(path)).join()}, ${renamed}]\n`,
      'environment/Dockerfile': dockerfile('COPY a /app/a'),
      'environment/a': 'content\n',
    })
    const { trial, text } = await run(folder, verb)
    expectUnharmed(trial)
    for (const content of ['app/a', '--help'])
      expect(readFileSync(join(trial ?? '', 'artifacts', content), 'utf8'), text).toBe('content\n')
    const manifest = JSON.parse(readFileSync(join(trial ?? '', 'artifacts/manifest.json'), 'utf8'))
    const found = manifest.filter((one: { status: string }) => one.status === 'ok')
    expect(found.map((one: { destination: string }) => one.destination)).toEqual(['app/a', '--help'])
  },
)

test('generate.py of a task is not run on the host unless a person allows it', async () => {
  const folder = task('generates', {
    'generate.py': `import pathlib, sys\npathlib.Path(${JSON.stringify(victim)}, 'ran').touch()\n`,
    'environment/Dockerfile': dockerfile(),
  })
  const written = join(tasks.folder, 'written')
  for (const words of [
    ['run', folder, '--agent', 'oracle', '--out', tasks.folder],
    ['run', folder, '--agent', 'cheat', '--out', tasks.folder],
    ['validate', folder, '--out', tasks.folder],
    ['write', folder, written],
  ]) {
    const { stdout, stderr } = await instance.cli('gym', ...words)
    expect(stdout + stderr).toMatch(/generate\.py makes this task|allow-generator/)
    expectUnharmed(null)
  }
  expect((await instance.cli('gym', 'write', folder, written, '--allow-generator')).code).toBe(0)
  expect(readdirSync(victim)).toEqual(['ran', 'secret'])
})

test.each<[string, readonly string[]]>([
  ['COPY', ['COPY d /app/d', 'COPY pwn /app/d/out/pwned']],
  ['COPY of a folder', ['COPY d /app/d', 'COPY more /app/d/out']],
  ['COPY over the link itself', ['COPY d /app/d', 'COPY pwn /app/d/file']],
  ['a here-document', ['COPY d /app/d', 'COPY --chmod=4755 <<EOF /app/d/out/pwned', 'from the task', 'EOF']],
  ['WORKDIR', ['COPY d /app/d', 'WORKDIR /app/d/out/pwned']],
  ['a target that is a link', ['COPY d /app', 'WORKDIR /app/out']],
])('%s writes nothing through a link that the task has copied before', async (_what, lines) => {
  const folder = task(
    `through-${++jobs}`,
    {
      'environment/Dockerfile': dockerfile(...lines),
      'environment/pwn': 'pwned\n',
      'environment/more/pwned': 'pwned\n',
    },
    { 'environment/d/out': victim, 'environment/d/file': join(victim, 'secret') },
  )
  const { trial, text } = await run(folder)
  expectUnharmed(trial)
  expect(text).toMatch(/ is a link, which is|✓/)
})

test.each<[string, Links, readonly string[]]>([
  ['a folder behind a link', { l: '@' }, ['COPY l/secret /app/got']],
  ['a link to a file', { l: '@/secret' }, ['COPY l /app/got']],
  ['a link to a folder', { l: '@' }, ['COPY l /app/got']],
  ['a pattern', { l: '@' }, ['COPY l/* /app/got/']],
  ['a link in a folder', { 'd/l': '@/secret' }, ['COPY d/l /app/got']],
  ['a link that leads up', { l: '../../../../../../../../../@/secret' }, ['COPY l /app/got']],
  ['a chain of links', { l: 'm', m: '@' }, ['COPY l/secret /app/got']],
])('COPY of %s gets no file of the host', async (_what, links, lines) => {
  const at = Object.entries(links).map(([path, target]) => [
    `environment/${path}`,
    target.replace('@', target.startsWith('@') ? victim : victim.slice(1)),
  ])
  const folder = task(
    `reads-${++jobs}`,
    {
      'task.toml': 'artifacts = ["/app"]\n',
      'environment/Dockerfile': dockerfile(...lines),
      'tests/test.sh':
        '#!/bin/bash\ncat -r /app/got /app/got/* > /logs/verifier/got 2>&1\necho 1 > /logs/verifier/reward.txt\n',
    },
    Object.fromEntries(at),
  )
  const { trial, text } = await run(folder)
  expectUnharmed(trial)
  expect(text).toMatch(/leads out of/)
})

test('folders of the task that are links to the host are refused', async () => {
  for (const name of ['tests', 'solution', 'environment']) {
    const folder = task(`linked-${name}`, { 'environment/Dockerfile': dockerfile() })
    rmSync(join(folder, name), { recursive: true })
    symlinkSync(victim, join(folder, name))
    const { trial, text } = await run(folder)
    expectUnharmed(trial)
    expect(text).toMatch(/leads out of/)
  }
})

test('links that stay in the folder of the Dockerfile are followed', async () => {
  const folder = task(
    'honest',
    {
      'environment/Dockerfile': dockerfile('COPY current/a /app/a'),
      'environment/v2/a': 'two\n',
      'tests/test.sh': rewardIf('grep -q two /app/a'),
    },
    { 'environment/current': 'v2' },
  )
  expect((await run(folder)).text).toMatch(/✓.* 1 /)
})

test('a trial retains no link, pipe or device left by the hostile task, and writes through none', async () => {
  const leave = `ln -s ${victim}/secret`
  const folder = task('leaves', {
    'task.toml': 'artifacts = ["/app/d"]\n',
    'environment/Dockerfile': dockerfile('WORKDIR /app'),
    'solution/solve.sh': `mkdir -p d; ${leave} d/link; ln -s ${victim} d/folder; mkfifo d/pipe; echo content > d/plain; ln d/plain d/again\n`,
    'tests/test.sh': `#!/bin/bash\ncd /logs/verifier\n${leave} more.json\nln -s ${victim} out\nln -s ${victim}/pwned test-stdout.txt\nmkfifo pipe\necho 1 > reward.txt\n`,
  })
  const { trial } = await run(folder)
  expectUnharmed(trial)
  const content = (path: string) => readFileSync(join(trial ?? '', path), 'utf8')
  expect([content('artifacts/app/d/plain'), content('artifacts/app/d/again'), content('verifier/reward.txt')]).toEqual([
    'content\n',
    'content\n',
    '1\n',
  ])
})

test('a pattern of many stars is matched quickly', async () => {
  const folder = task('stars', {
    'environment/Dockerfile': dockerfile(`COPY ${'*'.repeat(64)}a${'*a'.repeat(60)} /app/x`),
    [`environment/${'a'.repeat(200)}b`]: 'x\n',
  })
  expect((await run(folder)).text).toMatch(/there is no "\*\*\*/)
})

test('a script of one long line is read quickly', async () => {
  const folder = task('long-line', {
    'environment/Dockerfile': dockerfile(),
    'solution/solve.sh': `: ${'curl '.repeat(150_000)}\n`,
  })
  expect((await run(folder)).text).toMatch(/✓.* 1 /)
})

test('files that a player puts at upload names do not disturb uploads', async () => {
  const folder = task('prepared', {
    'environment/Dockerfile': dockerfile(),
    'solution/solve.sh':
      'mkdir -p /tmp/.agentpty-upload /tmp/.agentpty-taken; ln -s /nowhere/x /logs/verifier/reward.txt\n',
  })
  expect((await run(folder)).text).toMatch(/✓.* 1 /)
})

test('pipes, sockets and devices of a task are refused without waiting', async () => {
  for (const place of ['environment/pipe', 'tests/pipe', 'solution/pipe']) {
    const folder = task(`special-${dirname(place)}`, { 'environment/Dockerfile': dockerfile('COPY . /app/') })
    execFileSync('mkfifo', [join(folder, place)])
    const { trial, text } = await run(folder)
    expectUnharmed(trial)
    expect(text).toMatch(/no plain file/)
  }
})
