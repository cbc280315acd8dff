/**
 * Text as a person would paste or type it.
 *
 * A line break is sent as carriage return, which is what the enter key and xterm's paste send. When the program has
 * bracketed paste on, text of more than one line is wrapped, so that the program takes it as one paste and does not
 * run its lines one by one, and text with a tab, which would complete a word; a paste end inside the text is removed,
 * because what follows it would count as typed. A line editor without bracketed paste gets each tab behind ctrl+v, which
 * quotes it.
 */

import { basename } from 'node:path'
import { marksPrompts } from '../marks/parse-osc.ts'

export interface EncodedText {
  readonly body: Uint8Array
  /** Sent after the body, apart from it, so that a program cannot take it as part of the paste. */
  readonly enter: Uint8Array | null
}

/** The same as characters. */
export interface TypedText {
  readonly body: string
  readonly enter: string | null
}

export interface TextOptions {
  readonly bracketedPaste: boolean
  /** The program's line editor takes ctrl+v before a key for its character. */
  readonly quotesTabs?: boolean
  /** Press enter after the text, whatever it ends in. */
  readonly submit: boolean
}

interface TextReader {
  readonly modes: { readonly bracketedPaste: boolean }
  readonly commands: { readonly atPrompt: boolean }
  readonly info: { readonly shell: string | null }
}

/** How text is typed into a session at this moment. */
export function textOptions({ modes, commands, info }: TextReader, submit: boolean): TextOptions {
  // In fish ctrl+v pastes; it has bracketed paste in all versions.
  const isQuoting = marksPrompts(info.shell) && basename(info.shell ?? '') !== 'fish'
  return { bracketedPaste: modes.bracketedPaste, quotesTabs: isQuoting && commands.atPrompt, submit }
}

const pasteStart = '\x1b[200~'
const pasteEnd = '\x1b[201~'
const utf8 = new TextEncoder()

/**
 * The bytes of the text, and of the enter after it.
 *
 * @example encodeText('a\n', { bracketedPaste: false, submit: true }) // body: 'a\r', enter: '\r'
 */
export function encodeText(text: string, options: TextOptions): EncodedText {
  const { body, enter } = typedText(text, options)
  return { body: utf8.encode(body), enter: enter === null ? null : utf8.encode(enter) }
}

/** Returns the text that a program gets, before it becomes bytes. */
export function typedText(text: string, options: TextOptions): TypedText {
  const lines = text.replaceAll('\r\n', '\n')
  const isWrapped = options.bracketedPaste && /[\n\t]/.test(lines)
  const typed = lines.replaceAll('\n', '\r')
  const quoted = options.quotesTabs === true ? typed.replaceAll('\t', '\x16\t') : typed
  const body = isWrapped ? pasteStart + withoutPasteEnd(typed) + pasteEnd : quoted
  return { body, enter: options.submit ? '\r' : null }
}

function withoutPasteEnd(text: string): string {
  // The second spelling is the same sequence with the 8-bit CSI.
  const once = text.replaceAll(pasteEnd, '').replaceAll('\x9b201~', '')
  if (!once.includes(pasteEnd) && !once.includes('\x9b201~')) return once
  // Removing one sequence can join the halves of another. That is never an accident, so all escapes are removed.
  return once.replaceAll(/[\x1b\x9b]/g, '')
}
