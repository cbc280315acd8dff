/**
 * Words as the shell expands them. An expansion that depends on running programs has alternatives, and each of them counts.
 *
 * Substitutions in any position of a word are judged on the way.
 */

import {
  forEachChild,
  type ParameterExpansionPart,
  type ParsedScript,
  parse,
  type SyntaxNode,
  type Word,
  type WordPart,
} from 'unbash'
import { expandBraces } from '../lex/braces.ts'
import { placeholderFor } from '../programs/placeholders-table.ts'
import type { PolicyState } from '../state/policy-state.ts'
import { judgeArithmetic, valuesOfName, variableOf } from './evaluated-values.ts'
import { changed } from './parameter-operations.ts'
import type { Shell } from './shell.ts'
import { type Arg, arg, bounded, isStatic, type Stream, type Taint, taints, unknownMark } from './value.ts'

/** The parts of the evaluation that expansion uses. */
export interface Expander extends Pick<Shell, 'state' | 'report' | 'setVariable' | 'runExpanded'> {
  /** Judges the program inside a substitution and returns what it puts out. */
  readonly substitute: (script: ParsedScript | undefined, source: string) => Stream
  /** Keeps the other end of `<(…)` or `>(…)` under a path of its own. */
  readonly processSubstitution: (script: ParsedScript | undefined, operator: '<' | '>', source: string) => string
  readonly tooMuch: () => void
  /** Patterns of zsh may run code. */
  readonly judgePattern: (pattern: string) => void
}

interface Piece {
  readonly text: string
  readonly taint: Taint
  readonly isGlob: boolean
  readonly isSplit: boolean
  readonly isQuoted: boolean
  /** Starts a field of its own: `"${a[@]}"`. */
  readonly startsField?: true
}

const alternativesMax = 8 // ways one word can come out; more are taken as unknown

const literal = (text: string): Piece => ({ text, taint: 0, isGlob: false, isSplit: false, isQuoted: false })
const quoted = (text: string): Piece => ({ ...literal(text), isQuoted: true })

/** All ways in which words can come out, each as fields. */
export function expandWords(words: readonly Word[], source: string, expander: Expander): readonly (readonly Arg[])[] {
  return sequences(words, (word) => expandWord(word, source, expander))
}

/** All ways of a sequence whose parts have ways of their own. Parts with one way, which nearly all are, cost only themselves. */
export function sequences<From, To>(
  parts: readonly From[],
  waysOf: (part: From) => readonly (readonly To[])[],
): readonly (readonly To[])[] {
  let lines: To[][] = [[]]
  for (const part of parts) {
    const ways = waysOf(part)
    const [only] = ways
    if (ways.length === 1 && only !== undefined) for (const line of lines) for (const one of only) line.push(one)
    else lines = lines.flatMap((line) => ways.map((way) => [...line, ...way])).slice(0, alternativesMax)
  }
  return lines
}

export function expandWord(word: Word, source: string, expander: Expander): readonly (readonly Arg[])[] {
  if (word.parts?.some(({ type }) => type === 'BraceExpansion')) {
    const texts = expandBraces(word.text)
    if (texts === null) {
      expander.tooMuch()
      return [[arg(unknownMark)]]
    }
    if (texts.length > 1) return expandTexts(texts, expander)
  }
  return expandWithoutBraces(word, source, expander)
}

function plainWord({ value, text }: Word, state: PolicyState): Arg {
  return arg(text.startsWith('~') ? tildeExpanded(value, state) : value)
}

function expandTexts(texts: readonly string[], expander: Expander): readonly (readonly Arg[])[] {
  const source = `_ ${texts.join(' ')}`
  const [statement] = parse(source).commands
  if (statement?.command.type !== 'Command') return [[arg(unknownMark)]]
  const words = statement.command.args.filter((one): one is Word => one.type === 'Word')
  return sequences(words, (word) => expandWithoutBraces(word, source, expander))
}

function expandWithoutBraces(word: Word, source: string, expander: Expander): readonly (readonly Arg[])[] {
  if (word.parts === undefined) return [[plainWord(word, expander.state)]]
  return piecesOf(word.parts, source, expander, false).map((pieces) => fieldsOf(withTilde(pieces, expander.state)))
}

/** A word where nothing is split: an assigned value, the target of a redirection, a here-string. */
export function expandAsOne(word: Word, source: string, expander: Expander): readonly Arg[] {
  if (word.parts === undefined) return [plainWord(word, expander.state)]
  return piecesOf(word.parts, source, expander, false).map((pieces) => joinPieces(withTilde(pieces, expander.state)))
}

export function expandBody(parts: readonly WordPart[], source: string, expander: Expander): readonly Arg[] {
  return piecesOf(parts, source, expander, true).map(joinPieces)
}

/** `~` at the start, and nowhere else: the rest of the word may be quoted. */
function withTilde(pieces: readonly Piece[], state: PolicyState): readonly Piece[] {
  const [first, ...rest] = pieces
  if (first === undefined || first.isQuoted || !first.text.startsWith('~')) return pieces
  return [{ ...first, text: tildeExpanded(first.text, state) }, ...rest]
}

