/**
 * Keys and text as the bytes a terminal would send.
 *
 * A name is ours (`ctrl+shift+left`), tmux's (`C-S-Left`, `BSpace`, `^c`, `0x41`, `KP5`), vim's (`<C-c>`) or one character, which is
 * itself. A word that can be no name is text: `:wq`, `hello world`, `dd`. Every key encodes to at least one byte or throws `unknown_key`: a
 * key that silently does nothing would leave an agent waiting. So would one that does something else: a modifier that a plain terminal
 * cannot send is refused, not dropped.
 */

import { nearNames, TermError } from '@agentpty/protocol'
import { esc } from '@agentpty/protocol/escapes'
import {
  controlCharacters,
  type KeyForm,
  keyAliases,
  keyTable,
  type Modifier,
  modifiedAliases,
  modifierBits,
  modifierNames,
} from './key-table.ts'

export interface KeyModes {
  /** DECCKM: unmodified arrows, home and end are sent as ESC O x. */
  readonly applicationCursorKeys: boolean
}

const nearNamesMax = 5
/** Names are short; anything longer is text that belongs elsewhere and is not worth comparing. */
const keyNameCharactersMax = 32
const utf8 = new TextEncoder()
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * The bytes of the keys, one after the other.
 *
 * @example encodeKeys(['C-x', 'shift+tab', 'y'], { applicationCursorKeys: false }) // 18 1b 5b 5a 79
 */
export function encodeKeys(keys: readonly string[], modes: KeyModes): Uint8Array {
  return utf8.encode(keys.map((key) => encodeKey(key, modes)).join(''))
}

function encodeKey(key: string, modes: KeyModes): string {
  if (isOneGrapheme(key)) return key
  const [, code, keypad] = characterName.exec(key.trim()) ?? []
  if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16))
  if (keypad !== undefined) return keypad
  const { modifiers, base } = parseKey(/^<([^<>]+)>$/.exec(key.trim())?.[1] ?? key.trim())
  if (isOneGrapheme(base)) return encodeCharacter(key, base, modifiers)
  const name = canonicalName(base)
  const form = keyTable.get(name)
  if (form === undefined && isText(key, modifiers)) return key
  if (form === undefined) throw unknownKey(key)
  return encodeForm({ key, name, form, modifiers, modes })
}

/** A character by its code, or on the keypad. */
const characterName = /^(?:0x([0-9a-f]{1,4})|kp[_-]?([0-9.+*/-]))$/i

/** A word that is no misspelled name: a modifier or a name in it would have been meant as a key. */
function isText(key: string, modifiers: ReadonlySet<Modifier>): boolean {
  if (key.trim() === '' || modifiers.size > 0) return false
  const words = key.trim().split(/\s+/)
  if (words.length > 1) return words.every((word) => isOneGrapheme(word) || !isKey(word))
  return !/^[\w<>+^-]+$/.test(key) || /^[a-z]{2}$/i.test(key)
}

function isKey(word: string): boolean {
  const { modifiers, base } = parseKey(word)
  return modifiers.size > 0 || keyTable.has(canonicalName(base))
}

interface ParsedKey {
  readonly modifiers: ReadonlySet<Modifier>
  /** The key that the modifiers are held with: a name or a character, with its case. */
  readonly base: string
}

function parseKey(key: string): ParsedKey {
  const modifiers = new Set<Modifier>()
  let rest = modifiedAliases.get(plainName(key)) ?? key
  while (true) {
    const caret = /^\^(.)$/su.exec(rest)
    if (caret?.[1] !== undefined) return { modifiers: modifiers.add('ctrl'), base: caret[1] }
    const prefix = /^([a-z]{1,7})\s*[+-]\s*(.+)$/isu.exec(rest)
    const modifier = modifierNames.get(prefix?.[1]?.toLowerCase() ?? '')
    if (modifier === undefined || prefix?.[2] === undefined) return { modifiers, base: rest }
    modifiers.add(modifier)
    rest = modifiedAliases.get(plainName(prefix[2])) ?? prefix[2]
  }
}

