/** Placeholders in what the script says: `{{prompt}}`, `{{last}}`, `{{result.0}}`, `{{results}}`, `{{last:/id=(\w+)/}}`. */

import type { Position } from './position.ts'

const placeholder = /\{\{(last|prompt|results|result\.(\d+))(?::\/((?:[^/\\]|\\.)+)\/([a-z]*))?\}\}/g

/** Fills every string in `value`, at any depth. */
export function fill(value: unknown, position: Position): unknown {
  if (typeof value === 'string') return fillText(value, position)
  if (Array.isArray(value)) return value.map((item) => fill(item, position))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, position)]))
}

export function fillText(text: string, position: Position): string {
  return text.replace(placeholder, (_, what: string, index?: string, pattern?: string, flags?: string) => {
    const source = sourceOf(what, Number(index ?? 0), position)
    if (pattern === undefined) return source
    const found = new RegExp(pattern, flags).exec(source)
    return found?.[1] ?? found?.[0] ?? ''
  })
}

function sourceOf(what: string, index: number, { prompt, results }: Position): string {
  if (what === 'prompt') return prompt
  if (what === 'results') return results.join('\n')
  return (what === 'last' ? results.at(-1) : results[index]) ?? ''
}
