/** The remains of ten thousand resets: processes, mounts, descriptors and folders, during the run and after closing all. */

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { makeVec } from 'agentpty/gym'

const resetsAll = 10_000
const atOnce = 8
/** After this many, everything permanent exists. */
const warmResets = 400
/** Containers of earlier episodes end while new ones start. */
const endingMs = 1_000

const host = resolve('packages/agentpty/dist/ptyhost')
/** Counts only this run. */
const endless = `sleep 100${process.pid}`

interface Leftovers {
  /** Processes of this checkout's host binary, wherever they are: its host, keepers, walls and containers. */
  readonly processes: number
  /** Processes started inside that would not end on their own. */
  readonly programs: number
  readonly mounts: number
  /** Descriptors of this process. */
  readonly descriptors: number
  /** Our folders among the temporary files. */
  readonly folders: number
}

/** Goal: nothing. */
export async function leftovers(): Promise<string> {
  const before = count()
  const vec = await makeVec({ n: atOnce })
  let failed = 0
  const reset = async (times: number) => {
    for (let done = 0; done < times; done += atOnce) {
      const { infos } = await vec.reset()
      failed += infos.filter(({ infraError }) => infraError !== undefined).length
      await vec.step(vec.envs.map(() => `${endless} & echo x > f; mkdir -p d/d`))
    }
  }
  await reset(warmResets)
  await setTimeout(endingMs)
  const warm = count()
  const startedAt = performance.now()
  await reset(resetsAll - warmResets)
  const perReset = (performance.now() - startedAt) / (resetsAll - warmResets)
  await setTimeout(endingMs)
  const atEnd = count()
  await vec.close()
  const after = count()
  return [
    `${resetsAll} resets of ${atOnce} environments, ${failed} failed, ${perReset.toFixed(1)} ms each with a step`,
    `grown between reset ${warmResets} and the last: ${difference(warm, atEnd)}`,
    `left when all is closed: ${difference(before, after)} (goal 0)`,
  ].join('; ')
}

function count(): Leftovers {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const linkOf = (path: string) => {
    try {
      return readlinkSync(path)
    } catch {
      // It has ended meanwhile, or is another user's.
      return null
    }
  }
  return {
    processes: pids.filter((pid) => linkOf(`/proc/${pid}/exe`) === host).length,
    programs: pids.filter((pid) => commandOf(pid).includes(endless)).length,
    mounts: readFileSync('/proc/self/mountinfo', 'utf8').split('\n').length,
    descriptors: readdirSync('/proc/self/fd').length,
    folders: readdirSync(tmpdir()).filter((name) => /^agentpty-[A-Za-z0-9]{6}$/.test(name)).length,
  }
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    // It has ended meanwhile.
    return ''
  }
}

const difference = (from: Leftovers, to: Leftovers): string =>
  (Object.keys(from) as (keyof Leftovers)[]).map((name) => `${to[name] - from[name]} ${name}`).join(', ')
