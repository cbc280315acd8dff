/** Events of a terminal for its followers: first its whole state, then every event once. */

import type { Exit } from '../ports.ts'
import type { Millis, Offset, Size } from '../units.ts'
import type { Lease } from './lease.ts'
import type { Verdict } from './verdict.ts'

export type SessionEvent =
  | ({ readonly type: 'output' } & FollowedOutput)
  /** The state of the terminal at an offset; output continues from there. */
  | ({ readonly type: 'snapshot' } & FollowedSnapshot)
  /** The terminal has this size from here on. Only for followers from a snapshot. */
  | { readonly type: 'resized'; readonly at: Offset; readonly size: Size }
  /** The turn changed, or a weak verdict was confirmed or revoked. `at`: log end when it was judged; `heldMs`: how long it had held. */
  | {
      readonly type: 'turn'
      readonly at: Offset
      readonly verdict: Verdict
      readonly heldMs: Millis
      /** How many before this one were dropped, because this follower did not fetch them. */
      readonly missedTurns?: number
    }
  /** The changes of a window onto the screen. */
  | ({ readonly type: 'frame' } & Frame)
  /** The clients that may type: first the current state, then each change; the newest only. */
  | { readonly type: 'lease'; readonly lease: Lease }
  /** Whether typed input is shown: first the current state, then each change; the newest only. */
  | ({ readonly type: 'echo' } & EchoState)
  | { readonly type: 'exit'; readonly exit: Exit }

export interface EchoState {
  /** Letters that are typed now will be shown as they are, in the normal screen; never at a password. False while it is not known. */
  readonly echoes: boolean
  /** The number of control characters typed so far, Enter above all. A client that has typed more knows that this state is outdated. */
  readonly controls: number
}

interface FollowedOutput {
  /** Offset of the first byte in the log. */
  readonly offset: Offset
  /** The bytes that the program sent, with secrets masked for a caller that is no person. A mask may differ in length from its secret. */
  readonly bytes: Uint8Array
  /** After the last byte of the log that this is: to follow or read on from. */
  readonly next: Offset
  /** How many before `offset` were dropped from the log before this follower came for them. */
  readonly missedBytes: number
}

export interface FollowedCommand {
  /** How many rows above the last row of the screen its prompt begins; null where the emulator has no such row any more. */
  readonly rowsUp: number | null
  /** Where its output begins. */
  readonly offset: Offset
  /** Where its output ends; null while it runs. */
  readonly end: Offset | null
  /** Null while it runs, and where the shell does not tell. */
  readonly exitCode: number | null
}

export interface FollowedSnapshot {
  /** The bytes before it have had their effect, and no others. */
  readonly at: Offset
  readonly size: Size
  /**
   * Escape sequences that reproduce the terminal in an xterm.js terminal of this size with its addon for graphemes.
   * They restore both buffers with the newest rows of the scrollback, cursors, margins, modes, titles. The text begins
   * with a full reset. Secrets are masked for a caller that is no person.
   */
  readonly text: string
  /** The newest 200 commands of a shell, the oldest first, also those whose prompts are above the rows of the snapshot. */
  readonly commands: readonly FollowedCommand[]
  /** Rows from the last row of the screen up to a prompt without a command yet; null where there is none. */
  readonly promptUp: number | null
  /** The snapshot replaces bytes that this follower was too slow for. */
  readonly isLate: boolean
}

/** Rows and columns count from 0. */
export interface Frame {
  /** The log end that the frame shows. */
  readonly at: Offset
  /** The size of the whole screen. */
  readonly size: Size
  /** Where in the screen the window begins. It follows the cursor where the screen is larger. */
  readonly top: number
  readonly left: number
  /** Earlier frames do not count: rows that are not in this one are empty. */
  readonly isWhole: boolean
  /** The window's rows that changed: text with its colours, as escape sequences. */
  readonly rows: readonly (readonly [row: number, text: string])[]
  /** In the window; null while it is hidden, or outside. */
  readonly cursor: { readonly row: number; readonly col: number } | null
  /** With `above`: rows that have passed above the window since the last frame, cut to its width, oldest first; the newest 500 of them. */
  readonly above?: readonly string[]
  /** DEC private modes that are on and change what a terminal sends. */
  readonly modes: readonly number[]
  /** The program draws on the alternate screen; absent otherwise. */
  readonly isAlternate?: true
  readonly title: string
}

