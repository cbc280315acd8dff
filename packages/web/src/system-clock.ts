/** Time in the page. Every timer is created here. */

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

/** Resolves when the browser draws next. In a hidden page, that is when the page is shown again. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => resolve()))
}

/** Formats a wall time as its age: `3 min ago`. */
export function agoWords(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1_000))
  if (seconds < 10) return 'now'
  if (seconds < 60) return `${seconds} s ago`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ago`
  return `${Math.floor(seconds / 86_400)} d ago`
}

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** Formats a wall time in the browser's own locale. */
export const dateWords = (at: number): string => dates.format(at)

/** Formats the time until then: `for 2 h`. */
export function untilWords(at: number, now: number): string {
  const minutes = Math.max(0, Math.round((at - now) / 60_000))
  if (minutes < 60) return `for ${minutes} min`
  return minutes < 48 * 60 ? `for ${Math.round(minutes / 60)} h` : `for ${Math.round(minutes / 1_440)} d`
}

/** Formats a time span in few letters, for a table column. */
export function durationWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`
}
