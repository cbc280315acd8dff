/** Control groups, if this machine lets a test create them; tests that need one run only there. */

import { accessSync, constants, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { until } from '../harness/instance.ts'

const root = '/sys/fs/cgroup'

/** Version 1 only: in version 2 a frozen process ends when killed. */
export const canFreeze = isWritable(`${root}/freezer`)
/** Either version. */
export const canLimitProcesses = isWritable(`${root}/pids`) || subtreeHasPids()

export class Cgroup {
  readonly #folder: string

  constructor(controller: 'pids' | 'freezer') {
    const parent = isWritable(`${root}/${controller}`) ? `${root}/${controller}` : root
    this.#folder = `${parent}/agentpty-test-${process.pid}`
    mkdirSync(this.#folder)
  }

  /** Existing processes; their later children belong to it, too. */
  take(...pids: readonly number[]): void {
    for (const pid of pids) this.write('cgroup.procs', String(pid))
  }

  read(file: string): string {
    return readFileSync(`${this.#folder}/${file}`, 'utf8').trim()
  }

  write(file: string, value: string): void {
    writeFileSync(`${this.#folder}/${file}`, value)
  }

  /** To be called after its processes have ended. */
  async remove(): Promise<void> {
    await until(() => this.read('cgroup.procs') === '')
    rmdirSync(this.#folder)
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    // Missing, or another user's.
    return false
  }
}

function subtreeHasPids(): boolean {
  const file = `${root}/cgroup.subtree_control`
  return isWritable(file) && readFileSync(file, 'utf8').split(/\s/).includes('pids')
}
