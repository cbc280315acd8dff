import type { TerminalModes } from '@agentpty/engine/session'
import { assembleLines, emptyEditor } from '@agentpty/shell-policy'

/** Splits a paste that ends in Enter into one paste for each line. Without bracketed paste, the lines are typed. */
export function oneByOne(text: string, { bracketedPaste }: Pick<TerminalModes, 'bracketedPaste'>): string {
  if (!text.includes('\x1b[200~')) return text
  if (!bracketedPaste) return text.replace(/\x1b\[20[01]~/g, '')
  return text.replace(entered, (whole) => whole.replace(/\r\n?|\n/g, '\x1b[201~\r\x1b[200~'))
}

const entered = /\x1b\[200~(?:(?!\x1b\[201~).)*\x1b\[201~(?=[\r\n])/gs

/** Replaces paste marks by an unknown key for a reader that may not support them. */
export function withoutPastes(text: string, { bracketedPaste }: Pick<TerminalModes, 'bracketedPaste'>): string {
  return bracketedPaste ? text : text.replace(/\x1b\[20[01]~/g, unknownKey)
}

const unknownKey = '\x1b[20~'

/** A paste of several lines that enters none. After a key that quotes the next one, its mark would be text, and its newlines Enter. */
export function hasPastedLines(text: string): boolean {
  return /\x1b\[200~(?:(?!\x1b\[201~).)*[\r\n]/s.test(text)
}

/** Lines that this text enters. */
export function linesIn(text: string): readonly string[] {
  return assembleLines(text, emptyEditor).events.flatMap((event) => (event.kind === 'entered' ? [event.text] : []))
}
