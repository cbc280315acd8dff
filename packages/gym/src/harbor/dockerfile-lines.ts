/** A Dockerfile's text as instructions: comments dropped, continued lines joined, here-documents taken along. */

import { invalidInput, limitReached, type TermError } from '@agentpty/protocol'
import { dockerfileBytesMax, dockerfileInstructionsMax } from '@agentpty/protocol/gym'

interface HereDocument {
  readonly name: string
  readonly content: string
  /** The delimiter was quoted: variables in it are text. */
  readonly isQuoted: boolean
}

export interface InstructionLine {
  /** The number of its first line; counts from 1. */
  readonly line: number
  /** The word in capitals. */
  readonly word: string
  /** The text after the word, with continued lines joined. */
  readonly rest: string
  readonly hereDocuments: readonly HereDocument[]
  /** The same with its here-documents below it, as a shell takes it. */
  readonly shellText: string
}

/** Errors: `invalid_input`, with the line. */
export function refusedLine(line: number, what: string, hint: string): TermError {
  return invalidInput(`Dockerfile:${line}: ${what}.`, hint)
}

const withHereDocuments = new Set(['RUN', 'COPY', 'ADD'])

/** Errors: `invalid_input`, `limit_reached`. */
export function dockerfileLines(text: string): readonly InstructionLine[] {
  if (Buffer.byteLength(text) > dockerfileBytesMax)
    throw limitReached(`The Dockerfile is longer than ${dockerfileBytesMax} bytes.`, 'Move files out of it.')
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  checkEscape(lines)
  const found: InstructionLine[] = []
  for (let at = 0; at < lines.length; ) {
    if (isSkipped(lines[at] ?? '')) {
      at++
      continue
    }
    if (found.length >= dockerfileInstructionsMax)
      throw limitReached(
        `The Dockerfile has more than ${dockerfileInstructionsMax} instructions.`,
        'Join some of them.',
      )
    const { instruction, next } = instructionAt(lines, at)
    found.push(instruction)
    at = next
  }
  return found
}

const isSkipped = (line: string): boolean => /^\s*(?:#.*)?$/.test(line)

/** Directives are comments at the very beginning. Another escape character would change what every line means. */
function checkEscape(lines: readonly string[]): void {
  for (const [index, line] of lines.entries()) {
    const [, name, value] = /^\s*#\s*([a-z]+)\s*=\s*(\S+)\s*$/i.exec(line) ?? []
    if (name === undefined) return
    if (name.toLowerCase() === 'escape' && value !== '\\')
      throw refusedLine(index + 1, `the escape character ${value} is not supported`, 'Write the file with "\\".')
  }
}

/** `next`: the index of the line after the instruction. */
function instructionAt(lines: readonly string[], begin: number) {
  const { text, next: afterText } = joined(lines, begin)
  const [, word = '', rest = ''] = /^\s*(\S+)\s*([\s\S]*)$/.exec(text) ?? []
  const name = word.toUpperCase()
  const read = withHereDocuments.has(name) ? readHereDocuments(lines, afterText, rest) : null
  const raw = read === null ? [] : lines.slice(afterText, read.next)
  const instruction: InstructionLine = {
    line: begin + 1,
    word: name,
    rest: rest.trimEnd(),
    hereDocuments: read?.documents ?? [],
    shellText: [rest.trimEnd(), ...raw].join('\n'),
  }
  return { instruction, next: read?.next ?? afterText }
}

/** Lines that end with a backslash continue; comments and empty lines in between do not count. */
function joined(lines: readonly string[], begin: number) {
  const parts: string[] = []
  let at = begin
  for (; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (at > begin && isSkipped(line)) continue
    const [, before] = /^(.*)\\[ \t]*$/.exec(line) ?? []
    parts.push(before ?? line)
    if (before === undefined) break
  }
  return { text: parts.join(''), next: at + 1 }
}

const hereDocument = /(?:^|\s)\d*<<(-?)(["']?)([A-Za-z_][\w.]*)\2(?=\s|$)/g
/** Quoted text that is not the name of a here-document. */
const quoted = /(?<!<<-?)(?:'[^']*'|"(?:\\.|[^"\\])*")/g

function readHereDocuments(lines: readonly string[], begin: number, rest: string) {
  const documents: HereDocument[] = []
  let at = begin
  for (const [, dash, quote, name = ''] of rest.replaceAll(quoted, '""').matchAll(hereDocument)) {
    const strip = (line: string) => (dash === '-' ? line.replace(/^\t+/, '') : line)
    const end = lines.findIndex((line, index) => index >= at && strip(line) === name)
    if (end < 0)
      throw refusedLine(begin, `the here-document ${name} has no end`, `Write ${name} alone on a line after it.`)
    const content = lines.slice(at, end).map((line) => `${strip(line)}\n`)
    documents.push({ name, content: content.join(''), isQuoted: quote !== '' })
    at = end + 1
  }
  return { documents, next: at }
}

/** Words of an instruction: quotes, backslashes and variables, as a Dockerfile has them. */
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

/** Returns a word without its quotes and with the values of its variables. An unset variable is empty. Errors: `invalid_input`. */
export function expandWord(text: string, expanding: Expanding): string {
  return text.replaceAll(piece, (_all, escaped, single, double, variable, plain) => {
    if (double !== undefined) return expandText(double, expanding)
    if (variable !== undefined) return expandVariable(variable, expanding)
    return escaped ?? single ?? plain
  })
}

/** Expands text like {@link expandWord}, but quotes are plain characters, as in a here-document. */
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
