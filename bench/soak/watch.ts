/** What the servers use over time: resident memory and descriptors of the daemon and of ptyhost. */

import { readdirSync, readFileSync } from 'node:fs'
import type { Instance } from '../../tests/e2e/instance.ts'

interface Look {
  readonly who: 'daemon' | 'ptyhost'
  readonly megabytes: number
  readonly descriptors: number
}

/** Growth between the second quarter and the last that is still flat: caches fill, logs fill up to their bound. */
const growthMax = 0.1
const slackMegabytes = 8
const slackDescriptors = 8

export class Watch {
  readonly #instance: Instance
  readonly #looks: Look[] = []

  constructor(instance: Instance) {
    this.#instance = instance
  }

  look(): void {
    for (const pid of this.#instance.processes()) {
      const who = whoIs(pid)
      if (who !== null) this.#note(who, pid)
    }
  }

  problems(): readonly string[] {
    return (['daemon', 'ptyhost'] as const).flatMap((who) => {
      const [early, late] = this.#halves(who)
      if (early === null || late === null) return [`${who} was hardly seen`]
      const isLarger = late.megabytes > early.megabytes * (1 + growthMax) + slackMegabytes
      const hasMore = late.descriptors > early.descriptors * (1 + growthMax) + slackDescriptors
      return [
        ...(isLarger ? [`${who} grew from ${early.megabytes.toFixed(0)} to ${late.megabytes.toFixed(0)} MB`] : []),
        ...(hasMore ? [`${who} went from ${early.descriptors} to ${late.descriptors} descriptors`] : []),
      ]
    })
  }

  table(): string {
    return (['daemon', 'ptyhost'] as const)
      .map((who) => {
        const [early, late] = this.#halves(who)
        const words = (look: Look | null) =>
          look === null ? 'not seen' : `${look.megabytes.toFixed(0)} MB, ${look.descriptors} descriptors`
        return `${who}: ${words(early)} early, ${words(late)} late (medians)\n`
      })
      .join('')
  }

  #note(who: Look['who'], pid: number): void {
    try {
      const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
      this.#looks.push({ who, megabytes: kilobytes / 1_024, descriptors: readdirSync(`/proc/${pid}/fd`).length })
    } catch {
      // Killed while it was looked at.
    }
  }

  #halves(who: Look['who']): readonly [Look | null, Look | null] {
    const looks = this.#looks.filter((look) => look.who === who)
    const quarter = Math.floor(looks.length / 4)
    return [median(looks.slice(quarter, 2 * quarter)), median(looks.slice(-quarter))]
  }
}

function whoIs(pid: number): Look['who'] | null {
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    if (line.includes('ptyhost\0')) return line.includes('keeper') ? null : 'ptyhost'
    return line.endsWith('\0daemon\0') ? 'daemon' : null
  } catch {
    // Gone since it was listed.
    return null
  }
}

function median(looks: readonly Look[]): Look | null {
  return looks.toSorted((a, b) => a.megabytes - b.megabytes)[Math.floor(looks.length / 2)] ?? null
}
