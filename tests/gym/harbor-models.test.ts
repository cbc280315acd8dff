/** The files of a tty-30 job against Harbor: with its own models if installed, and always against their documented requirements. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { run } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'
import { TaskWriter } from '../harness/task-writer.ts'

const instance = scratchInstance()
const tasks = new TaskWriter()
const job = join(tasks.folder, 'job')

beforeAll(async () => {
  const words = ['tty-30/ed-patch', 'tty-30/secret-twice', '--agent', 'oracle', '--out', tasks.folder, '--name', 'job']
  const { code, stderr } = await instance.cli('gym', 'run', ...words)
  expect(code, stderr).toBe(0)
})

const read = (...path: readonly string[]) => JSON.parse(readFileSync(join(job, ...path), 'utf8'))
const trials = () => readdirSync(job, { withFileTypes: true }).filter((entry) => entry.isDirectory())

/** Harbor 0.13. Any other version is refused with the whole file. */
const harborTypes = [
  ...['docker', 'daytona', 'e2b', 'modal', 'runloop', 'langsmith', 'gke', 'novita', 'apple-container', 'singularity'],
  ...['islo', 'tensorlake', 'cwsandbox', 'wandb', 'use-computer'],
]

test('every environment has a type that Harbor knows', () => {
  const configs = [
    read('config.json'),
    ...read('lock.json').trials,
    ...trials().flatMap(({ name }) => [read(name, 'config.json'), read(name, 'result.json').config]),
  ]
  expect(configs).toHaveLength(7)
  for (const { environment } of configs) {
    expect([null, ...harborTypes]).toContain(environment.type)
    expect(environment.import_path).toBe('agentpty_gym.harbor_env:AgentptyEnvironment')
  }
})

test('the class that represents our environments exists', () => {
  const source = readFileSync(join(process.cwd(), 'python/agentpty_gym/harbor_env.py'), 'utf8')
  expect(source).toContain('class AgentptyEnvironment(')
})

/** A Python that can import Harbor. */
const python = process.env['AGENTPTY_HARBOR_PYTHON'] ?? 'python3'

test('Harbor’s own models accept every file, if installed', async () => {
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/', LANG: 'C.UTF-8' }
  const known = await run(python, ['-c', 'import harbor.models.trial.result'], env)
  if (known.code !== 0) {
    process.stdout.write('SKIPPED: Harbor’s models; set AGENTPTY_HARBOR_PYTHON to a Python that has Harbor\n')
    return
  }
  const { stdout } = await run(python, [join(import.meta.dirname, 'harbor-models.py'), job], env)
  expect(stdout).toBe('11 accepted, 0 refused\n')
})
