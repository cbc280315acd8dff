/** A daemon without terminals and clients ends after a while: the next call starts one in a fraction of a second. */

import { closeSync, readdirSync, readFileSync } from 'node:fs'
import type { Clock } from '@agentpty/protocol'

const checkMs = 60_000
const idleChecksMax = 10

interface IdleOptions {
  readonly clock: Clock
  readonly isIdle: () => boolean
  readonly stop: () => void
}

export function stopWhenIdle({ clock, isIdle, stop }: IdleOptions): void {
  let idleChecks = 0
  const check = () => {
    idleChecks = isIdle() ? idleChecks + 1 : 0
    if (idleChecks >= idleChecksMax) stop()
    else clock.callAt(clock.now() + checkMs, check)
  }
  clock.callAt(clock.now() + checkMs, check)
}

// Descriptors that the process which started the daemon had open.

const closeOnExec = 0o2000000
const standardDescriptors = 3

/**
 * Closes every inherited descriptor except standard input, output and error. The daemon outlives its starter, so an inherited pipe would never
 * close at its other end, and programs that the daemon starts would find the starter's files open.
 *
 * Call it before the daemon opens anything: Node opens its own descriptors as closed on exec, and inherited ones are not. Does nothing where the
 * system has no /proc.
 */
export function closeInherited(): void {
  for (const descriptor of openDescriptors()) {
    if (descriptor < standardDescriptors || isClosedOnExec(descriptor)) continue
    closeSync(descriptor)
  }
}

function openDescriptors(): readonly number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number)
  } catch {
    // macOS has no /proc.
    return []
  }
}

/** True also for one that has been closed meanwhile, such as that of the list itself. */
function isClosedOnExec(descriptor: number): boolean {
  try {
    const [, flags = ''] = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? []
    return (Number.parseInt(flags, 8) & closeOnExec) !== 0
  } catch {
    return true
  }
}
