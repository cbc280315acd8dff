/**
 * Finds the input box of an agent: the part of the screen with the text that was typed and not submitted.
 *
 * Such boxes share the caret, drawn or the terminal's own, on a row that begins with a prompt sign or
 * with the bar of a frame. The text behind the caret of an empty box is its placeholder.
 */

import { type Caret, inverseCaret } from './drawn-caret.ts'
import type { ScreenPicture } from './screen.ts'

export interface InputBox {
  /** The typed text, one line for each of its rows; empty when nothing was typed. */
  readonly draft: string
  /** The row of the screen in which its text begins, from 0. */
  readonly row: number
}

type Picture = Pick<ScreenPicture, 'text' | 'styles' | 'cursor'>

/** The position at which the text of a box's first row begins. */
interface Top {
  readonly row: number
  readonly col: number
}

/** A prompt sign, in a frame or not, and the blank after it. */
const sign = /^\s*(?:[│┃║▌]\s*)?[❯›>→](?:\s|$)/u
/** The signs of some modes of a box, which begin lists and headings elsewhere. */
const signOfMode = /^\s*[*!#](?:\s|$)/
/** A box without a sign: a bar at its left. */
const bar = /^\s*[│┃║▌]\s{0,3}/u
/** The upper and lower edge of a box: a line, or the edge of a filled box. */
const edge = /^[\s─━═▀▄▁▔╭╮╰╯┌┐└┘╹╻]{8,}$/u
/** Placeholders of boxes without a caret. */
const placeholder = /^(?:type your (?:message|shell command)|ask (?:\w+ to do )?anything)\b/i
const frame = /[\s│┃║▌▐]+$/u
const rowsMax = 40

/** Null where no box is seen. */
export function inputBoxOf(picture: Picture): InputBox | null {
  const isInBox = ({ row }: Caret) => topOf(row, picture) !== null
  const caret = inverseCaret(picture, isInBox) ?? cursorIn(picture)
  if (caret === null) return boxWithoutCaret(picture)
  const top = topOf(caret.row, picture)
  if (top === null) return null
  // Behind the caret of an empty box is a placeholder.
  const isEmpty = caret.row === top.row && caret.col <= top.col
  return { draft: isEmpty ? '' : textBetween(top, caret.row, picture), row: top.row }
}

/** Most programs leave a hidden cursor where the next character goes. */
function cursorIn(picture: Picture): Caret | null {
  return topOf(picture.cursor.row, picture) === null ? null : picture.cursor
}

/** Null where the row is in no box. */
function topOf(from: number, { text }: Picture): Top | null {
  for (let row = from; row >= 0 && row > from - rowsMax; row--) {
    const line = text[row] ?? ''
    const signed = signIn(row, text)
    if (signed !== null) return { row, col: widthOf(signed[0]) }
    if (edge.test(line)) return null
    if (bar.test(text[from] ?? '') && !bar.test(text[row - 1] ?? '')) return firstOfBars(row, from, text)
  }
  return null
}

function signIn(row: number, text: readonly string[]): RegExpExecArray | null {
  const line = text[row] ?? ''
  return sign.exec(line) ?? (edge.test(text[row - 1] ?? '') ? signOfMode.exec(line) : null)
}

/** The rows of a box with a bar may be blank above the typed text. */
function firstOfBars(above: number, from: number, text: readonly string[]): Top {
  let row = above
  while (row < from && (text[row] ?? '').replace(bar, '').trim() === '') row += 1
  return { row, col: widthOf(bar.exec(text[row] ?? '')?.[0] ?? '') }
}

/** A sign at the end of a row has no blank behind it any more: trailing blanks are trimmed. */
const widthOf = (lead: string) => lead.trimEnd().length + Math.max(1, lead.length - lead.trimEnd().length)

function textBetween(top: Top, last: number, { text }: Picture): string {
  const rows = text.slice(top.row, last + 1).map((line) => line.slice(top.col).replace(frame, ''))
  return rows.join('\n').trim()
}

/** The lowest row that begins with a sign, between two edges. */
function boxWithoutCaret(picture: Picture): InputBox | null {
  const { text } = picture
  const row = text.findLastIndex((_line, at) => signIn(at, text) !== null && edge.test(text[at - 1] ?? ''))
  const end = text.findIndex((line, at) => at > row && edge.test(line))
  const top = row < 0 || end < 0 ? null : topOf(row, picture)
  if (top === null) return null
  const draft = textBetween(top, end - 1, picture)
  return { draft: placeholder.test(draft) ? '' : draft, row: top.row }
}
