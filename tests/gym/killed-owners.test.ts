/** A killed owner leaves no folder behind: neither of a private server nor of a job, even without a restart. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, test } from 'vitest'
import { program, until } from '../harness/instance.ts'
import { scratchFolder, scratchInstance } from '../harness/scratch.ts'
import { TaskWriter } from '../harness/task-writer.ts'

const instance = scratchInstance()
const folder = scratchFolder()
const left = () => readdirSync(folder)

afterEach(async () => {
  await until(() => left().length === 0)
})

afterAll(async () => {
  rmdirSync(folder)
})

const env = { ...instance.env, TMPDIR: folder }

const owner = (end: string) => `
import { makeVec } from ${JSON.stringify(resolve('packages/agentpty/dist/gym.js'))}
const vec = await makeVec({ n: 3, stepTimeoutMs: 300 })
await vec.reset()
await vec.step(['echo a > file', 'mkdir -p closed/in; chmod 0 closed', 'sleep 1000'].map((text) => ({ type: 'send', text, enter: true })))
${end}
`

test.each([
  ['killed', "process.kill(process.pid, 'SIGKILL')", 5],
  ['ended without closing it', 'process.exit(0)', 1],
  ['ended properly', 'await vec.close()', 1],
])('the folder of a private server whose owner is %s is removed', async (_, end, times) => {
  const vecs = Array.from({ length: times }, () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', owner(end)], { env, stdio: 'ignore' })
    return once(child, 'exit')
  })
  await Promise.all(vecs)
})

test('the folders of a job killed during its trials are removed', async () => {
  const words = ['gym', 'run', 'tty-30', '--agent', 'sleep 1000', '--out', join(instance.home, 'jobs')]
  const child = spawn(process.execPath, [program, ...words], { env, stdio: 'ignore' })
  await until(() => left().length === 4)
  child.kill('SIGKILL')
  await once(child, 'exit')
  await until(() => !isRunning(instance.home))
})

const sleeps = (marker: string) => `python3 -c 'import time; time.sleep(1000)' ${marker}`
const generated = `import os, sys\nos.system(${JSON.stringify(`${sleeps('by-generator')}; true`)})\n`

test.each<[string, string, Readonly<Record<string, string>>, string]>([
  ['generator', 'by-generator', { 'generate.py': generated }, 'oracle'],
  ['player', 'by-player', {}, `${sleeps('by-player')}; true`],
])('the children of a %s end with their killed job', async (_what, marker, files, agent) => {
  const task = new TaskWriter().write('endless', { 'task.toml': 'schema_version = "1.3"\n', ...files })
  const words = ['gym', 'run', task, '--agent', agent, '--allow-generator', '--out', join(instance.home, 'jobs')]
  const child = spawn(process.execPath, [program, ...words], { env, stdio: 'ignore' })
  const sleeping = `time.sleep(1000)\0${marker}`
  await until(() => isRunning(sleeping))
  child.kill('SIGKILL')
  await until(() => !isRunning(sleeping))
})

const isRunning = (words: string) => commandLines().some((line) => line.includes(words))

function commandLines(): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
      } catch {
        // It has ended meanwhile.
        return ''
      }
    })
}
