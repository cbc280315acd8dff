/**
 * The one daemon of a state folder. It takes the lock before it reads or writes any state, notes its last call, and leaves the reason of its
 * end for the next daemon.
 */

import { isoTime, systemClock } from '@agentpty/engine/system-clock'
import { build } from '@agentpty/protocol'
import { type DaemonLock, describePreviousEnd, isSameBoot, type Paths, type PreviousEnd } from '@agentpty/protocol/home'
import {
  heldElsewhere,
  keepLock,
  LastCallFile,
  readEnd,
  readLastCall,
  readLock,
  releaseLock,
  rewriteLock,
  stateOf,
  takeLock,
  thisProcess,
  writeEnd,
} from '@agentpty/server/state'

/** Longer reasons are in the log, whole. */
const reasonCharactersMax = 300

interface Ending {
  readonly reason: string
  readonly isOrderly: boolean
}

export class StateOwner {
  readonly #paths: Paths
  readonly #log: (text: string) => void
  readonly #here = thisProcess(systemClock)
  #lock: DaemonLock | null = null
  #calls: LastCallFile | null = null
  #ending: Ending | null = null
  /** The end of the previous daemon; null without one. */
  previous: PreviousEnd | null = null
  /** Sockets of the ptyhosts that earlier daemons have left. */
  leftHosts: readonly string[] = []

  constructor(paths: Paths, log: (text: string) => void) {
    this.#paths = paths
    this.#log = log
    process.on('exit', (code) => this.release({ reason: `the process ended with exit code ${code}`, isOrderly: false }))
  }

  get startedAt(): string {
    return this.#lock?.startedAt ?? isoTime(systemClock.wall())
  }

  get process() {
    return this.#here
  }

  /** Refuses the lock of another machine before anything is touched. Errors: `machine_unfit`. */
  async refuseForeign(): Promise<void> {
    const lock = readLock(this.#paths.lock)
    if (lock !== null && (await stateOf(lock, this.#here)) === 'foreign') throw heldElsewhere(this.#paths.lock, lock)
  }

  /** False when another daemon serves this state folder. Errors: `machine_unfit`, `daemon_gone`. */
  async take(): Promise<boolean> {
    const { lock, lastEnd, lastCall, daemonSocket: socket, hostSocket } = this.#paths
    const ours = { ...this.#here, startedAt: isoTime(systemClock.wall()), socket, hostSocket, build }
    const taken = await takeLock(lock, ours, systemClock)
    if (taken.outcome === 'serving') return false
    this.#lock = ours
    const { left } = taken
    const end = readEnd(lastEnd)
    this.previous = describePreviousEnd({
      left: left && { pid: left.pid, isOtherBoot: !isSameBoot(left, this.#here) },
      end,
      call: readLastCall(lastCall),
    })
    this.leftHosts = [left?.hostSocket, end?.hostSocket].filter((path) => path !== undefined)
    if (this.previous !== null && !this.previous.isOrderly) this.#log(this.previous.text)
    this.#openCalls()
    return true
  }

  /** Records that the terminals are at another ptyhost than the one at the socket. Errors: `machine_unfit`. */
  usesHost(hostSocket: string): void {
    if (this.#lock === null) return
    this.#lock = { ...this.#lock, hostSocket }
    rewriteLock(this.#paths.lock, this.#lock)
  }

  /** Costs one write of a few bytes. What cannot be written harms no call. */
  noteCall(name: string): void {
    try {
      this.#calls?.write({ pid: process.pid, name, at: isoTime(systemClock.wall()) })
    } catch (error) {
      this.#log(`${this.#paths.lastCall} cannot be written: ${String(error)}`)
      this.#closeCalls()
    }
  }

  /** Ends the process when another daemon owns the state folder. Errors: those of the file system. */
  check(): void {
    if (this.#lock === null || keepLock(this.#paths.lock, this.#lock)) return
    this.endNow('another daemon has taken the lock of the state folder')
  }

  /** The first reason counts: the others follow from it. */
  endsBecause(reason: string, isOrderly: boolean): void {
    this.#ending ??= { reason, isOrderly }
  }

  /** `details`: for the log alone. */
  endNow(reason: string, details = reason): never {
    this.#log(`The daemon ends: ${details}`)
    this.endsBecause(reason, false)
    process.exit(1)
  }

  /** Releases the state folder: nothing is written to it afterwards. */
  release(otherwise: Ending = { reason: 'no reason was given', isOrderly: false }): void {
    const lock = this.#lock
    if (lock === null) return
    this.#lock = null
    const { reason, isOrderly } = this.#ending ?? otherwise
    try {
      const { pid, startedAt, hostSocket } = lock
      const endedAt = isoTime(systemClock.wall())
      const short = reason.slice(0, reasonCharactersMax).replaceAll(/\s+/g, ' ')
      writeEnd(this.#paths.lastEnd, { pid, startedAt, endedAt, reason: short, isOrderly, hostSocket })
      releaseLock(this.#paths.lock, lock)
    } catch (error) {
      // The lock that stays is stale: the next daemon takes it over, and reports that there is no record.
      this.#log(`The end could not be recorded: ${String(error)}`)
    }
  }

  #openCalls(): void {
    try {
      this.#calls = new LastCallFile(this.#paths.lastCall)
    } catch (error) {
      // Without it only the report about a killed daemon is poorer.
      this.#log(`${this.#paths.lastCall} cannot be written: ${String(error)}`)
    }
  }

  #closeCalls(): void {
    this.#calls?.close()
    this.#calls = null
  }
}
