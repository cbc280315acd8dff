/** Types a case into a real shell through agentpty, with programs that only record their calls. */

import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { type Approval, isTermError, type Terminals } from 'agentpty'
import { serverClientOf } from '../../harness/server-client.ts'
import { type Case, dangers, type Outcome, type Step, safePrograms, violationsOf } from './case.ts'

const recorder = '#!/bin/sh\nprintf "%s\\0" "${0##*/} $*" >> "${0%/*}/../log"\n'
const recorded = [...safePrograms, ...dangers.map((line) => line.split(' ', 1)[0] ?? '')]
/** The last line may still run when the last call returns. */
const endMsMax = 1_500
/** The errors of an ended terminal: later steps have no reader. */
const ended = new Set(['exited', 'not_found', 'no_such_terminal', 'session_gone'])

/** The program of a shell; null when it is not installed. */
export function findShell(name: string): string | null {
  try {
    return execFileSync('/bin/sh', ['-c', 'command -v "$0"', name], { encoding: 'utf8' }).trim() || null
  } catch (error) {
    if (error instanceof Error && 'status' in error) return null
    throw error
  }
}

export async function runCase(terminals: Terminals, tested: Case): Promise<Outcome> {
  const root = mkdtempSync(path.join(tmpdir(), 'agentpty-shells-'))
  try {
    return await new CaseRun(terminals, tested, root).run()
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
}

class CaseRun {
  readonly #terminals: Terminals
  readonly #case: Case
  readonly #root: string
  readonly #victim: string
  #terminalId = ''

  constructor(terminals: Terminals, tested: Case, root: string) {
    this.#terminals = terminals
    this.#case = tested
    this.#root = root
    this.#victim = path.join(root, 'docs')
  }

  async run(): Promise<Outcome> {
    const client = serverClientOf(this.#terminals)
    const { shell, env } = this.#prepare()
    const cwd = path.join(this.#root, 'work')
    const { terminalId } = await client.call('create', { shell, cwd, waitTimeoutMs: 10_000 }, { env })
    this.#terminalId = terminalId
    const errors: (string | null)[] = []
    let screen = ''
    try {
      for (const step of this.#case.steps) {
        const error = await this.#perform(step)
        errors.push(error)
        if (error !== null && ended.has(error)) break
      }
      const waiting = { terminalIds: [terminalId], waitTimeoutMs: endMsMax, waitFor: 'ready' as const }
      await client.call('wait', waiting).catch(ignoreErrorsOfCalls)
      screen = (await client.call('read', { terminalId })).output
    } finally {
      await client.call('close', { terminalId }).catch(ignoreErrorsOfCalls)
    }
    const log = path.join(this.#root, 'log')
    const ran = existsSync(log) ? readFileSync(log, 'utf8').split('\0').slice(0, -1) : []
    return { errors, ran, violations: violationsOf(this.#case, { errors, ran }, this.#victim), screen }
  }

  #prepare() {
    const [bin, home, shells] = ['bin', 'home', 'shells'].map((name) => path.join(this.#root, name)) as [
      string,
      string,
      string,
    ]
    for (const folder of [bin, home, shells, this.#victim, path.join(this.#root, 'work')]) mkdirSync(folder)
    for (const name of recorded) {
      writeFileSync(path.join(bin, name), recorder)
      chmodSync(path.join(bin, name), 0o755)
    }
    writeFileSync(path.join(home, '.zshrc'), '')
    // Without this folder each fish builds completions from all manual pages, with a Python that uses a core for seconds.
    mkdirSync(path.join(home, '.local', 'share', 'fish', 'generated_completions'), { recursive: true })
    const found = findShell(this.#case.shell) ?? this.#case.shell
    const isBusybox = path.basename(found) === 'busybox'
    const shell = isBusybox ? path.join(shells, 'ash') : found
    if (isBusybox) symlinkSync(found, shell)
    const PATH = `${bin}:/usr/bin:/bin`
    const env = { ...definedVariables(), HOME: home, ZDOTDIR: home, PATH, XDG_CONFIG_HOME: home, EDITOR: 'true' }
    return { shell, env }
  }

  /** The code of the error, or null. */
  async #perform(step: Step): Promise<string | null> {
    const client = serverClientOf(this.#terminals)
    // A full queue of approvals would refuse everything. A line may be refused after its call has returned.
    const approvalAsked = ({ approvalId }: Approval) => {
      client.call('decide', { approvalId, answer: 'deny' }).catch(ignoreErrorsOfCalls)
    }
    try {
      await this.#type(step, { approvalAsked })
      return null
    } catch (error) {
      if (!isTermError(error)) throw error
      return error.code
    }
  }

  async #type(step: Step, context: { readonly approvalAsked: (approval: Approval) => void }): Promise<void> {
    const client = serverClientOf(this.#terminals)
    const { waitMs } = step
    const terminalId = this.#terminalId
    const at = { terminalId, waitTimeoutMs: waitMs }
    if ('send' in step)
      await client.call('send', { ...at, text: this.#fill(step.send), newline: step.newline }, context)
    else if ('keys' in step) await client.call('sendKeys', { ...at, keys: step.keys }, context)
    else if ('run' in step) {
      const command = this.#fill(step.run)
      await client.call('run', { terminalId, command, clearLine: true, timeoutMs: waitMs }, context)
    } else {
      const data = Buffer.from(this.#fill(step.write)).toString('base64')
      await client.call('write', { terminalId, data }, context)
      await client.call('wait', { terminalIds: [terminalId], waitTimeoutMs: waitMs, waitFor: 'ready' })
    }
  }

  #fill(text: string): string {
    return text.replace(/\bV\b/g, this.#victim)
  }
}

function definedVariables(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

function ignoreErrorsOfCalls(error: unknown): void {
  if (!isTermError(error)) throw error
}
