/**
 * A caller may have any file of the host open when it starts agentpty. No program finds one of them, in a terminal, a sandbox or a
 * container, and the daemon, which outlives its caller, keeps none of them open.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { program, until } from '../harness/instance.ts'
import { scratchFolder, scratchInstance } from '../harness/scratch.ts'
import { TaskWriter } from '../harness/task-writer.ts'

/** Prints every open descriptor above the standard ones, except that of the list itself. */
const list =
  'for fd in /proc/self/fd/*; do n=${fd##*/}; [ $n -gt 2 ] && readlink $fd | grep -v ^/proc/; done; echo listed'
const nothing = 'listed'

const secret = scratchFolder()

/** Runs Node like a shell script with redirections: it has the folder open, with gaps, because Node closes those up to the first gap itself. */
function start(words: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  const script = 'exec 9<"$0" 77<"$0" 201<"$0"; exec "$@"'
  return spawn('bash', ['-c', script, secret, process.execPath, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
}

async function outputOf(words: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const child = start(words, env)
  const pieces: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes: Buffer) => void pieces.push(bytes))
  await once(child, 'close')
  return Buffer.concat(pieces).toString().trim()
}

describe('with a daemon started by such a caller', () => {
  const instance = scratchInstance()
  beforeAll(async () => {
    await outputOf([program, 'status', '--start'], instance.env)
  })

  test('the daemon and ptyhost keep none of its files open', async () => {
    const { daemon, host } = await instance.status()
    for (const pid of [daemon.pid, host.pid]) expect(filesOf(pid)).not.toContain(secret)
  })

  test('a terminal has none of them', async () => {
    const { output } = await (await instance.rpc()).call('create', { command: ['sh', '-c', list], waitFor: 'exit' })
    expect(output).toBe(nothing)
  })

  test('a sandbox has none of them', async () => {
    const command = ['sh', '-c', list]
    const { output } = await (await instance.rpc()).call('create', { command, sandbox: true, waitFor: 'exit' })
    expect(output).toBe(nothing)
  })

  test.each(['container', 'none'] as const)('an environment has none of them, isolation %s', async (isolation) => {
    const client = await instance.rpc()
    const { environmentId } = await client.call('makeEnvironment', { isolation })
    await client.call('resetEnvironment', { environmentId })
    const stepped = await client.call('stepEnvironment', { environmentId, action: `sh -c '${list}'` })
    expect(stepped.observation).toContain(`${nothing}\n`)
    expect(stepped.observation).not.toContain(secret)
    if (isolation === 'container') {
      const { stdout } = await client.call('execInEnvironment', { environmentId, command: list })
      expect(Buffer.from(stdout, 'base64').toString().trim()).toBe(nothing)
    }
    await client.call('closeEnvironment', { environmentId })
  })
})

test('programs of an environment in such a caller’s own process have none of them', async () => {
  const script = `import { makeEnv } from ${JSON.stringify(join(process.cwd(), 'packages/agentpty/dist/gym.js'))}
    const env = await makeEnv()
    await env.reset()
    const { stdout } = await env.exec(${JSON.stringify(list)})
    const { observation } = await env.step(${JSON.stringify(`sh -c '${list}' > listed; cat listed`)})
    console.log(JSON.stringify([Buffer.from(stdout).toString(), observation]))
    await env.close()`
  const folder = scratchFolder()
  const output = await outputOf(['--input-type=module', '-e', script], {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
  })
  expect(output).toContain(nothing)
  expect(output).not.toContain(secret)
})

test('neither the solution nor the verifier of a task has one of them', async () => {
  const instance = scratchInstance()
  const tasks = new TaskWriter()
  const keep = (file: string) => `{ ${list}; } > ${file} 2>&1\n`
  const task = tasks.write('listed', {
    'task.toml': 'artifacts = ["/app/solved"]\n',
    'environment/Dockerfile': 'FROM debian:12\nWORKDIR /app\n',
    'solution/solve.sh': keep('/app/solved'),
    'tests/test.sh': `#!/bin/bash\n${keep('/logs/verifier/verified')}echo 1 > /logs/verifier/reward.txt\n`,
  })
  mkdirSync(join(tasks.folder, 'jobs'))
  const words = ['gym', 'run', task, '--agent', 'oracle', '--out', join(tasks.folder, 'jobs'), '--name', 'job']
  const output = await outputOf([program, ...words], instance.env)
  const [trial = ''] = readdirSync(join(tasks.folder, 'jobs/job')).filter((name) => name.startsWith('listed'))
  const contentOf = (path: string) => readFileSync(join(tasks.folder, 'jobs/job', trial, path), 'utf8').trim()
  expect(contentOf('verifier/verified'), output).toBe(nothing)
  expect(contentOf('artifacts/app/solved')).toBe(nothing)
})

test('a pipe of the caller closes although its daemon continues', async () => {
  const instance = scratchInstance()
  const caller = spawn('bash', ['-c', `exec 20>&1; ${process.execPath} ${program} status >/dev/null 2>&1`], {
    env: instance.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let isClosed = false
  caller.stdout.on('close', () => {
    isClosed = true
  })
  caller.stdout.resume()
  await until(() => isClosed)
  expect(await instance.stop()).toEqual([])
})

function filesOf(pid: number): readonly string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${name}`)]
    } catch {
      // It has been closed since.
      return []
    }
  })
}
