/** A separate daemon with a workspace, a home full of secrets, and a hostile program in terminals with and without sandboxes. */

import assert from 'node:assert/strict'
import { chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Sandbox } from '@agentpty/protocol/sandbox'
import type { VerbInput, VerbOutput } from '@agentpty/protocol/verbs'
import type { WireClient } from '@agentpty/protocol/wire'
import { afterAll, beforeAll } from 'vitest'
import { Instance, processesWith, until, untilEnded } from './instance.ts'

/** An ordinary user without an account on this machine: bubblewrap needs only a number. */
const ordinaryUser = 54_321

/** Root can act as both; any other user is an ordinary user. */
export const users: readonly (readonly [name: string, userId: number])[] =
  process.getuid?.() === 0
    ? [
        ['root', 0],
        ['an ordinary user', ordinaryUser],
      ]
    : [['an ordinary user', process.getuid?.() ?? 0]]

export type Attack = readonly [name: string, ...args: (string | number)[]]

/** Gives the tests of a file or `describe` one such daemon. No process of it may be left at the end. */
export function behindWalls(userId: number): BehindWalls {
  const walls = new BehindWalls(userId)
  beforeAll(() => walls.open())
  afterAll(async () => assert.deepEqual(await walls.close(), []))
  return walls
}

class BehindWalls {
  readonly instance: Instance
  readonly userId: number
  /** A git repository; its files are `file`, `.agentpty/policy.yaml` and git's own. */
  readonly workspace: string
  readonly #folder: string
  #client: WireClient | undefined

  constructor(userId: number) {
    this.instance = new Instance({}, userId)
    this.userId = userId
    this.#folder = mkdtempSync(join(tmpdir(), 'agentpty-walls-'))
    this.workspace = join(this.#folder, 'project')
    this.write(join(this.workspace, 'file'), 'ours')
    for (const name of ['HEAD', 'config', 'hooks/pre-commit.sample', 'objects/info'])
      this.write(join(this.workspace, '.git', name), 'ref: refs/heads/main\n')
    this.write(join(this.workspace, '.agentpty/policy.yaml'), 'profile: standard\n')
    cpSync(resolve('tests/walls/attack.py'), join(this.workspace, 'attack.py'))
    this.#own(this.#folder)
  }

  get client(): WireClient {
    assert.ok(this.#client, 'it is not open yet')
    return this.#client
  }

  async open(): Promise<void> {
    this.#client = await this.instance.rpc()
  }

  /** An existing path outside the workspace that belongs to the user. */
  outside(name: string): string {
    return join(this.#folder, name)
  }

  /** A path in the user's home. */
  write(path: string, text: string): string {
    const made = mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    for (let folder = dirname(path); made !== undefined && folder.startsWith(made); folder = dirname(folder))
      this.#own(folder)
    this.#own(path)
    return path
  }

  /** Runs a command in a new terminal, to its end. */
  run(input: VerbInput<'create'>): Promise<VerbOutput<'create'>> {
    return this.client.call('create', { cwd: this.workspace, waitFor: 'exit', ...input })
  }

  /** Gives a command of the command line as the user, and returns its answer. */
  async json(...words: readonly string[]) {
    const { stdout, stderr } = await this.instance.cli(...words, '--json')
    assert.equal(stderr, '')
    return JSON.parse(stdout)
  }

  async approvals() {
    return (await this.json('approvals')).approvals
  }

  /**
   * Types a command into a gated terminal, answers the question about it, and closes the terminal. Returns the text of the
   * terminal and the question.
   */
  async answerGate(terminalId: string, command: string, answer: 'allow' | 'deny') {
    await this.instance.cli('send', terminalId, `${command}; echo "code $?"`, '--timeout', '1')
    await until(async () => (await this.approvals()).length === 1)
    const [question] = await this.approvals()
    await this.json('approvals', 'answer', question.approvalId, answer)
    let output = ''
    await until(async () => {
      output = (await this.json('read', terminalId)).output
      return /code \d/.test(output)
    })
    await this.json('close', terminalId)
    return { output, question }
  }

  /** The sandboxed processes, and all others of this user. */
  processes(): readonly number[] {
    return processesWith(`HOME=${this.instance.user}`)
  }

  /** The hostile program's report on its attack. */
  async attack(attack: Attack, sandbox: Sandbox): Promise<string> {
    const env = { ATTACK: JSON.stringify(attack) }
    const { output } = await this.run({ command: ['python3', 'attack.py'], env, sandbox })
    return output
  }

  async close(): Promise<readonly string[]> {
    // Programs inside do not receive agentpty's home, but their own.
    const marker = `HOME=${this.instance.user}`
    const left = await this.instance.stop()
    await untilEnded(marker)
    rmSync(this.#folder, { recursive: true, force: true })
    return left
  }

  #own(path: string): void {
    chownSync(path, this.userId, this.userId)
  }
}
