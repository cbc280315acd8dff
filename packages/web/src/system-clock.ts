/** Time in the page. All timers are made here. */

export type Stop = () => void

export const systemClock = {
  /** Milliseconds, monotonic. */
  now: (): number => performance.now(),
  /** Milliseconds since 1970. */
  wall: (): number => Date.now(),
  callAt(at: number, call: () => void): Stop {
    return systemClock.callAfter(Math.max(0, at - systemClock.now()), call)
  },
  callAfter(ms: number, call: () => void): Stop {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
}

/** When the browser draws next; in a page that nobody sees, once it is seen. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => resolve()))
}

/** A wall time in words: `3 min ago`. */
export function agoWords(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1_000))
  if (seconds < 10) return 'now'
  if (seconds < 60) return `${seconds} s ago`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ago`
  return `${Math.floor(seconds / 86_400)} d ago`
}

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A wall time as this browser writes it. */
export const dateWords = (at: number): string => dates.format(at)

/** How long until then: `in 2 h`. */
export function untilWords(at: number, now: number): string {
  const minutes = Math.max(0, Math.round((at - now) / 60_000))
  if (minutes < 60) return `for ${minutes} min`
  return minutes < 48 * 60 ? `for ${Math.round(minutes / 60)} h` : `for ${Math.round(minutes / 1_440)} d`
}

/** A time span in as few letters as a column has. */
export function durationWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`
}
