import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type Files, folderWith, removeFolders } from '../folder-fixture.ts'
import { importTerminalBench, writeImportedTask } from './import-terminal-bench.ts'
import { readTask } from './read-task.ts'
import { readKeystrokeSolution } from './terminal-bench-task.ts'

afterAll(removeFolders)

const canary = '# a canary of nobody: 00000000-0000-0000-0000-000000000000'
const compose = `services:
  client:
    build:
      dockerfile: Dockerfile
    image: \${T_BENCH_TASK_DOCKER_CLIENT_IMAGE_NAME}
    container_name: \${T_BENCH_TASK_DOCKER_CLIENT_CONTAINER_NAME}
    command: ["sh", "-c", "sleep infinity"]
    environment:
      - TEST_DIR=\${T_BENCH_TEST_DIR}
      - MODE=fast
    volumes:
      - \${T_BENCH_TASK_LOGS_PATH}:\${T_BENCH_CONTAINER_LOGS_PATH}
`
const task: Files = {
  'task.yaml': `${canary}
instruction: |-
  ${canary}
  Sort the file.
difficulty: easy
tags: [files]
max_agent_timeout_sec: 900
own_key: kept
`,
  Dockerfile: `${canary}\nFROM x\nCOPY data.txt /app/\n`,
  'docker-compose.yaml': compose,
  'data.txt': 'b\na\n',
  'run-tests.sh': `#!/bin/bash\n${canary}\n# runs pytest\nexit 3\n`,
  'tests/test_outputs.py': 'pass\n',
  'solution.sh': '#!/bin/bash\nsort\n',
}

const imported = (files: Files, name?: string) => importTerminalBench(folderWith(files, name))

test('a task becomes a folder of Harbor', () => {
  const folder = folderWith({})
  writeImportedTask(imported(task, 'sort-file'), folder)
  const read = readTask(folder)
  expect(read).toMatchObject({
    name: 'terminal-bench/sort-file',
    instruction: 'Sort the file.\n',
    environment: 'dockerfile',
    test: 'tests/test.sh',
    solution: 'solution/solve.sh',
  })
  expect(read.written).toEqual({
    schema_version: '1.3',
    task: { name: 'terminal-bench/sort-file' },
    metadata: {
      difficulty: 'easy',
      author_name: 'unknown',
      author_email: 'unknown',
      category: 'software_engineering',
      tags: ['files'],
      parser_name: 'pytest',
      run_tests_in_same_shell: false,
      disable_asciinema: false,
      own_key: 'kept',
    },
    verifier: { timeout_sec: 60 },
    agent: { timeout_sec: 900 },
  })
  const text = (path: string) => readFileSync(join(folder, path), 'utf8')
  expect(text('environment/Dockerfile')).toBe('FROM x\nCOPY data.txt /app/\nENV MODE="fast"\n')
  expect(text('environment/data.txt')).toBe('b\na\n')
  expect(text('tests/run-tests.sh')).toBe('#!/bin/bash\n# runs pytest\nexit 3\n')
  expect(text('tests/test_outputs.py')).toBe('pass\n')
  expect(existsSync(join(folder, 'environment/tests'))).toBe(false)
  expect(statSync(join(folder, 'tests/test.sh')).mode & 0o111).not.toBe(0)
  execFileSync('bash', ['-n', join(folder, 'tests/test.sh')])
})

test('a task is not written over another one', () => {
  expect(() => writeImportedTask(imported(task), folderWith({ 'task.toml': '' }))).toThrow(/has a task\.toml already/)
})

test('a solution of keystrokes is kept beside where the script would stand', () => {
  const { 'solution.sh': _script, ...rest } = task
  const yaml = '- command: vim a\n  min_timeout_sec: 2\n- command: ":wq"\n  append_enter: false\n'
  const folder = folderWith({})
  const made = imported({ ...rest, 'solution.yaml': yaml })
  writeImportedTask(made, folder)
  expect(readTask(folder).solution).toBe(null)
  expect(readKeystrokeSolution(folder)).toEqual([
    { command: 'vim a', min_timeout_sec: 2, max_timeout_sec: 180, block: false, append_enter: true },
    { command: ':wq', min_timeout_sec: 0, max_timeout_sec: 180, block: false, append_enter: false },
  ])
  expect(made.notes.join()).toContain('solution/keystrokes.json')
  expect(readKeystrokeSolution(folderWith({}))).toBe(null)
})

