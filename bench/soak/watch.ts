/** The servers' resources over time: resident memory and descriptors of the daemon and of ptyhost. */

import { readdirSync, readFileSync } from 'node:fs'
import type { Instance } from '../../tests/harness/instance.ts'

interface Sample {
  readonly who: 'daemon' | 'ptyhost'
  readonly megabytes: number
  readonly descriptors: number
}

/** The growth between the second quarter and the last that still counts as flat: caches and logs fill up to their bounds. */
const growthMax = 0.1
const slackMegabytes = 8
const slackDescriptors = 8

export class Watch {
  readonly #instance: Instance
  readonly #samples: Sample[] = []

  constructor(instance: Instance) {
    this.#instance = instance
  }

  sample(): void {
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
        const words = (sample: Sample | null) =>
          sample === null ? 'not seen' : `${sample.megabytes.toFixed(0)} MB, ${sample.descriptors} descriptors`
        return `${who}: ${words(early)} early, ${words(late)} late (medians)\n`
      })
      .join('')
  }

  #note(who: Sample['who'], pid: number): void {
    try {
      const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
      this.#samples.push({ who, megabytes: kilobytes / 1_024, descriptors: readdirSync(`/proc/${pid}/fd`).length })
    } catch {
      // Killed while it was sampled.
    }
  }

  #halves(who: Sample['who']): readonly [Sample | null, Sample | null] {
    const samples = this.#samples.filter((sample) => sample.who === who)
    const quarter = Math.floor(samples.length / 4)
    return [median(samples.slice(quarter, 2 * quarter)), median(samples.slice(-quarter))]
  }
}

function whoIs(pid: number): Sample['who'] | null {
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    if (line.includes('ptyhost\0')) return line.includes('keeper') ? null : 'ptyhost'
    return line.endsWith('\0daemon\0') ? 'daemon' : null
  } catch {
    // Ended since it was listed.
    return null
  }
}

function median(samples: readonly Sample[]): Sample | null {
  return samples.toSorted((a, b) => a.megabytes - b.megabytes)[Math.floor(samples.length / 2)] ?? null
}
