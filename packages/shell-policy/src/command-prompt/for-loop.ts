/** `for %i in (…) do …`: which variable it has, what that stands for, and what is done. */

import { isWindowsRoot } from '../places/windows-paths.ts'
import type { Shell } from '../walk/shell.ts'
import { type Arg, arg, someMark, unknownMark } from '../walk/value.ts'
import type { PromptWord } from './read-commands.ts'

export interface ForLoop {
  readonly letter: string
  readonly values: readonly Arg[]
  /** A command whose output is gone through; null for none. */
  readonly source: Arg | null
  readonly body: readonly PromptWord[]
}

export function forLoop(words: readonly PromptWord[], shell: Shell): ForLoop {
  const texts = words.map(({ text }) => text)
  const at = texts.findIndex((text, index) => index > 0 && /^%%?[A-Za-z]$/.test(text))
  const end = texts.findIndex((text) => /^do$/i.test(text))
  const letter = texts[at]?.at(-1) ?? 'i'
  const options = texts.slice(1, Math.max(1, at))
  const set = words.slice(at + 2, end < 0 ? undefined : end).map(({ text, raw, isQuoted }) => ({
    raw,
    text: text.replace(isQuoted ? /^\(/ : /^\(|\)$/g, ''),
    isQuoted,
  }))
  const body = end < 0 ? [] : words.slice(end + 1)
  if (at < 0 || end < 0) shell.report('Q2', 'unparsed')
  return { letter, body, ...valuesOf(options, set) }
}

function valuesOf(options: readonly string[], set: readonly PromptWord[]): Pick<ForLoop, 'values' | 'source'> {
  const has = (name: string) => options.some((one) => one.toLowerCase() === name)
  if (has('/l')) return { values: [arg(someMark)], source: null }
  if (has('/r')) {
    const root = options.find((one) => !one.startsWith('/')) ?? '.'
    // Whatever is picked out below a drive is all of it.
    const found = isWindowsRoot(root) ? `${root.replace(/[\\/]+$/, '')}\\*` : `${root}/${someMark}`
    return { values: [arg(found)], source: null }
  }
  if (!has('/f')) return { values: set.map(({ text }) => ({ ...arg(text), isGlob: /[*?]/.test(text) })), source: null }
  const text = set.map((one) => (one.isQuoted ? `"${one.text}"` : one.text)).join(' ')
  const [, command] = /^['`](.*)['`]$/s.exec(text) ?? []
  const isText = set.length === 1 && set[0]?.isQuoted === true && !options.some((one) => /usebackq/i.test(one))
  if (isText) return { values: [arg(set[0]?.text ?? '')], source: null }
  return { values: [arg(unknownMark)], source: command === undefined ? null : arg(command) }
}