describe('a compose file with more than the usual is kept, and its service renamed:', () => {
  test.each<[string, string, object]>([
    [
      'another service',
      `${compose}    depends_on: [db]\n  db:\n    image: x\n    network_mode: service:client\n`,
      {
        services: {
          main: { image: '${MAIN_IMAGE_NAME}', environment: ['TEST_DIR=${TEST_DIR}', 'MODE=fast'] },
          db: { network_mode: 'service:main' },
        },
      },
    ],
    ['another volume', `${compose}      - ./x:/x\n`, { services: { main: { volumes: ['./x:/x'] } } }],
    ['rights of its own', `${compose}    privileged: true\n`, { services: { main: { privileged: true } } }],
    [
      'who waits for it',
      `${compose}  db:\n    image: x\n    depends_on: [client]\n`,
      { services: { db: { depends_on: ['main'] } } },
    ],
    [
      'who waits for its state',
      `${compose}  db:\n    depends_on: {client: {condition: x}}\n`,
      { services: { db: { depends_on: { main: { condition: 'x' } } } } },
    ],
  ])('%s', (_name, yaml, want) => {
    const { files } = imported({ ...task, 'docker-compose.yaml': yaml })
    const kept = files.find(({ path }) => path === 'environment/docker-compose.yaml')?.content ?? ''
    expect(JSON.parse(String(kept))).toMatchObject(want)
  })
})

describe('parts that could not be kept are reported:', () => {
  const { 'solution.sh': _script, ...unsolved } = task
  test.each<[string, Files, RegExp]>([
    ['no solution', unsolved, /no solution/],
    [
      'tests in the agent’s shell',
      { ...task, 'task.yaml': `${task['task.yaml']}run_tests_in_same_shell: true\n` },
      /shell/,
    ],
    [
      'a variable of the host',
      { ...task, 'docker-compose.yaml': compose.replace('MODE=fast', 'KEY=$' + '{KEY}') },
      /KEY/,
    ],
    [
      'another command',
      { ...task, 'docker-compose.yaml': compose.replace('sleep infinity', './serve') },
      /is not started/,
    ],
  ])('%s', (_name, files, want) => expect(imported(files).notes.join('\n')).toMatch(want))
})

describe('a folder is taken whose', () => {
  const path = (files: Files, at: string) => imported(files).files.find((file) => file.path === at)?.content

  test('only service has another name', () => {
    const named = compose.replace('  client:', '  adapter:')
    expect(path({ ...task, 'docker-compose.yaml': named }, 'environment/Dockerfile')).toContain('ENV MODE="fast"')
    const two = `${named}    depends_on: [db]\n  db:\n    image: x\n    network_mode: service:adapter\n`
    const renamed = JSON.parse(String(path({ ...task, 'docker-compose.yaml': two }, 'environment/docker-compose.yaml')))
    expect(Object.keys(renamed.services)).toEqual(['main', 'db'])
    expect(renamed.services.db.network_mode).toBe('service:main')
  })

  test('tests have a run-tests.sh of their own', () => {
    const files = { ...task, 'tests/run-tests.sh': 'own\n' }
    expect(path(files, 'tests/run-tests-1.sh')).toContain('exit 3')
    expect(path(files, 'tests/test.sh')).toContain('/run-tests-1.sh"')
  })

  test('Dockerfile copies from its tests', () => {
    const files = {
      ...task,
      Dockerfile: 'FROM x\nCOPY tests/make.py ["./data.txt", "/app/"]\n',
      'tests/make.py': 'make',
    }
    expect(path(files, 'environment/tests/make.py')).toBeDefined()
    expect(path(files, 'environment/tests/test_outputs.py')).toBeUndefined()
  })
})

describe('a folder is refused with', () => {
  const { 'run-tests.sh': _tests, ...untested } = task
  test.each<[string, Files, RegExp]>([
    ['no task.yaml', {}, /task\.yaml is missing/],
    ['no tests', untested, /run-tests\.sh is missing/],
    ['broken YAML', { ...task, 'task.yaml': 'a: [' }, /task\.yaml: line \d/],
    ['no instruction', { ...task, 'task.yaml': 'difficulty: easy\n' }, /task\.yaml: instruction: /],
    ['a prototype', { ...task, 'task.yaml': '__proto__: {a: 1}\n' }, /has a key "__proto__"/],
    ['an unknown difficulty', { ...task, 'task.yaml': 'instruction: x\ndifficulty: no\n' }, /task\.yaml: difficulty: /],
    [
      'an unknown parser',
      { ...task, 'task.yaml': 'instruction: x\ndifficulty: easy\nparser_name: x\n' },
      /parser_name: /,
    ],
    ['no service of the agent', { ...task, 'docker-compose.yaml': 'services: {}' }, /services\.client: is missing/],
    [
      'two services of the agent',
      { ...task, 'docker-compose.yaml': 'services: {client: {}, main: {}}' },
      /services\.main: stands beside/,
    ],
    ['a script where the new one goes', { ...task, 'tests/test.sh': '' }, /stands where the new script goes/],
  ])('%s', (_name, files, want) => expect(() => imported(files)).toThrow(want))
})
