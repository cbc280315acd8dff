/**
 * Regular expressions whose time is linear in the length of the text, for every expression.
 *
 * All ways in which an expression may match are followed together, one character after the other. Sets of them that were met before are kept
 * as states, so that most characters cost one look-up. Matching leaves nothing behind that changes an answer.
 */

import { type ExpressionProgram, type Instruction, programOf } from './expression-program.ts'
import { type Edge, type ExpressionNode, parseExpression, type Range } from './expression-syntax.ts'

/** The remaining budget for texts and for uncached steps; all expressions of one judgement share it. */
export interface Work {
  left: number
}

export const workMax = 1_500_000 // for one line: some 100 ms on the worst text there is

interface ExpressionOptions {
  /** Letters of `g`, `i`, `m`, `s`, `u` and `y`. */
  readonly flags?: string
  /** The expression must match all of the text. */
  readonly isWhole?: boolean
}

export interface Expression {
  /** Whether it matches anywhere; null when that takes more work than is left. */
  readonly test: (text: string, work: Work) => boolean | null
}

/** The expression, or what is wrong with it. */
export function compileExpression(
  source: string,
  { flags = '', isWhole = false }: ExpressionOptions = {},
): Expression | { readonly problem: string } {
  const inline = /^\(\?([ims]+)\)/.exec(source)
  const all = flags + (inline?.[1] ?? '')
  const own = source.slice(inline?.[0].length ?? 0)
  const unknown = /[^gimsuy]/.exec(all)
  if (unknown !== null) return { problem: `the flag ${unknown[0]}; there are i, m and s` }
  const parsed = parseExpression(isWhole ? `^(?:${own})$` : own, {
    ignoresCase: all.includes('i'),
    isMultiline: all.includes('m') && !isWhole,
    dotMatchesAll: all.includes('s'),
  })
  if ('problem' in parsed) return parsed
  const program = programOf(parsed.node)
  return program === null
    ? { problem: 'too large: its repetitions make it long' }
    : new Matcher(program, requiredText(parsed.node))
}

/** The text next to a position. */
type Side = 'nothing' | 'lineEnd' | 'word' | 'other'

interface State {
  readonly at: readonly number[]
  readonly before: Side
  /** The next states by character code. */
  readonly next: Map<number, State>
}

const statesMax = 300 // kept of one expression; then it begins anew

class Matcher implements Expression {
  readonly #program: ExpressionProgram
  readonly #states = new Map<string, State>()
  #transitions = 0

  readonly #required: string

  constructor(program: ExpressionProgram, required: string) {
    this.#program = program
    this.#required = required
  }

  test(text: string, work: Work): boolean | null {
    if (!text.includes(this.#required) && !text.toLowerCase().includes(this.#required)) return false
    work.left -= text.length >> 4
    if (work.left < 0) return null
    let state = this.#stateOf([], 'nothing')
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      let next = state.next.get(code)
      if (next === undefined) {
        work.left -= this.#program.instructions.length
        if (work.left < 0) return null
        next = this.#step(state, code)
      }
      if (next === matched) return true
      state = next
    }
    return this.#closure(state, 'nothing').isMatch
  }

  #step(state: State, code: number): State {
    const after = sideOf(code)
    const { isMatch, sets } = this.#closure(state, after)
    const next = isMatch ? matched : this.#stateOf(landings(sets, code), after)
    // The states of a text that is unlike any other are not worth keeping.
    if (++this.#transitions > statesMax * 16) {
      this.#transitions = 0
      this.#states.clear()
    }
    state.next.set(code, next)
    return next
  }

  #stateOf(at: readonly number[], before: Side): State {
    const key = `${before} ${at.join(',')}`
    const known = this.#states.get(key)
    if (known !== undefined) return known
    if (this.#states.size >= statesMax) this.#states.clear()
    const state: State = { at, before, next: new Map() }
    this.#states.set(key, state)
    return state
  }

  /** All steps that can be reached without a character. A match may begin anywhere. */
  #closure({ at, before }: State, after: Side): { readonly isMatch: boolean; readonly sets: readonly SetStep[] } {
    const { instructions, start } = this.#program
    const [open, seen, sets]: [number[], Set<number>, SetStep[]] = [[start, ...at], new Set(), []]
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (seen.has(index)) continue
      seen.add(index)
      const step = instructions[index]
      if (step === undefined) continue
      if (step.op === 'match') return { isMatch: true, sets: [] }
      if (step.op === 'set') sets.push(step)
      else if (step.op === 'fork') open.push(step.next, step.other)
      else if (isEdge(step.of, before, after)) open.push(step.next)
    }
    return { isMatch: false, sets }
  }
}

type SetStep = Extract<Instruction, { readonly op: 'set' }>

const matched: State = { at: [], before: 'nothing', next: new Map() }

function landings(sets: readonly SetStep[], code: number): readonly number[] {
  const found = sets.filter(({ ranges }) => holds(ranges, code)).map(({ next }) => next)
  return [...new Set(found)].sort((one, other) => one - other)
}

function holds(ranges: readonly Range[], code: number): boolean {
  for (const [from, to] of ranges) if (code >= from && code <= to) return true
  return false
}

function sideOf(code: number): Side {
  if (code === 10 || code === 13 || code === 0x2028 || code === 0x2029) return 'lineEnd'
  const isWord = (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
  return isWord ? 'word' : 'other'
}

function isEdge(edge: Edge, before: Side, after: Side): boolean {
  switch (edge) {
    case 'start':
      return before === 'nothing'
    case 'end':
      return after === 'nothing'
    case 'lineStart':
      return before === 'nothing' || before === 'lineEnd'
    case 'lineEnd':
      return after === 'nothing' || after === 'lineEnd'
    case 'word':
      return (before === 'word') !== (after === 'word')
    case 'notWord':
      return (before === 'word') === (after === 'word')
  }
}

// The longest text without which an expression cannot match: looking for it first is many times faster, and mostly it is not there.

/** Returns a required text in small letters; empty when there is none. The search ignores case. */
function requiredText(node: ExpressionNode): string {
  const found: string[] = ['']
  let run = ''
  const end = () => {
    found.push(run)
    run = ''
  }
  const visit = (one: ExpressionNode): void => {
    // An edge takes no character, so it interrupts nothing.
    if (one.kind === 'edge') return
    if (one.kind === 'sequence') {
      for (const part of one.parts) visit(part)
      return
    }
    const character = one.kind === 'set' ? onlyCharacter(one.ranges) : null
    if (character !== null) {
      run += character
      return
    }
    end()
    if (one.kind === 'repeat' && one.min > 0) {
      visit(one.part)
      end()
    }
  }
  visit(node)
  end()
  return found.reduce((longest, one) => (one.length > longest.length ? one : longest))
}

/** ASCII alone: other letters change their number with their case. */
function onlyCharacter(ranges: readonly Range[]): string | null {
  const characters = new Set(
    ranges.map(([from, to]) => (from === to && from < 128 ? String.fromCharCode(from).toLowerCase() : '')),
  )
  const [only = ''] = characters
  return characters.size === 1 && only !== '' ? only : null
}
