/**
 * What a terminal must be fed besides its picture where the log ends inside an escape sequence: as much of the sequence as has
 * come, so that the rest of it is taken as the rest.
 */

import { esc } from '@agentpty/protocol/escapes'
import { openSequenceBytesMax } from '@agentpty/protocol/session'
import type { OpenKind } from './emulator-state.ts'

/** Opens a string of the same kind whose content has no effect: for one whose beginning is gone or too long. */
const withoutEffect: Readonly<Record<OpenKind, string>> = {
  escape: '',
  osc: `${esc}]7501;`,
  dcs: `${esc}P0z`,
  text: `${esc}_`,
}

/** How much of the log is enough to know it. */
export const longestOpenSequence = openSequenceBytesMax

/** C0 controls inside of a sequence have had their effect already. */
const controls = /[\x00-\x17\x19\x1c-\x1f\x7f]/g
/** The beginnings of sequences, as Latin1: ESC, or a C1 control as UTF-8 writes it. */
const begins = [esc, '\xc2\x90', '\xc2\x98', '\xc2\x9b', '\xc2\x9d', '\xc2\x9e', '\xc2\x9f']

/** `before`: the end of the log up to there, in whole characters. */
export function openSequence(kind: OpenKind | null, before: Uint8Array): string {
  if (kind === null) return ''
  const bytes = Buffer.from(before.buffer, before.byteOffset, before.length).subarray(-openSequenceBytesMax)
  const text = bytes.toString('latin1')
  const from = Math.max(...begins.map((begin) => text.lastIndexOf(begin)))
  if (from < 0) return withoutEffect[kind]
  const open = bytes.subarray(from).toString()
  return kind === 'escape' ? open.replace(controls, '') : open
}
