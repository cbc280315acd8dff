/** `${x%.ts}`, `${x/a/b}`, `${x:0:3}`, `${x^^}`: what becomes of a value that is known. */

import type { ParameterOperation, ParameterRemoveOperation, Word } from 'unbash'
import { unknownMark } from './value.ts'

const lengthMax = 1_000 // characters of a value that patterns are held against

/** Returns the value afterwards; a stand-in where the operation is not known well enough. */
export function changed(text: string, operation: ParameterOperation | undefined): string {
  if (text.length > lengthMax) return unknownMark
  switch (operation?.type) {
    case 'Slice': {
      const from = operation.offset.text
      const length = operation.length?.text ?? `${text.length}`
      return /^ ?-?\d+$/.test(from) && /^\d+$/.test(length)
        ? text.slice(Number(from)).slice(0, Number(length))
        : unknownMark
    }
    case 'CaseModification':
      return operation.operand === undefined ? inCase(text, operation.operator) : unknownMark
    case 'Remove':
      return without(text, operation) ?? unknownMark
    case 'Replace':
      return replaced(text, operation.operator, operation.pattern, operation.replacement) ?? unknownMark
    default:
      return unknownMark
  }
}

function inCase(text: string, operator: '^' | '^^' | ',' | ',,'): string {
  if (operator === '^^') return text.toUpperCase()
  if (operator === ',,') return text.toLowerCase()
  const first = text.slice(0, 1)
  return (operator === '^' ? first.toUpperCase() : first.toLowerCase()) + text.slice(1)
}

/** A pattern of plain characters, `?`, and not more than one `*`; null for any other. */
function expressionOf({ text }: Word, star = '.*'): string | null {
  if (!isPlain(text) || text.split('*').length > 2) return null
  return text
    .replace(/[.+^|]/g, '\\$&')
    .replaceAll('?', '.')
    .replaceAll('*', star)
}

const isPlain = (text: string) => /^[^$`'"\\[\](){}~]*$/.test(text)

/** `#` and `%` take away as little as they can, `##` and `%%` as much. */
function without(text: string, { operator, operand }: ParameterRemoveOperation): string | null {
  const isLeast = operator.length === 1
  const expression = expressionOf(operand, isLeast ? '.*?' : '.*')
  if (expression === null) return null
  if (operator.startsWith('#')) return text.replace(new RegExp(`^${expression}`, 's'), '')
  return text.replace(new RegExp(`^(.*${isLeast ? '' : '?'})${expression}$`, 's'), '$1')
}

function replaced(text: string, operator: string, pattern: Word, { text: replacement }: Word): string | null {
  const expression = expressionOf(pattern)
  if (expression === null || expression === '' || !isPlain(replacement) || replacement.includes('&')) return null
  const placed = operator === '/#' ? `^${expression}` : operator === '/%' ? `${expression}$` : expression
  return text.replace(new RegExp(placed, operator === '//' ? 'gs' : 's'), () => replacement)
}
