/** Control groups, where this machine lets a test make one: tests that need one run only there. */

import { accessSync, constants, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { until } from '../harness/instance.ts'

const root = '/sys/fs/cgroup'

/** Version 1 alone: a frozen process of version 2 ends when it is killed. */
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

  /** Processes that are there; what they start belongs to it too. */
  take(...pids: readonly number[]): void {
    for (const pid of pids) this.write('cgroup.procs', String(pid))
  }

  read(file: string): string {
    return readFileSync(`${this.#folder}/${file}`, 'utf8').trim()
  }

  write(file: string, value: string): void {
    writeFileSync(`${this.#folder}/${file}`, value)
  }

  /** What is in it must have ended. */
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
    // It is not there, or not ours.
    return false
  }
}

function subtreeHasPids(): boolean {
  const file = `${root}/cgroup.subtree_control`
  return isWritable(file) && readFileSync(file, 'utf8').split(/\s/).includes('pids')
}
