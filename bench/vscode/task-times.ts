/**
 * The tasks of the editor's own thread by their processor time, which other programs on a busy machine do not lengthen. The browser's trace has
 * it; a `longtask` entry has the time on the clock only.
 */

import type { Page } from 'playwright-core'

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds. */
  readonly dur?: number
  /** Processor time in microseconds. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

export interface TaskTimes {
  /** Milliseconds of processor time, the longest first. */
  readonly cpu: readonly number[]
  /** Milliseconds on the clock, the longest first. */
  readonly wall: readonly number[]
}

/** Records from now on until the result is read. */
export async function recordTasks(page: Page): Promise<() => Promise<TaskTimes>> {
  const browser = page.context().browser()
  if (browser === null) throw new Error('The page has no browser of its own.')
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] })
  return async () => {
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
    const keyOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
    const threads = new Set(
      traceEvents.flatMap((event) =>
        event.name === 'thread_name' && event.args?.name === 'CrRendererMain' ? [keyOf(event)] : [],
      ),
    )
    const tasks = traceEvents.filter((event) => event.name.endsWith('RunTask') && threads.has(keyOf(event)))
    const times = (of: (event: TraceEvent) => number | undefined) =>
      tasks
        .map((event) => Math.round((of(event) ?? 0) / 1_000))
        .filter((ms) => ms > 0)
        .sort((a, b) => b - a)
    return { cpu: times(({ tdur }) => tdur), wall: times(({ dur }) => dur) }
  }
}
