/** What happens in a terminal, for those who follow it: first everything that is there, then every event once. */

import * as z from 'zod'
import { TerminalId } from '../call/terminal-fields.ts'
import { defined } from '../defined.ts'
import { TermError } from '../errors.ts'
import { columnsMax, rowsMax, streamEventsAheadMax } from '../limits.ts'
import type { Exit } from '../ports.ts'
import type { Millis, Offset, Size } from '../units.ts'
import type { Lease } from './lease.ts'
import type { Verdict } from './verdict.ts'

export type SessionEvent =
  | ({ readonly type: 'output' } & FollowedOutput)
  /** What the terminal is at an offset; output goes on from there. */
  | ({ readonly type: 'snapshot' } & FollowedSnapshot)
  /** The terminal has this size from here on. To those alone who follow from a snapshot. */
  | { readonly type: 'resized'; readonly at: Offset; readonly size: Size }
  /** It became somebody's turn, or a weak verdict was confirmed or taken back. `at`: log end when it was judged, `heldMs`: how long it has held by then. */
  | {
      readonly type: 'turn'
      readonly at: Offset
      readonly verdict: Verdict
      readonly heldMs: Millis
      /** How many before this one were dropped, because this follower did not fetch them. */
      readonly missedTurns?: number
    }
  /** What a window onto the screen shows now, as far as it changed. */
  | ({ readonly type: 'frame' } & Frame)
  /** Who may type: first as it is, then each change; the newest only. */
  | { readonly type: 'lease'; readonly lease: Lease }
  /** Whether what is typed is shown: first as it is, then each change; the newest only. */
  | ({ readonly type: 'echo' } & EchoState)
  | { readonly type: 'exit'; readonly exit: Exit }

export interface EchoState {
  /** Letters that are typed now will be shown as they are, in the normal screen; never at a password. False while it is not known. */
  readonly echoes: boolean
  /** How many control characters have been typed, Enter above all: who has typed more knows that this is from before them. */
  readonly controls: number
}

interface FollowedOutput {
  /** Of the first byte of the log that this is. */
  readonly offset: Offset
  /** As the program sent them; to a caller who is no person secrets are masked, and a mask is shorter or longer than what it hides. */
  readonly bytes: Uint8Array
  /** After the last byte of the log that this is: to follow or read on from. */
  readonly next: Offset
  /** How many before `offset` were dropped from the log before this follower came for them. */
  readonly missedBytes: number
}

export interface FollowedCommand {
  /** How many rows above the last row of the screen its prompt begins. */
  readonly rowsUp: number
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
   * Escape sequences that make an xterm.js terminal of this size, with its addon for graphemes, what the terminal is: both
   * buffers with the newest rows of the scrollback, cursors, margins, modes, titles. It begins with a full reset. Secrets are
   * masked to a caller who is no person.
   */
  readonly text: string
  /** The commands of a shell whose prompts stand in it, the oldest first. */
  readonly commands: readonly FollowedCommand[]
  /** How many rows above the last row of the screen the prompt begins at which no command has begun; null where there is none. */
  readonly promptUp: number | null
  /** It stands in the place of bytes that this follower was too slow for. */
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
}

export interface FollowOptions {
  /**
   * Output from an offset on; or a snapshot first, then output from there on, changes of size, and a snapshot again in the place
   * of bytes for which the follower is too slow. Without it there are no output events.
   */
  readonly output?: { readonly since: Offset } | { readonly from: 'screen' }
  /** Frames of a window of this size onto the screen, instead of output. */
  readonly frames?: FrameWindow
  /** An event each time it becomes somebody's turn. Costs kernel samples while somebody follows. */
  readonly turn?: boolean
  /** An event each time that somebody else may type. */
  readonly lease?: boolean
  /** An event each time that what is typed begins or ceases to be shown. Costs kernel samples while somebody follows. */
  readonly echo?: boolean
  /** How many events may be on their way that nobody has read: with 1 each is made once the one before was read, of what is so then. */
  readonly ahead?: number
  /** Ends the following. */
  readonly signal?: AbortSignal
}

const FollowInput = z.strictObject({
  terminalId: TerminalId,
  since: z.number().int().min(0).optional(),
  fromScreen: z.boolean().optional(),
  frames: z
    .strictObject({
      cols: z.number().int().min(1).max(columnsMax),
      rows: z.number().int().min(1).max(rowsMax),
      isPinned: z.boolean().default(false),
      above: z.boolean().default(false),
    })
    .optional(),
  turn: z.boolean().optional(),
  lease: z.boolean().optional(),
  echo: z.boolean().optional(),
  ahead: z.number().int().min(1).max(streamEventsAheadMax).optional(),
})

/** Parses the input of `follow` from a wire. Errors: `invalid_input`. */
export function parseFollow(input: unknown): FollowOptions & { readonly terminalId: string } {
  const parsed = FollowInput.safeParse(input)
  if (!parsed.success)
    throw new TermError(
      'invalid_input',
      'follow needs a terminalId.',
      'For example: {"terminalId":"term-1","turn":true}',
    )
  const { terminalId, since, fromScreen, frames, turn, lease, echo, ahead } = parsed.data
  return defined({
    terminalId,
    turn: turn ?? false,
    lease: lease ?? false,
    echo: echo ?? false,
    output: fromScreen ? ({ from: 'screen' } as const) : since === undefined ? undefined : { since },
    frames,
    ahead,
  })
}

/** Which terminals there are, for those who watch all of them. */

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

/** Every bound of following a terminal from a snapshot on. */

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
