/**
 * The keys of a terminal, as data: which bytes xterm sends for each.
 *
 * Three families. A *plain* key is a fixed byte, with those modified forms that a terminal without extended keyboard
 * protocols can distinguish. A *letter* key ends in a letter (CSI A), a *tilde* key in a number and a tilde (CSI 3 ~);
 * both take modifiers as a parameter. Source: xterm's "XTerm Control Sequences", PC-style function keys.
 */

import { esc } from '@agentpty/protocol/escapes'

export type KeyForm =
  | { readonly family: 'plain'; readonly bytes: string; readonly ctrl?: string; readonly shift?: string }
  | { readonly family: 'letter'; readonly final: string; readonly unmodified: 'csi' | 'ss3' | 'cursor-mode' }
  | { readonly family: 'tilde'; readonly code: number }

/** A key whose unmodified form follows application cursor mode. */
const cursorKey = (final: string): KeyForm => ({ family: 'letter', final, unmodified: 'cursor-mode' })
const functionKey = (final: string): KeyForm => ({ family: 'letter', final, unmodified: 'ss3' })
const tildeKey = (code: number): KeyForm => ({ family: 'tilde', code })

/** By the name that errors and documents use: lower case, no separators. */
export const keyTable: ReadonlyMap<string, KeyForm> = new Map<string, KeyForm>([
  ['enter', { family: 'plain', bytes: '\r' }],
  ['tab', { family: 'plain', bytes: '\t', shift: `${esc}[Z` }],
  ['escape', { family: 'plain', bytes: esc }],
  ['backspace', { family: 'plain', bytes: '\x7f', ctrl: '\b' }],
  ['space', { family: 'plain', bytes: ' ', ctrl: '\0', shift: ' ' }],
  ['up', cursorKey('A')],
  ['down', cursorKey('B')],
  ['right', cursorKey('C')],
  ['left', cursorKey('D')],
  ['home', cursorKey('H')],
  ['end', cursorKey('F')],
  ['insert', tildeKey(2)],
  ['delete', tildeKey(3)],
  ['pageup', tildeKey(5)],
  ['pagedown', tildeKey(6)],
  ['f1', functionKey('P')],
  ['f2', functionKey('Q')],
  ['f3', functionKey('R')],
  ['f4', functionKey('S')],
  ['f5', tildeKey(15)],
  ['f6', tildeKey(17)],
  ['f7', tildeKey(18)],
  ['f8', tildeKey(19)],
  ['f9', tildeKey(20)],
  ['f10', tildeKey(21)],
  ['f11', tildeKey(23)],
  ['f12', tildeKey(24)],
  ['f13', tildeKey(25)],
  ['f14', tildeKey(26)],
  ['f15', tildeKey(28)],
  ['f16', tildeKey(29)],
  ['f17', tildeKey(31)],
  ['f18', tildeKey(32)],
  ['f19', tildeKey(33)],
  ['f20', tildeKey(34)],
])

/** Other spellings, tmux's among them. Looked up after separators are removed, so "page_up" is "pageup". */
export const keyAliases: ReadonlyMap<string, string> = new Map([
  ['return', 'enter'],
  ['cr', 'enter'],
  ['kpenter', 'enter'],
  ['esc', 'escape'],
  ['bspace', 'backspace'],
  ['bs', 'backspace'],
  ['spacebar', 'space'],
  ['spc', 'space'],
  ['del', 'delete'],
  ['dc', 'delete'],
  ['ins', 'insert'],
  ['ic', 'insert'],
  ['pgup', 'pageup'],
  ['ppage', 'pageup'],
  ['prior', 'pageup'],
  ['pgdn', 'pagedown'],
  ['pgdown', 'pagedown'],
  ['npage', 'pagedown'],
  ['next', 'pagedown'],
  ['arrowup', 'up'],
  ['arrowdown', 'down'],
  ['arrowleft', 'left'],
  ['arrowright', 'right'],
  ['uparrow', 'up'],
  ['downarrow', 'down'],
  ['leftarrow', 'left'],
  ['rightarrow', 'right'],
])

/** Names of keys with a modifier. */
export const modifiedAliases: ReadonlyMap<string, string> = new Map([
  ['btab', 'shift+tab'],
  ['backtab', 'shift+tab'],
])

export type Modifier = 'ctrl' | 'alt' | 'shift'

export const modifierNames: ReadonlyMap<string, Modifier> = new Map([
  ['ctrl', 'ctrl'],
  ['control', 'ctrl'],
  ['ctl', 'ctrl'],
  ['c', 'ctrl'],
  ['alt', 'alt'],
  ['meta', 'alt'],
  ['option', 'alt'],
  ['opt', 'alt'],
  ['m', 'alt'],
  ['shift', 'shift'],
  ['s', 'shift'],
])

/** The bits whose sum, plus one, is xterm's modifier parameter of letter and tilde keys. */
export const modifierBits: Readonly<Record<Modifier, number>> = { shift: 1, alt: 2, ctrl: 4 }

/** Control bytes of the keys that are not letters, with the spellings xterm's digit row gives. */
export const controlCharacters: ReadonlyMap<string, string> = new Map([
  ['@', '\0'],
  ['[', '\x1b'],
  ['\\', '\x1c'],
  [']', '\x1d'],
  ['^', '\x1e'],
  ['_', '\x1f'],
  ['/', '\x1f'],
  ['-', '\x1f'],
  ['?', '\x7f'],
  [' ', '\0'],
  ['2', '\0'],
  ['3', '\x1b'],
  ['4', '\x1c'],
  ['5', '\x1d'],
  ['6', '\x1e'],
  ['7', '\x1f'],
  ['8', '\x7f'],
])
