/** Every bound of following a terminal from a snapshot on. */

import type { Millis } from '../units.ts'

const KiB = 1024
const MiB = 1024 * KiB

/** A follower that is farther behind gets a snapshot in place of the bytes. */
export const followBehindBytesMax = 256 * KiB
/** More than these who follow one terminal share with all such crowds of the daemon: */
export const followersUnrationedMax = 4
/** Bytes in a second, and at once. When they are used up, one of a crowd that is a little behind gets a snapshot, or waits where it follows bytes. */
export const [crowdBytesPerSecond, crowdBurstBytes] = [4 * MiB, MiB]
export const crowdBehindBytesMax = 16 * KiB
/** Until the ration is looked at again. */
export const rationPauseMs: Millis = 25
/** To who cannot keep up, snapshots of one terminal are made no more often. */
export const lateSnapshotMs: Millis = 100
/** From one of these followers to the next. */
export const betweenLateMs: Millis = 2
/** Of the rows above the screen in a snapshot. */
export const snapshotScrollbackRows = 500
export const snapshotScrollbackCharacters = 256 * KiB
/** Of the rows that have passed above a window, in one frame. */
export const frameRowsAboveMax = 500
/** Of each title in a snapshot. */
export const titleCharactersMax = 4 * KiB
/** Longer beginnings of an escape sequence are left out of a snapshot: nobody gets more of a title. */
export const openSequenceBytesMax = 4 * KiB
/** Changes of size that a follower may be behind before it gets a snapshot. */
export const followedSizesMax = 64
