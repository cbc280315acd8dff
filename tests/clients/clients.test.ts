/**
 * Real agent programs with agentpty as their server: each is registered, finds the tools, and a scripted model has it open a
 * terminal, run a program that asks, answer it and read the result.
 */

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { installClients, programOf } from '../../bench/agents/lib/install.ts'
import { startFakeModel } from '../../tools/fake-model/server.ts'
import { type Finished, processesWith, program, run, writeUserFiles } from '../e2e/instance.ts'
import { type HeadlessClient, headlessClients } from './headless.ts'

/** Installing takes a minute the first time; a client on a busy machine takes its time to start. */
const patience = 300_000

const script = {
  turns: [
    {
      match: 'GREET',
      steps: [
        {
          tool: 'agentpty/terminal_create',
          args: { command: `python3 -c "name = input('Name? '); print('Hello', name + '!')"` },
        },
        { tool: 'agentpty/terminal_send', args: { terminalId: '{{last:/term-\\d+/}}', text: 'Ada' } },
        { text: 'RESULT={{last:/Hello \\w+!/}}' },
      ],
    },
  ],
}

let home: string

beforeAll(() => installClients(), patience)

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'agentpty-client-'))
  mkdirSync(join(home, 'work'))
  writeUserFiles(home)
})

afterEach(async () => {
  await agentpty('stop', '--all')
  const left = processesWith(`HOME=${home}`)
  for (const pid of left) process.kill(pid, 'SIGKILL')
  rmSync(home, { recursive: true, force: true })
})

const environment = () => ({
  HOME: home,
  PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
  SHELL: '/bin/bash',
  LANG: 'C.UTF-8',
  TERM: 'xterm-256color',
})

const agentpty = (...args: readonly string[]): Promise<Finished> =>
  run(process.execPath, [program, ...args], environment())

const ways: Readonly<Record<string, (client: HeadlessClient) => Promise<void>>> = {
  stdio: async ({ client }) => {
    assert.equal((await agentpty('init', '--client', client.name, '--yes')).code, 0)
  },
  HTTP: async ({ client }) => {
    assert.equal((await agentpty('init', '--http', '--client', client.name, '--yes')).code, 0)
  },
}

const placeOf = ({ client }: HeadlessClient, modelUrl: string) => ({
  ...{ home, cwd: join(home, 'work'), modelUrl },
  program: programOf(client),
})

const cases = headlessClients.flatMap((one) => Object.keys(ways).map((way) => [one.client.name, way, one] as const))

test.each(cases)(
  '%s over %s answers a program that asks',
  async (_name, way, headless) => {
    const model = await startFakeModel({ script, dumpFolder: join(home, 'dump') })
    try {
      const launch = headless.client.prepare(placeOf(headless, model.url))
      mkdirSync(join(home, '.copilot'), { recursive: true })
      await ways[way]?.(headless)
      const { stdout, stderr } = await ask(headless.ask(launch, 'GREET id=1'))
      expect(stdout, stderr).toContain('RESULT=Hello Ada!')
      const read = readByModel()
      assert.equal(read.split('Hello Ada!').length - 1, 1, 'the model reads a result once')
      assert.doesNotMatch(read, /\\"sent\\"/, 'and nothing that goes without saying')
    } finally {
      await model.close()
    }
  },
  patience,
)

/** The model's last request, with all that the client gave it. */
function readByModel(): string {
  const folder = join(home, 'dump')
  const requests = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  return requests.findLast((text) => text.includes('Hello Ada!')) ?? ''
}

/** Without standard input: some clients wait for it to end. */
function ask({
  command: [file = '', ...args],
  env,
}: {
  command: readonly string[]
  env: Readonly<Record<string, string>>
}) {
  return new Promise<Omit<Finished, 'code'>>((resolve, reject) => {
    const child = spawn(file, [...args], {
      ...{ cwd: join(home, 'work'), env: { ...environment(), ...env } },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      return parts
    })
    child.once('error', reject)
    child.once('close', () =>
      resolve({ stdout: Buffer.concat(stdout ?? []).toString(), stderr: Buffer.concat(stderr ?? []).toString() }),
    )
  })
}
