/**
 * Keyframes: what the terminal of a recording is at some of its moments, as text that draws it. With them any moment is shown by drawing at
 * most the output since the keyframe before it. They are made in small steps, by a terminal that nobody sees.
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
  /** The number of the first event that is not in it. */
  readonly next: number
  readonly size: Size
  readonly text: string
}

/** About so much output lies between two of them; of a long recording more. */
const gapCharacters = 512 * 1_024
const keyframesMax = 96
/** Drawn at once. */
export const pieceCharacters = 64 * 1_024

const reset = '\x1bc'

export class Keyframes {
  readonly #recording: LoadedRecording
  readonly #frames: Keyframe[]

  constructor(recording: LoadedRecording) {
    this.#recording = recording
    this.#frames = [{ next: 0, size: recording.size, text: reset }]
  }

  /** The last one that is not behind the event of this number. */
  before(next: number): Keyframe {
    const found = this.#frames.findLast((frame) => frame.next <= next) ?? this.#frames[0]
    if (found === undefined) throw new Error('the first keyframe is always there')
    return found
  }

  /** Until all are made, or the signal aborts. */
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
      // Inside of an escape sequence there is nothing to go on from.
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
  /** What the terminal gets behind the text; null where it stays. */
  readonly size: Size | null
  /** The number of the first event behind it. */
  readonly next: number
}

/** The output from an event on: up to the next change of size, and no more than can be drawn at once. */
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
