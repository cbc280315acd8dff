/** Words of an instruction: quotes, backslashes and variables, as a Dockerfile has them. */

import { refusedLine } from './dockerfile-lines.ts'

export type Variables = Readonly<Record<string, string>>

/** Cut at blanks outside of quotes; quotes and backslashes stay in them. */
export function splitWords(text: string): readonly string[] {
  return text.match(/(?:\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|[^\s\\]|\\$)+/g) ?? []
}

/** A list as JSON; null for what is none. */
export function jsonWords(text: string): readonly string[] | null {
  if (!text.startsWith('[')) return null
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : null
  } catch {
    // Docker takes what is no JSON as a shell's line, too.
    return null
  }
}

export interface Expanding {
  readonly variables: Variables
  readonly line: number
}

const piece = /\\([\s\S])|'([^']*)'|"((?:\\[\s\S]|[^"\\])*)"|(\$(?:\{[^}]*\}|\w+))|([\s\S])/g
const pieceInQuotes = /\\(["$\\])|(\$(?:\{[^}]*\}|\w+))|([\s\S])/g

/** Without its quotes, and with variables as what they are. One that is not set is empty. Errors: `invalid_input`. */
export function expandWord(text: string, expanding: Expanding): string {
  return text.replaceAll(piece, (_all, escaped, single, double, variable, plain) => {
    if (double !== undefined) return expandText(double, expanding)
    if (variable !== undefined) return expandVariable(variable, expanding)
    return escaped ?? single ?? plain
  })
}

/** As {@link expandWord}, of text in which quotes are only characters: that of a here-document. */
export function expandText(text: string, expanding: Expanding): string {
  return text.replaceAll(pieceInQuotes, (_all, escaped, variable, plain) =>
    variable === undefined ? (escaped ?? plain) : expandVariable(variable, expanding),
  )
}

function expandVariable(written: string, { variables, line }: Expanding): string {
  const inner = written.startsWith('${') ? written.slice(2, -1) : written.slice(1)
  const [, name, colon, sign, word = ''] = /^(\w+)(?:(:?)([-+])([^$]*))?$/.exec(inner) ?? []
  if (name === undefined)
    throw refusedLine(line, `${written} is not supported`, 'Only a name, :-otherwise and :+instead can stand in it.')
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined
  const isSet = value !== undefined && !(colon === ':' && value === '')
  if (sign === '+') return isSet ? word : ''
  return isSet ? value : word
}