export function tildeExpanded(text: string, { home, cwd, previousCwd }: PolicyState): string {
  const end = text.indexOf('/')
  const [who, rest] = end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end)]
  if (who === '~') return `${home}${rest}`
  if (who === '~+') return `${cwd.value ?? unknownMark}${rest}`
  if (who === '~-') return `${previousCwd.value ?? unknownMark}${rest}`
  if (who === '~root') return `/root${rest}`
  return /^~[a-z_][\w-]*$/i.test(who) ? `/home/${who.slice(1)}${rest}` : text
}

function piecesOf(
  parts: readonly WordPart[],
  source: string,
  expander: Expander,
  isQuoted: boolean,
): readonly (readonly Piece[])[] {
  return sequences(parts, (part) => pieceOf(part, source, expander, isQuoted))
}

function pieceOf(part: WordPart, source: string, expander: Expander, isQuoted: boolean): readonly (readonly Piece[])[] {
  switch (part.type) {
    case 'Literal':
      return [[isQuoted ? quoted(part.value) : literal(part.value)]]
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [[quoted(part.value)]]
    case 'DoubleQuoted':
    case 'LocaleString':
      return piecesOf(part.parts, source, expander, true).map((pieces) => [quoted(''), ...pieces])
    case 'Glob':
    case 'ExtendedGlob':
      if (part.type === 'ExtendedGlob') expander.judgePattern(part.pattern)
      runNested(part, source, expander)
      return [[{ ...literal(part.type === 'Glob' ? part.text : '*'), isGlob: true }]]
    case 'BraceExpansion':
      return [[literal(part.text)]]
    case 'SimpleExpansion':
      return variablePieces(part.text.slice(1), isQuoted, expander.state)
    case 'ParameterExpansion':
      return parameterPieces(part, source, expander, isQuoted)
    case 'CommandExpansion':
      return [substitutionPieces(expander.substitute(part.script, source), isQuoted)]
    case 'ArithmeticExpansion':
      runArithmetic(part.expression, part.text, source, expander)
      return [[quoted(arithmeticValue(part.text))]]
    case 'ProcessSubstitution':
      return [[quoted(expander.processSubstitution(part.script, part.operator, source))]]
  }
}

/** Returns the number of a plain arithmetic word, and a stand-in for every other expression. */
function arithmeticValue(text: string): string {
  return /^\$\(\(\s*\d+\s*\)\)$/.test(text) ? text.replace(/\D/g, '') : placeholderFor.number
}

function substitutionPieces(stream: Stream, isQuoted: boolean): readonly Piece[] {
  if (stream.listed !== null && !isQuoted)
    return stream.listed.map(({ text, taint }) => ({ ...quoted(text), taint, isGlob: true, startsField: true }))
  const text = stream.text.replace(/\n+$/, '')
  return [{ text, taint: stream.taint, isGlob: false, isSplit: !isQuoted, isQuoted }]
}

/** Judges every substitution below a node that is not expanded itself; `output` receives what each puts out. */
export function runNested(
  node: SyntaxNode,
  source: string,
  expander: Expander,
  output?: (stream: Stream) => void,
): void {
  forEachChild(node, (child) => {
    if (child.type !== 'Script') return runNested(child, source, expander, output)
    const stream = expander.substitute(child, source)
    output?.(stream)
  })
}

/** An expression: what its substitutions put out is a part of it. */
export function runArithmetic(node: SyntaxNode | undefined, text: string, source: string, expander: Expander): void {
  if (node !== undefined)
    runNested(node, source, expander, ({ taint }) => {
      if ((taint & (taints.network | taints.decoded)) !== 0) expander.report('Q2', 'unresolved')
    })
  judgeArithmetic(text, expander)
}

function variablePieces(name: string, isQuoted: boolean, state: PolicyState): readonly (readonly Piece[])[] {
  const splitsOddly = !isQuoted && valuesOfName('IFS', state).some(({ text }) => text !== ' \t\n')
  if (name === '@' || name === '*') return [manyPieces(state.positional.value, isQuoted && name === '@', isQuoted)]
  return valuesOfName(name, state).map((value) => {
    const text = splitsOddly ? unknownMark : value.text
    return [{ text, taint: value.taint, isGlob: value.isGlob, isSplit: !isQuoted, isQuoted }]
  })
}

function manyPieces(elements: readonly Arg[] | null, isSeparate: boolean, isQuoted: boolean): readonly Piece[] {
  if (elements === null) return [{ text: unknownMark, taint: 0, isGlob: false, isSplit: !isQuoted, isQuoted }]
  return elements.flatMap(({ text, taint, isGlob }, index): readonly Piece[] => {
    const piece: Piece = { text, taint, isGlob, isSplit: !isQuoted, isQuoted }
    if (isSeparate || !isQuoted) return [{ ...piece, startsField: true }]
    return index === 0 ? [piece] : [quoted(' '), piece]
  })
}

