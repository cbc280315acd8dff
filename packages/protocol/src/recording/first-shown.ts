/** Where a recording begins to show something: its players start there, and not on an empty screen. */

import { csi, stringBegin, stringEnd, wholeSingle } from '../escapes/patterns.ts'
import type { Millis } from '../units.ts'
import type { CastEvent } from './recordings-room.ts'

const sequences = new RegExp(String.raw`${stringBegin}[^\x07\x1b]*${stringEnd}|${csi}|${wholeSingle}`, 'g')

/** Returns the time of the first output with a character that is seen; 0 where there is none. */
export function firstShownMs(events: readonly CastEvent[]): Millis {
  const isShown = ({ code, data }: CastEvent) => code === 'o' && /[^\s\p{Cc}]/u.test(data.replaceAll(sequences, ''))
  return events.find(isShown)?.at ?? 0
}