const plainName = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '')

function canonicalName(name: string): string {
  const plain = plainName(name)
  return keyAliases.get(plain) ?? plain
}

function isOneGrapheme(text: string): boolean {
  // The first segment is enough: a long text must not be walked to its end.
  return graphemes.segment(text)[Symbol.iterator]().next().value?.segment === text
}

function encodeCharacter(key: string, character: string, modifiers: ReadonlySet<Modifier>): string {
  const prefix = modifiers.has('alt') ? esc : ''
  const isLetter = /^[a-z]$/i.test(character)
  if (modifiers.has('ctrl')) {
    const letter = modifiers.has('shift') ? undefined : controlOfLetter(character)
    const control = isLetter ? letter : controlCharacters.get(character)
    if (control === undefined) throw inexpressible(key, character)
    return prefix + control
  }
  if (!modifiers.has('shift')) return prefix + character
  // Which character shift gives to a digit or a sign depends on the keyboard, and a terminal never learns it.
  if (character.toUpperCase() === character.toLowerCase()) throw inexpressible(key, character)
  return prefix + character.toUpperCase()
}

const controlOfLetter = (letter: string): string => String.fromCharCode(letter.toUpperCase().charCodeAt(0) & 0x1f)

interface FormOfKey {
  readonly key: string
  readonly name: string
  readonly form: KeyForm
  readonly modifiers: ReadonlySet<Modifier>
  readonly modes: KeyModes
}

function encodeForm({ key, name, form, modifiers, modes }: FormOfKey): string {
  if (form.family === 'plain') return encodePlain(key, name, { form, modifiers })
  let parameter = 1
  for (const modifier of modifiers) parameter += modifierBits[modifier]
  if (form.family === 'tilde') return `${esc}[${form.code}${parameter > 1 ? `;${parameter}` : ''}~`
  if (parameter > 1) return `${esc}[1;${parameter}${form.final}`
  const isSs3 = form.unmodified === 'ss3' || (form.unmodified === 'cursor-mode' && modes.applicationCursorKeys)
  return `${esc}${isSs3 ? 'O' : '['}${form.final}`
}

interface PlainKey {
  readonly form: Extract<KeyForm, { family: 'plain' }>
  readonly modifiers: ReadonlySet<Modifier>
}

function encodePlain(key: string, name: string, { form, modifiers }: PlainKey): string {
  const prefix = modifiers.has('alt') ? esc : ''
  const ctrl = modifiers.has('ctrl') ? form.ctrl : form.bytes
  const bytes = modifiers.has('shift') ? (modifiers.has('ctrl') ? undefined : form.shift) : ctrl
  if (bytes === undefined) throw inexpressible(key, name)
  return prefix + bytes
}

function inexpressible(key: string, base: string): TermError {
  const hint =
    base === 'enter'
      ? 'For a line break without submitting use "ctrl+j" or "alt+enter", as the program expects.'
      : `Send "${base}" without the modifier, or the bytes the program expects as text.`
  return new TermError('unknown_key', `A terminal has no bytes for "${key}" that differ from other keys.`, hint)
}

const suggestions: readonly string[] = [
  ...keyTable.keys(),
  ...Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => `ctrl+${letter}`),
  'shift+tab',
  'alt+enter',
  'ctrl+space',
]

function unknownKey(key: string): TermError {
  const shown = key.length > keyNameCharactersMax ? `${key.slice(0, keyNameCharactersMax)}...` : key
  const near =
    key.length > keyNameCharactersMax ? [] : nearNames(key.trim().toLowerCase(), suggestions, { count: nearNamesMax })
  const meant = near.length > 0 ? `Near names: ${near.join(', ')}. ` : ''
  return new TermError(
    'unknown_key',
    `No key is called "${shown}".`,
    `${meant}Several keys are several items. Text belongs in terminal_send.`,
  )
}