function parameterPieces(
  part: ParameterExpansionPart,
  source: string,
  expander: Expander,
  isQuoted: boolean,
): readonly (readonly Piece[])[] {
  const { parameter, prefix, index, operation } = part
  if (index !== undefined) runArithmetic(index, index.text, source, expander)
  const { state } = expander
  if (prefix === '#') return [[literal(placeholderFor.number)]]
  if (prefix === '!') {
    for (const name of valuesOfName(parameter, state)) if (name.text.includes('[')) expander.runExpanded(name)
    return indirectPieces(part, isQuoted, state)
  }
  const operand = operation !== undefined ? operandOf(part, source, expander, isQuoted) : []
  const variable = variableOf(parameter, state)
  if (index !== undefined)
    return elementPieces(variable?.kind === 'array' ? variable.elements : null, index.text, isQuoted)
  if (operation === undefined) return variablePieces(parameter, isQuoted, state)
  if (operation.type === 'Slice') judgeArithmetic(`${operation.offset.text} ${operation.length?.text}`, expander)
  if (operation.type === 'Transform' && operation.operand.text === 'P')
    for (const value of valuesOfName(parameter, state)) expander.runExpanded(value)
  if (operation.type !== 'Default') return changedPieces(part, isQuoted, state)
  const values = variablePieces(parameter, isQuoted, state)
  const isSet = variable !== undefined || (/^\d+$/.test(parameter) && state.positional.value !== null)
  if (operation.operator.endsWith('?')) return values
  if (operation.operator.endsWith('+')) return isSet ? operand : [[literal('')], ...operand]
  if (operation.operator.endsWith('=') && !isSet)
    expander.setVariable(parameter, { kind: 'scalar', values: [...operand.map(joinPieces), arg(unknownMark)] })
  const isEmpty = values.some((pieces) => pieces.every(({ text }) => text === ''))
  return isSet && !isEmpty ? values : [...values, ...operand].slice(0, alternativesMax)
}

/** The word behind `:-` and the like; of other operations only what they run counts. */
function operandOf(part: ParameterExpansionPart, source: string, expander: Expander, isQuoted: boolean) {
  const { operation } = part
  if (operation?.type === 'Default' && operation.operand.parts !== undefined)
    return piecesOf(operation.operand.parts, source, expander, isQuoted)
  if (operation?.type === 'Default')
    return [[{ ...literal(plainWord(operation.operand, expander.state).text), isSplit: !isQuoted, isQuoted }]]
  if (operation !== undefined) runNested(operation, source, expander)
  return []
}

function indirectPieces({ parameter, operation }: ParameterExpansionPart, isQuoted: boolean, state: PolicyState) {
  const [name, ...others] = valuesOfName(parameter, state)
  if (name === undefined || others.length > 0 || !isStatic(name) || operation !== undefined)
    return [[{ ...literal(unknownMark), isQuoted }]]
  return variablePieces(name.text, isQuoted, state)
}

function elementPieces(
  elements: readonly Arg[] | null,
  index: string,
  isQuoted: boolean,
): readonly (readonly Piece[])[] {
  if (index === '@' || index === '*') return [manyPieces(elements, index === '@', isQuoted)]
  const element = /^\d+$/.test(index) ? elements?.[Number(index)] : undefined
  if (elements !== null && element === undefined && elements.length > 0)
    return elements
      .slice(0, alternativesMax)
      .map(({ text, taint, isGlob }) => [{ text, taint, isGlob, isSplit: !isQuoted, isQuoted }])
  return [[{ ...literal(element?.text ?? unknownMark), taint: element?.taint ?? 0, isSplit: !isQuoted, isQuoted }]]
}

/** Cut and changed in case, where that is plain; everything else cannot be known. */
function changedPieces(
  part: ParameterExpansionPart,
  isQuoted: boolean,
  state: PolicyState,
): readonly (readonly Piece[])[] {
  const { parameter, operation } = part
  return valuesOfName(parameter, state).map((value) => {
    const text = isStatic(value) ? changed(value.text, operation) : unknownMark
    return [{ text, taint: value.taint, isGlob: false, isSplit: !isQuoted, isQuoted }]
  })
}

function joinPieces(pieces: readonly Piece[]): Arg {
  return {
    text: bounded(pieces.map(({ text }) => text).join('')),
    taint: pieces.reduce((all, { taint }) => all | taint, 0),
    isGlob: pieces.some(({ isGlob }) => isGlob),
  }
}

const blank = /[ \t\n]+/

function fieldsOf(pieces: readonly Piece[]): readonly Arg[] {
  const fields: Piece[][] = []
  let current: Piece[] = []
  const endField = () => {
    if (current.length > 0) fields.push(current)
    current = []
  }
  for (const piece of pieces) {
    if (piece.startsField && current.some((one) => one.startsField || one.text !== '')) endField()
    const words = piece.isSplit ? piece.text.split(blank) : [piece.text]
    for (const [index, text] of words.entries()) {
      if (index > 0) endField()
      if (text !== '' || piece.isQuoted) current.push({ ...piece, text })
    }
  }
  endField()
  return fields.map(joinPieces)
}
