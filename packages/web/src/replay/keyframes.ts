/**
 * Keyframes: the state of a recorded terminal at some moments, as text that draws it. From a keyframe, any moment is reached by drawing a
 * bounded amount of output. A hidden terminal makes them in small steps.
 */

import { boundEmulator, drawTerminal, openKindOf } from '@agentpty/engine/emulator'
import type { Size } from '@agentpty/protocol'
import { sizeOf } from '@agentpty/protocol/recording'
import { noneDropped } from '@agentpty/protocol/session'
import { withoutAnswers } from '@agentpty/terminal-view'
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'
import { Terminal } from '@xterm/xterm'
import type { LoadedRecording } from './load-recording.ts'

export interface Keyframe {
  /** The number of the first event that is not in the keyframe. */
  readonly next: number
  readonly size: Size
  readonly text: string
}

/** The approximate output between two keyframes. Longer recordings use a larger gap. */
const gapCharacters = 512 * 1_024
const keyframesMax = 96
/** The output drawn in one step. */
export const pieceCharacters = 64 * 1_024

const reset = '\x1bc'

export class Keyframes {
  readonly #recording: LoadedRecording
  readonly #frames: Keyframe[]

  constructor(recording: LoadedRecording) {
    this.#recording = recording
    this.#frames = [{ next: 0, size: recording.size, text: reset }]
  }

  /** Returns the last keyframe at or before the event with this number. */
  before(next: number): Keyframe {
    const found = this.#frames.findLast((frame) => frame.next <= next) ?? this.#frames[0]
    if (found === undefined) throw new Error('the first keyframe is always there')
    return found
  }

  /** Runs until all keyframes are made or the signal aborts. */
  async make(signal: AbortSignal): Promise<void> {
    const { events, size } = this.#recording
    const characters = events.reduce((sum, { data }) => sum + data.length, 0)
    const gap = Math.max(gapCharacters, characters / keyframesMax)
    const terminal = unseenTerminal(size)
    let drawn = 0
    for (let next = 0; next < events.length && !signal.aborted; ) {
      const piece = pieceFrom(events, next, events.length)
      next = piece.next
      drawn += piece.text.length
      await written(terminal, piece.text)
      if (piece.size !== null) terminal.resize(piece.size.cols, piece.size.rows)
      // No keyframe can be made inside an escape sequence.
      if (drawn < gap || openKindOf(terminal as never) !== null) continue
      drawn = 0
      const text = drawTerminal(terminal as never, { title: '', scrollbackRows: 0, scrollbackCharacters: 0 })
      this.#frames.push({ next, size: { cols: terminal.cols, rows: terminal.rows }, text })
    }
    terminal.dispose()
  }
}

function unseenTerminal({ cols, rows }: Size): Terminal {
  const terminal = new Terminal({ cols, rows, scrollback: 0, allowProposedApi: true, logLevel: 'off' })
  terminal.loadAddon(new UnicodeGraphemesAddon())
  terminal.unicode.activeVersion = '15-graphemes'
  withoutAnswers(terminal.parser)
  boundEmulator(terminal, noneDropped())
  return terminal
}

export interface Piece {
  readonly text: string
  /** The size to set after the text; null if it does not change. */
  readonly size: Size | null
  /** The number of the first event after the piece. */
  readonly next: number
}

/** Returns the output from an event up to the next change of size, at most as much as is drawn in one step. */
export function pieceFrom(events: LoadedRecording['events'], from: number, until: number): Piece {
  let text = ''
  for (let next = from; next < until; next += 1) {
    const { code, data } = events[next] ?? { code: '', data: '' }
    if (code === 'o') text += data
    const size = code === 'r' ? sizeOf(data) : null
    if (size !== null || text.length >= pieceCharacters) return { text, size, next: next + 1 }
  }
  return { text, size: null, next: until }
}

export function written(terminal: Terminal, text: string): Promise<void> {
  return new Promise((resolve) => terminal.write(text, resolve))
}
