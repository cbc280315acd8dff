import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type Files, folderWith, removeFolders } from '../folder-fixture.ts'
import { readTask, readTaskToml } from './read-task.ts'

afterAll(removeFolders)

test('missing keys have the defaults of the format', () => {
  const { task, written } = readTaskToml('')
  expect(written).toEqual({})
  expect(task).toEqual({
    schema_version: '1.3',
    source: null,
    multi_step_reward_strategy: null,
    artifacts: [],
    task: null,
    steps: [],
    metadata: {},
    verifier: {
      timeout_sec: 600,
      env: {},
      user: null,
      network_mode: null,
      allowed_hosts: null,
      environment_mode: null,
      environment: null,
      collect: [],
    },
    agent: { timeout_sec: null, user: null, network_mode: null, allowed_hosts: null },
    environment: {
      build_timeout_sec: 600,
      docker_image: null,
      os: 'linux',
      cpus: null,
      memory_mb: null,
      storage_mb: null,
      gpus: null,
      gpu_types: null,
      tpu: null,
      network_mode: 'public',
      allowed_hosts: null,
      env: {},
      workdir: null,
      skills_dir: null,
      mcp_servers: [],
      healthcheck: null,
    },
    solution: { env: {} },
  })
})

describe('a key with a default inside a table that is written', () => {
  test.each<[string, string, object]>([
    [
      'a healthcheck',
      '[environment.healthcheck]\ncommand = "true"',
      {
        environment: {
          healthcheck: { interval_sec: 5, timeout_sec: 30, start_period_sec: 0, start_interval_sec: 5, retries: 3 },
        },
      },
    ],
    ['a hook', '[[verifier.collect]]\ncommand = "x"', { verifier: { collect: [{ timeout_sec: 600, service: null }] } }],
    [
      'a server of tools',
      '[[environment.mcp_servers]]\nname = "a"\nurl = "http://b"',
      { environment: { mcp_servers: [{ transport: 'sse', args: [], command: null }] } },
    ],
    [
      'an artifact',
      'artifacts = ["a", {source = "/b"}]',
      { artifacts: ['a', { source: '/b', destination: null, exclude: [], service: null }] },
    ],
    [
      'a person',
      '[task]\nname = "o/n"\nauthors = [{name = "a"}]',
      { task: { description: '', keywords: [], authors: [{ name: 'a', email: null }] } },
    ],
    ['a system in capitals', '[environment]\nos = "Windows"', { environment: { os: 'windows' } }],
    [
      'a step',
      '[[steps]]\nname = "one"\n[steps.agent]\nuser = 3',
      { steps: [{ agent: { user: 3, timeout_sec: null }, verifier: null, min_reward: null }] },
    ],
    [
      'a verifier’s own place',
      '[verifier.environment]\ncpus = 2',
      { verifier: { environment: { cpus: 2, network_mode: 'public' } } },
    ],
  ])('%s', (_name, toml, want) => expect(readTaskToml(toml).task).toMatchObject(want))
})

describe('keys of older schemas become those that replaced them', () => {
  test.each<[string, string, object]>([
    ['version', 'version = "1.0"', { schema_version: '1.0' }],
    ['memory in G', '[environment]\nmemory = "2G"', { environment: { memory_mb: 2_048 } }],
    ['memory in M', '[environment]\nmemory = "512M"', { environment: { memory_mb: 512 } }],
    ['storage in K', '[environment]\nstorage = "1025K"', { environment: { storage_mb: 2 } }],
    ['no internet', '[environment]\nallow_internet = false', { environment: { network_mode: 'no-network' } }],
    ['internet', '[environment]\nallow_internet = true', { environment: { network_mode: 'public' } }],
    ['both, saying the same', '[environment]\nmemory = "2G"\nmemory_mb = 2048', { environment: { memory_mb: 2_048 } }],
    [
      'the verifier’s own',
      '[verifier.environment]\nmemory = "1G"',
      { verifier: { environment: { memory_mb: 1_024 } } },
    ],
    [
      'a step’s own',
      '[[steps]]\nname = "a"\n[steps.verifier.environment]\nmemory = "1G"',
      { steps: [{ name: 'a', verifier: { environment: { memory_mb: 1_024 } } }] },
    ],
  ])('%s', (_name, toml, want) => expect(readTaskToml(toml).written).toEqual(want))
})

