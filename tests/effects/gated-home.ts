/** A home with a workspace and a folder of files that a gate guards, and terminals in it. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { descendantsOf, open, type TestHost } from '../harness/host-fixture.ts'
import { scratchFolder } from '../harness/scratch.ts'
import { GatedTerminal } from './gated-terminal.ts'

export type GateKind = 'ask' | 'journal' | 'off'

interface Options {
  readonly gate?: GateKind
  /** How long a call waits for an answer. */
  readonly deadlineMs?: number
  readonly env?: Readonly<Record<string, string>>
  readonly argv?: readonly string[]
}

/** Longer than any test. */
const longMs = 600_000

export class GatedHome {
  readonly path: string
  readonly workspace: string
  /** Three files: `a`, `b` and `c`. */
  readonly keep: string
  readonly #host: TestHost

  /** `parent`: where the home is made, if not in the folder for temporary files. */
  constructor(host: TestHost, parent = tmpdir()) {
    this.#host = host
    mkdirSync(parent, { recursive: true })
    this.path = scratchFolder(parent)
    this.workspace = join(this.path, 'proj')
    this.keep = join(this.path, 'keep')
    for (const folder of [this.workspace, this.keep]) mkdirSync(folder)
    for (const name of ['a', 'b', 'c']) writeFileSync(join(this.keep, name), 'kept\n')
  }

  /** The names of the files that are left in the guarded folder. */
  get kept(): readonly string[] {
    return readdirSync(this.keep).sort()
  }

  /** Starts a script of bash in the workspace. */
  async open(script: string, options: Options = {}): Promise<GatedTerminal> {
    const { gate = 'ask', deadlineMs = longMs, env = {}, argv = ['/bin/bash', '-c', script] } = options
    const { pty } = await open(this.#host.link, argv, {
      env: { HOME: this.path, PWD: this.workspace, ...env },
      cwd: this.workspace,
      gate: gate === 'off' ? '' : this.#table(gate === 'ask' ? `asks ${deadlineMs}\n` : ''),
    })
    return new GatedTerminal(pty)
  }

  /** Runs a script to its end. */
  async run(script: string, options: Options = {}): Promise<GatedTerminal> {
    const terminal = await this.open(script, options)
    await terminal.recorder.exit
    await terminal.close()
    return terminal
  }

  #table(first: string): string {
    const free = ['/dev', tmpdir(), this.workspace].map((path) => `free ${path}\n`)
    return `${first}${free.join('')}elsewhere ${this.path}\n`
  }

  /** The supervisors of all terminals of the host. */
  get supervisors(): readonly number[] {
    return descendantsOf(this.#host.link.pid).filter((pid) => nameOf(pid) === 'agentpty-gate')
  }
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    // It has ended meanwhile.
    return ''
  }
}
