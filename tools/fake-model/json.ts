/** Reads JSON of unknown form: missing values are absent, and nothing throws. */

import { randomUUID } from 'node:crypto'

export const at = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Reflect.get(value, key) : undefined

export function listAt(value: unknown, key: string): readonly unknown[] {
  const found = at(value, key)
  return Array.isArray(found) ? found : []
}

export function textAt(value: unknown, key: string): string {
  const found = at(value, key)
  return typeof found === 'string' ? found : ''
}

/** The text of a message's content at any depth; other values stay JSON. */
export function textOf(content: unknown): string {
  if (content === null || content === undefined) return ''
  if (typeof content === 'string') return content
  if (Array.isArray(content)) return content.map(textOf).filter(Boolean).join('\n')
  const text = at(content, 'text') ?? at(content, 'output')
  if (typeof text === 'string') return text
  const inner = at(content, 'content')
  return inner === undefined ? JSON.stringify(content) : textOf(inner)
}

/** A text in pieces of `size` characters; one piece for 0, none for an empty text. */
export function piecesOf(text: string, size: number): readonly string[] {
  const characters = [...text]
  if (size === 0 || characters.length <= size) return text === '' ? [] : [text]
  const count = Math.ceil(characters.length / size)
  return Array.from({ length: count }, (_, index) => characters.slice(index * size, (index + 1) * size).join(''))
}

export const shortId = (): string => randomUUID().replaceAll('-', '').slice(0, 24)