describe('an error names its file and its key', () => {
  const big = 'x = "'.padEnd(9 * 1_024 * 1_024, 'x')
  test.each<[string, string, RegExp]>([
    ['no TOML', 'a = ', /^task\.toml: line 1: /],
    ['a key that would be a prototype', '__proto__ = 1', /^task\.toml: line 1: /],
    ['too deep', `a = ${'['.repeat(40)}${']'.repeat(40)}`, /^task\.toml: /],
    ['too long', big, /^task\.toml is longer than/],
    ['another schema', 'schema_version = "2.0"', /schema_version: only schema 1\.x/],
    ['memory without a unit', '[environment]\nmemory = "2048"', /environment\.memory: must be a number with K, M or G/],
    [
      'memory twice',
      '[environment]\nmemory = "2G"\nmemory_mb = 1',
      /environment\.memory: says something else than memory_mb/,
    ],
    ['storage twice', '[environment]\nstorage = "2G"\nstorage_mb = 1', /environment\.storage: says something else/],
    [
      'network twice',
      '[environment]\nallow_internet = false\nnetwork_mode = "public"',
      /environment\.allow_internet: says something else/,
    ],
    [
      'internet that is no boolean',
      '[environment]\nallow_internet = 1',
      /environment\.allow_internet: must be true or false/,
    ],
    ['versions that differ', 'version = "1.0"\nschema_version = "1.1"', /version: says something else/],
    ['a name without an organization', '[task]\nname = "n"', /task\.name: "org\/name"/],
    ['a name that leads up', '[task]\nname = "a/b..c"', /task\.name: /],
    ['a name with a dot before it', '[task]\nname = "a/.b"', /task\.name: /],
    ['a table without a name', '[task]\ndescription = "x"', /task\.name: /],
    [
      'shared with its own environment',
      '[verifier]\nenvironment_mode = "shared"\n[verifier.environment]\n',
      /verifier\.environment_mode: is "shared"/,
    ],
    [
      'a list without hosts',
      '[environment]\nnetwork_mode = "allowlist"',
      /environment\.allowed_hosts: network_mode is "allowlist"/,
    ],
    ['hosts without a list', '[environment]\nallowed_hosts = ["a.b"]', /environment\.allowed_hosts: hosts count with/],
    ['hosts of a phase', '[agent]\nallowed_hosts = ["a.b"]', /agent\.allowed_hosts: hosts count with/],
    [
      'an address as a host',
      '[environment]\nnetwork_mode = "allowlist"\nallowed_hosts = ["https://a"]',
      /environment\.allowed_hosts\[0\]: a host name/,
    ],
    [
      'a port',
      '[agent]\nnetwork_mode = "allowlist"\nallowed_hosts = ["a:80"]',
      /agent\.allowed_hosts\[0\]: a host name/,
    ],
    [
      'an artifact that leads out',
      'artifacts = [{source = "/a", destination = "../b"}]',
      /artifacts\[0\]\.destination: may not lead out/,
    ],
    [
      'an artifact with a place of its own',
      'artifacts = [{source = "/a", destination = "/b"}]',
      /artifacts\[0\]\.destination: must be relative/,
    ],
    [
      'a backslash',
      "artifacts = [{source = '/a', destination = 'a\\b'}]",
      /artifacts\[0\]\.destination: may have no backslash/,
    ],
    [
      'the list of artifacts',
      'artifacts = [{source = "/a", destination = "manifest.json"}]',
      /artifacts\[0\]\.destination: is the name/,
    ],
    [
      'a server without an address',
      '[[environment.mcp_servers]]\nname = "a"',
      /mcp_servers\[0\]\.url: transport "sse" needs it/,
    ],
    [
      'a server without a command',
      '[[environment.mcp_servers]]\nname = "a"\ntransport = "stdio"',
      /mcp_servers\[0\]\.command: transport "stdio"/,
    ],
    ['no time at all', '[agent]\ntimeout_sec = 0', /agent\.timeout_sec: /],
    ['a reward strategy that is none', 'multi_step_reward_strategy = "max"', /multi_step_reward_strategy: /],
    ['a step that leads out', '[[steps]]\nname = "../a"', /steps\[0\]\.name: /],
    ['a step twice', '[[steps]]\nname = "a"\n[[steps]]\nname = "a"', /steps\[1\]\.name: "a" stands twice/],
    ['a shape of processors', '[environment.tpu]\ntype = "v5"\ntopology = "2"', /environment\.tpu\.topology: /],
    ['an unknown system', '[environment]\nos = "dos"', /environment\.os: /],
  ])('%s', (_name, toml, want) => expect(() => readTaskToml(toml)).toThrow(want))
})

