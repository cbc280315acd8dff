/** Control groups of version 1, where this machine lets a test make one. */

import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { until } from '../e2e/instance.ts'

export class Cgroup {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Null where none can be made. */
  static make(controller: 'pids' | 'freezer'): Cgroup | null {
    const folder = `/sys/fs/cgroup/${controller}/agentpty-test-${process.pid}`
    try {
      mkdirSync(folder)
      return new Cgroup(folder)
    } catch {
      // No such controller, or not ours to use.
      return null
    }
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