export interface FrameWindow extends Size {
  /** The window stays at the left edge, wherever the cursor is: for reading, not for typing. */
  readonly isPinned?: boolean
  /** Frames bring the rows that pass above the window, first those that have. */
  readonly above?: boolean
  /** Rows include the hyperlinks of programs (OSC 8). Each row ends its own. */
  readonly links?: boolean
}

export interface FollowOptions {
  /**
   * Output from an offset on; or a snapshot first, then output from there on, changes of size, and a snapshot again in the place
   * of bytes for which the follower is too slow. Without it there are no output events.
   */
  readonly output?: { readonly since: Offset } | { readonly from: 'screen' }
  /** Frames of a window of this size onto the screen, instead of output. */
  readonly frames?: FrameWindow
  /**
   * Request an event each time a verdict gives the turn to the agent or the person. `evidence`: and each time the evidence of
   * a verdict changes, at most ten times a second. Costs kernel samples while there is a follower.
   */
  readonly turn?: boolean | 'evidence'
  /** Request an event each time the set of clients that may type changes. */
  readonly lease?: boolean
  /** Request an event each time typed input begins or ceases to be shown. Costs kernel samples while there is a follower. */
  readonly echo?: boolean
  /** How many events may be sent ahead of the reader. With 1, each is made once the one before was read, from the state at that time. */
  readonly ahead?: number
  /** Ends the following. */
  readonly signal?: AbortSignal
}

/** The list of terminals, for watchers of all of them. */
export interface TerminalSummary {
  readonly terminalId: string
  readonly name: string | null
}

/** Each event holds all terminals, so a slow reader misses events but never a terminal. */
export interface TerminalsEvent {
  readonly type: 'terminals'
  /** In the order in which they were opened. */
  readonly terminals: readonly TerminalSummary[]
}

export interface WatchOptions {
  readonly overview?: undefined
  /** Ends the watching. */
  readonly signal?: AbortSignal
}

// Every bound of following a terminal from a snapshot on.

const KiB = 1024
const MiB = 1024 * KiB

/** A follower that is farther behind gets a snapshot in place of the bytes. */
export const followBehindBytesMax = 256 * KiB
/** More followers of one terminal than this are a crowd; all crowds of the daemon share the following ration. */
export const followersUnrationedMax = 4
/**
 * Bytes in a second, and in one burst. When they are used up, a follower in a crowd that is a little behind gets a
 * snapshot, or waits where it follows bytes.
 */
export const crowdBytesPerSecond = 4 * MiB
export const crowdBurstBytes = MiB
export const crowdBehindBytesMax = 16 * KiB
/** Interval at which the ration is checked. */
export const rationPauseMs: Millis = 25
/** Shortest interval of snapshots of one terminal for followers that cannot keep up. */
export const lateSnapshotMs: Millis = 100
/** From one of these followers to the next. */
export const betweenLateMs: Millis = 2
/** Rows above the screen in a snapshot. */
export const snapshotScrollbackRows = 500
export const snapshotScrollbackCharacters = 256 * KiB
/** Rows that have passed above a window, in one frame. */
export const frameRowsAboveMax = 500
/** Characters of each title in a snapshot. */
export const titleCharactersMax = 4 * KiB
/** Longer beginnings of an escape sequence are left out of a snapshot: followers get no more of a title either. */
export const openSequenceBytesMax = 4 * KiB
/** Changes of size that a follower may be behind before it gets a snapshot. */
export const followedSizesMax = 64
