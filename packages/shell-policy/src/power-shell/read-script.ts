/**
 * Reads a PowerShell program: statements, pipelines, commands with their words. It knows the grammar as far as it says what runs; what it
 * does not know it does not guess at, and the line is asked about.
 */

import { Cursor, Unreadable } from './cursor.ts'
import { type Grammar, readBlock } from './read-block.ts'
import { ValueReader } from './read-values.ts'
import type { Part, Script, Stage, Statement, Value, Word } from './syntax.ts'

/** Null for what cannot be read, or is not finished. */
export function readPowerShell(text: string): Script | null {
  try {
    const cursor = new Cursor(text)
    const script = readScript(cursor, null)
    return cursor.isAtEnd ? script : null
  } catch (error) {
    if (error instanceof Unreadable || error instanceof RangeError) return null
    throw error
  }
}

const values = new ValueReader({ script: readScript })
const grammar: Grammar = { values, script: readScript, stages: readStages }

function readScript(cursor: Cursor, end: string | null): Script {
  const statements: Statement[] = []
  for (;;) {
    cursor.skip({ newlines: true })
    if (cursor.take(/;|&&|\|\|/y) !== null) continue
    if (cursor.isAtEnd && end === null) return statements
    if (end !== null && cursor.next === end) {
      cursor.at++
      return statements
    }
    if (cursor.isAtEnd) throw new Unreadable()
    statements.push(readStatement(cursor))
  }
}

function readStatement(cursor: Cursor): Statement {
  const from = cursor.at
  const assigned = cursor.take(
    /((?:\[[\w.[\]]+\]\s*)*)\$(?:\{([^}]*)\}|([\w:]+))((?:\.\w+|\[[^\]]*\])*)\s*(?:=(?!=)|[-+*/%]=|\?\?=)/y,
  )
  if (assigned === null) cursor.at = from
  const [, , braced, plain, members = ''] = assigned ?? []
  const name = braced ?? plain
  const stages = readStages(cursor)
  const isBackground = cursor.take(/&(?!&)/y) !== null
  // A part of it is given a value: the variable itself stays what it is.
  const assigns = name === undefined ? null : `${name.toLowerCase()}${members === '' ? '' : '.'}`
  return { assigns, stages, isBackground }
}

function readStages(cursor: Cursor): readonly Stage[] {
  const stages: Stage[] = []
  for (;;) {
    cursor.skip()
    stages.push(readStage(cursor.deeper()))
    cursor.skip()
    if (cursor.take(/\|(?!\|)/y) === null) return stages
    cursor.skip({ newlines: true })
  }
}

const keywords =
  /^(if|while|until|do|for|foreach|switch|function|filter|param|try|trap|data|begin|process|end|dynamicparam|clean|return|throw|exit|break|continue|class|enum|using|workflow|configuration)$/i

function readStage(cursor: Cursor): Stage {
  const { next } = cursor
  const word = /[A-Za-z]+(?![\w.\\/:-])/y
  word.lastIndex = cursor.at
  const keyword = word.exec(cursor.text)?.[0] ?? ''
  // In a pipeline `foreach` is a cmdlet.
  if (
    keywords.test(keyword) &&
    !(keyword.toLowerCase() === 'foreach' && /\|\s*$/.test(cursor.text.slice(0, cursor.at)))
  )
    return readBlock(cursor, keyword.toLowerCase(), grammar)
  const operator = next === '&' || /^\.[\s$({'"]/.test(cursor.text.slice(cursor.at, cursor.at + 2)) ? next : null
  if (operator !== null) {
    cursor.at++
    cursor.skip()
    return readCommand(cursor, operator === '&' ? '&' : '.')
  }
  if (startsValue.test(cursor.text.slice(cursor.at, cursor.at + 12))) {
    const value = values.expression(cursor)
    return { kind: 'value', value, redirects: readRedirects(cursor) }
  }
  return readCommand(cursor, null)
}

/** A value, or an operator before one. */
const startsValue = /^(?:[$'"@([{\d!+,]|-\s*[\d$(]|-(?:join|[ci]?split|not|bnot)\b)/i

function readCommand(cursor: Cursor, operator: '&' | '.' | null): Stage {
  const words: Word[] = []
  const redirects: Word[] = []
  for (;;) {
    redirects.push(...readRedirects(cursor))
    if (cursor.isAtEnd || /[;|\n)}&]/.test(cursor.next)) break
    if (cursor.take(/--%/y) !== null) {
      words.push(...verbatim(cursor.take(/[^\n|]*/y)?.[0] ?? ''))
      break
    }
    words.push(readWord(cursor))
  }
  if (words.length === 0) throw new Unreadable()
  return { kind: 'command', operator, words, redirects }
}

const verbatim = (text: string): readonly Word[] =>
  text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => ({ parameter: null, values: [[{ kind: 'text', text: word, isQuoted: false }]] }))

/** `> file`, `2>> file`; streams into each other and into nothing write nowhere. */
function readRedirects(cursor: Cursor): readonly Word[] {
  const targets: Word[] = []
  for (;;) {
    cursor.skip()
    if (cursor.take(/[\d*]?>&\d/y) !== null) continue
    if (cursor.take(/[\d*]?>>?/y) === null) return targets
    cursor.skip()
    targets.push(readWord(cursor))
  }
}

function readWord(cursor: Cursor): Word {
  const parameter = cursor.take(/[-\u2013\u2014\u2015]([A-Za-z_]\w*)(:?)/y)
  if (parameter !== null && (parameter[2] === ':' || isWordEnd(cursor))) {
    const given = parameter[2] === ':' && !isWordEnd(cursor) ? readList(cursor) : []
    return { parameter: parameter[1] ?? '', values: given }
  }
  if (parameter !== null) cursor.at -= parameter[0].length
  return { parameter: null, values: readList(cursor) }
}

const isWordEnd = (cursor: Cursor) => cursor.isAtEnd || /[\s;|&(){},<>]/.test(cursor.next)

/** `a,b`: blanks may stand around the comma. */
function readList(cursor: Cursor): readonly Value[] {
  const list: Value[] = []
  for (;;) {
    list.push(readParts(cursor))
    if (cursor.take(/[ \t]*,/y) === null) return list
    cursor.skip({ newlines: true })
  }
}

function readParts(cursor: Cursor): Value {
  const parts: Part[] = []
  let text = ''
  const endText = () => {
    if (text !== '') parts.push({ kind: 'text', text, isQuoted: false })
    text = ''
  }
  while (!cursor.isAtEnd) {
    const { next } = cursor
    const isFirst = parts.length === 0 && text === ''
    if (next === '`') text += cursor.escaped()
    else if (isFirst && /[({@]/.test(next) && !cursor.startsWith('@,')) return values.primary(cursor)
    else if (next === '$' || next === "'" || next === '"') {
      endText()
      parts.push(...values.bracketed(cursor))
      if (isFirst && next === '$') parts.push(...values.members(cursor))
    } else if (isWordEnd(cursor)) break
    else text += (cursor.take(/[^\s;|&(){},<>`$'"]+/y) ?? [next])[0]
  }
  endText()
  if (parts.length === 0) throw new Unreadable()
  return parts
}
