/** The moments of a recording that are worth a picture: its time with long rests shortened, and no two pictures closer than the eye tells apart. */

import type { Millis } from '@agentpty/protocol'
import type { Cast } from '@agentpty/protocol/recording'

export interface FrameTime {
  /** In the recording: what is shown. */
  readonly at: Millis
  /** When it is shown, from the beginning. */
  readonly shownAt: Millis
}

export interface FrameOptions {
  readonly speed: number
  readonly idleMs: Millis
  /** Between two pictures, at least. */
  readonly gapMs: Millis
  readonly framesMax: number
}

/** A recording that would have more pictures than it may has fewer in a second. */
export function frameTimes(cast: Cast, { speed, idleMs, gapMs, framesMax }: FrameOptions): readonly FrameTime[] {
  const moments = playedTimes(cast, { speed, idleMs })
  for (let gap = gapMs; ; gap *= 1.5) {
    const frames = atMostEvery(moments, gap)
    if (frames.length <= framesMax) return frames
  }
}

/** When each event is shown that changes the picture. */
export function playedTimes(
  { events }: Cast,
  { speed, idleMs }: { readonly speed: number; readonly idleMs: Millis },
): readonly FrameTime[] {
  const times: FrameTime[] = [{ at: 0, shownAt: 0 }]
  let [last, shownAt] = [0, 0]
  for (const { at, code } of events) {
    shownAt += Math.min(at - last, idleMs) / speed
    last = at
    if (code === 'o' || code === 'r') times.push({ at, shownAt })
  }
  return times
}

/** Of those that lie close together the last one, at the time of the first. */
function atMostEvery(times: readonly FrameTime[], gap: Millis): readonly FrameTime[] {
  const frames: FrameTime[] = []
  for (const time of times) {
    const last = frames.at(-1)
    if (last !== undefined && time.shownAt - last.shownAt < gap) frames[frames.length - 1] = { ...last, at: time.at }
    else frames.push(time)
  }
  return frames
}
