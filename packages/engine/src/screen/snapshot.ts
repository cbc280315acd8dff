/** An immutable copy of what a person sees, at one offset of the log. Rows and columns count from 0. */

import type { Offset } from '@agentpty/protocol'

export interface ScreenSnapshot {
  /** The bytes before it have been parsed, and no others. */
  readonly offset: Offset
  readonly cols: number
  readonly rows: number
  readonly cursor: ScreenCursor
  /** As the program set it; empty when it did not. */
  readonly title: string
  readonly alternateScreen: boolean
  readonly modes: ScreenModes
  /** One string for each row of the viewport, trailing blanks trimmed. */
  readonly text: readonly string[]
  /** Whether a row continues the one above it, because a long line was wrapped. */
  readonly wrapped: readonly boolean[]
}

export interface ScreenCursor {
  readonly row: number
  /** Inside the screen: a cursor that waits to wrap stands on the last column. */
  readonly col: number
  readonly visible: boolean
}

export interface ScreenModes {
  readonly applicationCursorKeys: boolean
  readonly bracketedPaste: boolean
  /** The program takes mouse events, whichever. */
  readonly mouse: boolean
}
