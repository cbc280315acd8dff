/**
 * The questions that a program may ask the terminal, and our answers. Each question is answered once, or programs take the
 * second answer for typed text.
 *
 * The emulator answers attributes, positions, status and modes itself; here are those it leaves open. The clipboard
 * (OSC 52) is never read to a program: it belongs to a person.
 */

import { defined } from '@agentpty/protocol'
import { esc } from '@agentpty/protocol/escapes'
import type { Terminal } from './terminal.ts'

const stringEnd = `${esc}\\`

/** Light grey on black: what a program that adapts its colours to the terminal should assume. */
const defaultColors: ReadonlyMap<number, string> = new Map([
  [10, 'rgb:e5e5/e5e5/e5e5'],
  [11, 'rgb:0000/0000/0000'],
])

/** A steady bar. */
const largestShape = 6

export interface Replies {
  readonly version: string
  readonly send: (reply: string) => void
}

export function answerQueries(terminal: Terminal, { version, send }: Replies): void {
  terminal.onData(send)
  answerPositionAtEdge(terminal, send)
  answerCursorShape(terminal, send)
  terminal.parser.registerCsiHandler({ prefix: '>', final: 'q' }, ([parameter]) => {
    if (parameter === 0) send(`${esc}P>|agentpty(${version})${stringEnd}`)
    return true
  })
  terminal.parser.registerCsiHandler({ prefix: '?', final: 'u' }, () => {
    send(`${esc}[?0u`)
    return true
  })
  for (const code of defaultColors.keys()) {
    terminal.parser.registerOscHandler(code, (data) => {
      for (const reply of colorReplies(code, data)) send(reply)
      return true
    })
  }
}

/** The emulator reports a column too many while the next character would wrap, and programs measure their text by asking. */
function answerPositionAtEdge(terminal: Terminal, send: Replies['send']): void {
  for (const prefix of [undefined, '?']) {
    terminal.parser.registerCsiHandler(defined({ prefix, final: 'n' }), ([what]) => {
      const { cursorX, cursorY } = terminal.buffer.active
      if (what !== 6 || cursorX < terminal.cols) return false
      send(`${esc}[${prefix ?? ''}${cursorY + 1};${terminal.cols}R`)
      return true
    })
  }
}

/** DECRQSS of the cursor's shape, which editors restore. The emulator always reports a block; it answers until a program has chosen one. */
function answerCursorShape({ parser }: Terminal, send: Replies['send']): void {
  let shape = 0
  parser.registerCsiHandler({ intermediates: ' ', final: 'q' }, ([chosen]) => {
    if (typeof chosen === 'number' && chosen <= largestShape) shape = chosen
    return false
  })
  parser.registerEscHandler({ final: 'c' }, () => {
    shape = 0
    return false
  })
  parser.registerDcsHandler({ intermediates: '$', final: 'q' }, (setting) => {
    if (setting !== ' q' || shape === 0) return false
    send(`${esc}P1$r${shape} q${stringEnd}`)
    return true
  })
}

/** `OSC 10;?;?` asks for 10 and then 11: each further value is the next colour's. */
function colorReplies(code: number, data: string): readonly string[] {
  return data.split(';').flatMap((value, index) => {
    const color = defaultColors.get(code + index)
    return value === '?' && color !== undefined ? [`${esc}]${code + index};${color}${stringEnd}`] : []
  })
}
