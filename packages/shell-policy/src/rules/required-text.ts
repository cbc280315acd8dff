/** The longest text without which an expression cannot match: looking for it first is many times faster, and mostly it is not there. */

import type { Range } from './character-sets.ts'
import type { ExpressionNode } from './expression-syntax.ts'

/** In small letters; empty when there is none. Letters count in either case, so that it is looked for in small letters too. */
export function requiredText(node: ExpressionNode): string {
  const found: string[] = ['']
  let run = ''
  const end = () => {
    found.push(run)
    run = ''
  }
  const visit = (one: ExpressionNode): void => {
    // What takes no character interrupts nothing.
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
