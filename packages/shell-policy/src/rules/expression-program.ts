/** A parsed expression as a program of small steps; many of them may be active together. */

import type { Edge, ExpressionNode, Range } from './expression-syntax.ts'

export type Instruction =
  | { readonly op: 'set'; readonly ranges: readonly Range[]; readonly next: number }
  | { readonly op: 'edge'; readonly of: Edge; readonly next: number }
  | { op: 'fork'; readonly next: number; other: number }
  | { readonly op: 'match' }

export interface ExpressionProgram {
  readonly instructions: readonly Instruction[]
  readonly start: number
}

/** The bound for one expression: one that a person writes has about 30. */
const instructionsMax = 600

/** Null when it would be too large, as `(a{100}){100}` is. */
export function programOf(node: ExpressionNode): ExpressionProgram | null {
  const instructions: Instruction[] = [{ op: 'match' }]
  const start = add(node, 0, instructions)
  return start === null ? null : { instructions, start }
}

/** Adds the steps that match the node and continue at `next`. Returns where they begin. */
function add(node: ExpressionNode, next: number, to: Instruction[]): number | null {
  if (to.length > instructionsMax) return null
  switch (node.kind) {
    case 'set':
      return to.push({ op: 'set', ranges: node.ranges, next }) - 1
    case 'edge':
      return to.push({ op: 'edge', of: node.of, next }) - 1
    case 'sequence':
      return node.parts.reduceRight<number | null>((at, part) => (at === null ? null : add(part, at, to)), next)
    case 'choice':
      return node.options
        .map((option) => add(option, next, to))
        .reduce((one, other) => (one === null || other === null ? null : fork(one, other, to)))
    case 'repeat':
      return addRepeated(node, next, to)
  }
}

function addRepeated(
  { part, min, max }: Extract<ExpressionNode, { readonly kind: 'repeat' }>,
  next: number,
  to: Instruction[],
): number | null {
  let at: number | null = next
  if (max === null) {
    const loop: Instruction = { op: 'fork', next, other: next }
    at = to.push(loop) - 1
    const body = add(part, at, to)
    if (body === null) return null
    loop.other = body
  } else
    for (let count = min; count < max && at !== null; count++) {
      const body: number | null = add(part, at, to)
      at = body === null ? null : fork(next, body, to)
    }
  for (let count = 0; count < min && at !== null; count++) at = add(part, at, to)
  return at
}

function fork(one: number, other: number, to: Instruction[]): number {
  return to.push({ op: 'fork', next: one, other }) - 1
}
