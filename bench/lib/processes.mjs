/** Reads processes from /proc. A process that has just ended counts as nothing. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const read = (file) => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // the process has ended
  }
}

export function stat(pid) {
  const text = read(`/proc/${pid}/stat`)
  if (text === '') return null
  // The name in brackets may hold spaces and brackets, so fields count from the last one.
  const end = text.lastIndexOf(')')
  const fields = text.slice(end + 2).split(' ')
  const [utime, stime, childUtime, childStime] = fields.slice(11, 15).map(Number)
  return {
    pid,
    name: text.slice(text.indexOf('(') + 1, end),
    state: fields[0],
    parent: +fields[1],
    utime,
    stime,
    childUtime,
    childStime,
  }
}

export const allPids = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
export const commandLine = (pid) => read(`/proc/${pid}/cmdline`).split('\0').join(' ').trim()
export const environment = (pid) => read(`/proc/${pid}/environ`)

export function findProcesses(pattern, inEnvironment) {
  return allPids().filter(
    (pid) => pid !== process.pid && pattern.test(commandLine(pid)) && environment(pid).includes(inEnvironment),
  )
}

export function descendants(roots) {
  const byParent = new Map()
  for (const entry of allPids().map(stat)) {
    if (entry) byParent.set(entry.parent, [...(byParent.get(entry.parent) ?? []), entry])
  }
  const found = []
  const queue = [...roots]
  while (queue.length > 0) {
    for (const entry of byParent.get(queue.pop()) ?? []) {
      found.push(entry)
      queue.push(entry.pid)
    }
  }
  return found
}

/** CPU of live processes over all threads; the scheduler counts it in nanoseconds. */
export function cpuMs(pids) {
  let nanoseconds = 0
  for (const pid of pids) {
    for (const thread of listing(`/proc/${pid}/task`)) {
      nanoseconds += Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0])
    }
  }
  return nanoseconds / 1e6
}

/** The CPU time of ended clients of this process: for a peer driven by commands they are part of the price. */
export function pastChildrenCpuMs() {
  const { childUtime, childStime } = stat(process.pid)
  return (childUtime + childStime) * 10 // clock ticks of 10 ms
}

const kilobytes = (pids, file, field) =>
  pids.reduce(
    (sum, pid) => sum + Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(read(`/proc/${pid}/${file}`))?.[1] ?? 0),
    0,
  )

export const pssKb = (pids) => kilobytes(pids, 'smaps_rollup', 'Pss')
export const rssKb = (pids) => kilobytes(pids, 'status', 'VmRSS')
export const peakRssKb = (pids) => kilobytes(pids, 'status', 'VmHWM')
export const descriptors = (pids) => pids.reduce((sum, pid) => sum + listing(`/proc/${pid}/fd`).length, 0)

export function resetPeakRss(pids) {
  for (const pid of pids) {
    try {
      writeFileSync(`/proc/${pid}/clear_refs`, '5')
    } catch {
      // ended, or not ours: its peak then includes its past
    }
  }
}

export function kill(pid, signal = 'SIGKILL') {
  try {
    process.kill(pid, signal)
  } catch {
    // ended already
  }
}

function listing(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return [] // the process has ended
  }
}