const whole: Files = {
  'task.toml': '[task]\nname = "o/n"\n',
  'instruction.md': 'Do it.\n',
  'environment/Dockerfile': 'FROM x\n',
  'tests/test.sh': 'exit 0\n',
  'solution/solve.sh': 'exit 0\n',
}

test('a folder is read with the parts that are there', () => {
  const folder = folderWith(whole)
  expect(readTask(folder)).toMatchObject({
    folder,
    name: 'o/n',
    instruction: 'Do it.\n',
    environment: 'dockerfile',
    test: 'tests/test.sh',
    solution: 'solution/solve.sh',
    verifierDockerfile: null,
    steps: [],
  })
})

describe('a folder is read whose', () => {
  test.each<[string, Files, object]>([
    ['name is the folder’s', { ...whole, 'task.toml': '' }, { name: 'task' }],
    ['environment is a compose file', { ...whole, 'environment/docker-compose.yaml': '' }, { environment: 'compose' }],
    [
      'scripts are those of Windows',
      { 'task.toml': '', 'instruction.md': 'x', 'tests/test.bat': '' },
      { test: 'tests/test.bat', solution: null },
    ],
    [
      'environment is files in an image',
      { 'task.toml': '[environment]\ndocker_image = "x"', 'instruction.md': 'x', 'environment/a': '' },
      { environment: 'files' },
    ],
    ['verifier has an image', { ...whole, 'tests/Dockerfile': '' }, { verifierDockerfile: 'tests/Dockerfile' }],
    [
      'steps are folders',
      {
        'task.toml': '[[steps]]\nname = "a"',
        'steps/a/instruction.md': 'x',
        'steps/a/workdir/setup.sh': '',
        'steps/a/tests/test.sh': '',
      },
      {
        instruction: null,
        steps: [
          {
            name: 'a',
            instruction: 'x',
            workdir: 'steps/a/workdir',
            setup: 'steps/a/workdir/setup.sh',
            test: 'steps/a/tests/test.sh',
          },
        ],
      },
    ],
  ])('%s', (_name, files, want) => expect(readTask(folderWith(files))).toMatchObject(want))
})

describe('a folder is refused with', () => {
  test.each<[string, Files, RegExp]>([
    ['no task.toml', {}, /task\.toml is missing/],
    ['no instruction', { 'task.toml': '' }, /instruction\.md is missing/],
    ['an empty instruction', { 'task.toml': '', 'instruction.md': ' \n' }, /instruction\.md is empty/],
    [
      'an instruction that is no text',
      { 'task.toml': '', 'instruction.md': new Uint8Array([0xff, 0xfe]) },
      /is no UTF-8/,
    ],
    ['a step without its folder', { 'task.toml': '[[steps]]\nname = "a"' }, /there is no folder steps\/a/],
    [
      'a step without an instruction',
      { 'task.toml': '[[steps]]\nname = "a"', 'steps/a/x': '' },
      /steps\/a\/instruction\.md is missing/,
    ],
  ])('%s', (_name, files, want) => expect(() => readTask(folderWith(files))).toThrow(want))
})

test('a link that leads out of the folder is not followed', () => {
  const folder = folderWith({ 'task.toml': '' })
  writeFileSync(join(folder, '../secret'), 'x')
  symlinkSync('../secret', join(folder, 'instruction.md'))
  expect(() => readTask(folder)).toThrow(/leads out of/)
})

test('a folder in the place of a file is refused', () => {
  const folder = folderWith({ 'task.toml': '' })
  mkdirSync(join(folder, 'instruction.md'))
  expect(() => readTask(folder)).toThrow(/is no plain file/)
})
