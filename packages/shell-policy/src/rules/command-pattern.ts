/** Patterns that a person writes to name commands: a shape, or an expression between slashes. */

import { type Arg, someMark, unknownMark } from '../walk/value.ts'
import { compileExpression, type Expression, type Work } from './expression.ts'
import { better, type Fit, fitsWildcard, mayFitWildcard, worse } from './wildcard.ts'

export type CommandPattern =
  | { readonly kind: 'shape'; readonly shape: CommandShape }
  | { readonly kind: 'expression'; readonly expression: Expression }

/** Whether it takes in more than it says (`deny`, `ask`), or is all of a command (`allow`). */
export type Reach = 'wide' | 'whole'

/** `/…/`, or `/…/i` for letters of either case. */
export const expressionText = /^\/(.+)\/(i?)$/s

export function parseCommandPattern(text: string, reach: Reach): CommandPattern | { readonly problem: string } {
  const found = expressionText.exec(text.trim())
  if (found === null) return { kind: 'shape', shape: parseShape(text) }
  const expression = compileExpression(found[1] ?? '', { flags: found[2] ?? '', isWhole: reach === 'whole' })
  return 'problem' in expression ? expression : { kind: 'expression', expression }
}

export interface Command {
  readonly words: readonly Arg[]
  /** Its words, joined by blanks; in the second text, the first word has no folder. */
  readonly texts: readonly string[]
  readonly ignoresCase: boolean
}

/** Null when that takes too much work. */
export function fitsCommand(pattern: CommandPattern, command: Command, reach: Reach, work: Work): Fit | null {
  if (pattern.kind === 'shape')
    return fitsShape(command.words, pattern.shape, { isWhole: reach === 'whole', ignoresCase: command.ignoresCase })
  return fitsTexts(pattern.expression, reach === 'whole' ? command.texts.slice(0, 1) : command.texts, work)
}

/** Null when that takes too much work. */
export function fitsTexts(expression: Expression, texts: readonly string[], work: Work): Fit | null {
  for (const text of texts) {
    const isMatch = expression.test(text, work)
    if (isMatch !== false) return isMatch === null ? null : 'yes'
  }
  return 'no'
}

interface CommandShape {
  readonly words: readonly string[]
}

/**
 * Commands by their words: `npm run *`, `git push`, `docker compose ** down`. In a word `*` means any characters, and `**` alone means any
 * number of words.
 *
 * A shape that forbids or asks also matches longer commands, and commands with options between its words. A shape that allows must match the
 * whole command.
 */
export function parseShape(text: string): CommandShape {
  return { words: text.trim().split(/\s+/) }
}

interface ShapeOptions {
  /** The shape is the whole command. */
  readonly isWhole: boolean
  /** PowerShell and cmd ignore case. */
  readonly ignoresCase?: boolean
}

/**
 * Returns whether a command has this shape. Follows all alternatives together: the cost is that of its words times those of the shape.
 *
 * @example fitsShape([arg('git'), arg('-C'), arg('x'), arg('push')], parseShape('git push'), { isWhole: false }) // 'yes'
 */
export function fitsShape(
  words: readonly Arg[],
  shape: CommandShape,
  { isWhole, ignoresCase = false }: ShapeOptions,
): Fit {
  if (!ignoresCase && isOther(words[0], shape.words[0])) return 'no'
  const given = ignoresCase ? shape.words.map((word) => word.toLowerCase()) : shape.words
  let places: Places = new Map()
  reach(places, { word: 0, isValue: false }, 'yes', given)
  let found: Fit = 'no'
  for (const [index, word] of words.entries()) {
    if (!isWhole) found = better(found, ended(places, given))
    if (found === 'yes' || places.size === 0) return found
    places = after(
      places,
      ignoresCase ? { ...word, text: word.text.toLowerCase() } : word,
      given,
      isWhole ? null : index,
    )
  }
  return better(found, ended(places, given))
}

/** Most shapes are of another program, which is seen without following them. */
function isOther(word: Arg | undefined, wanted = ''): boolean {
  if (word === undefined || wanted.includes('*') || word.isGlob || openParts.test(word.text)) return false
  return word.text !== wanted && !word.text.endsWith(`/${wanted}`)
}

/** The matched part of the shape, and whether the word before was an option, whose value may follow here. */
interface Place {
  readonly word: number
  readonly isValue: boolean
}

/** Positions by their number. */
type Places = Map<number, Fit>

function reach(places: Places, { word, isValue }: Place, fit: Fit, shape: readonly string[]): void {
  if (fit === 'no') return
  const key = word * 2 + (isValue ? 1 : 0)
  places.set(key, better(places.get(key) ?? 'no', fit))
  if (shape[word] === '**') reach(places, { word: word + 1, isValue: false }, fit, shape)
}

function ended(places: Places, shape: readonly string[]): Fit {
  return better(places.get(shape.length * 2) ?? 'no', places.get(shape.length * 2 + 1) ?? 'no')
}

/** `index` is null where nothing may be passed over. */
function after(places: Places, word: Arg, shape: readonly string[], index: number | null): Places {
  const next: Places = new Map()
  for (const [key, fit] of places) {
    const at = key >> 1
    const isValue = (key & 1) === 1
    const wanted = shape[at]
    if (wanted === '**') reach(next, { word: at, isValue: false }, fit, shape)
    else if (wanted !== undefined)
      reach(next, { word: at + 1, isValue: false }, worse(fit, fitOf(word, wanted, index)), shape)
    if (index === null || at === 0) continue
    if (word.text.startsWith('-')) reach(next, { word: at, isValue: true }, fit, shape)
    else if (isValue) reach(next, { word: at, isValue: false }, fit, shape)
    // A fully unknown word may be no word, or several.
    if (word.text === unknownMark)
      for (let later = at; later <= shape.length; later++) reach(next, { word: later, isValue: false }, 'maybe', shape)
  }
  return next
}

const openParts = new RegExp(`[${unknownMark}${someMark}]`)
const openPatterns = new RegExp(`[${unknownMark}${someMark}*?[]`)

function fitOf(word: Arg, wanted: string, index: number | null): Fit {
  if (fitsWildcard(word.text, wanted)) return 'yes'
  // A program is the same by its full path, where that makes it no easier.
  if (index === 0 && fitsWildcard(word.text.slice(word.text.lastIndexOf('/') + 1), wanted)) return 'yes'
  const open = word.isGlob ? openPatterns : openParts
  return index !== null && open.test(word.text) && mayFitWildcard(word.text, wanted, open) ? 'maybe' : 'no'
}
