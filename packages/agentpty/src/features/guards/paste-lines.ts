import type { TerminalModes } from '../../engine/session/terminal-modes.ts'

/** Each line of a paste that is entered for itself. A shell that takes no pastes reads their lines as if they were typed. */
export function oneByOne(text: string, { bracketedPaste }: Pick<TerminalModes, 'bracketedPaste'>): string {
  if (!text.includes('\x1b[200~')) return text
  if (!bracketedPaste) return text.replace(/\x1b\[20[01]~/g, '')
  return text.replace(entered, (whole) => whole.replace(/\r\n?|\n/g, '\x1b[201~\r\x1b[200~'))
}

const entered = /\x1b\[200~(?:(?!\x1b\[201~).)*\x1b\[201~(?=[\r\n])/gs

/** Keys for a reader that may take no pastes: what it makes of their marks, and of what is behind them, is its own. */
export function withoutPastes(text: string, { bracketedPaste }: Pick<TerminalModes, 'bracketedPaste'>): string {
  return bracketedPaste ? text : text.replace(/\x1b\[20[01]~/g, unknownKey)
}

const unknownKey = '\x1b[20~'
