/** Instructions with answers in them. What another agent has written is data, and is marked as such. */

import { markedText } from '@agentpty/protocol/agents'

const placeholder = /\{\{\s*([\w-]+)(?:\.([\w-]+))?\s*\}\}/g

export interface Names {
  /** Steps whose answers are used. */
  readonly outputs: readonly string[]
  readonly given: readonly string[]
  /** Whatever else stands in braces. */
  readonly others: readonly string[]
}

export function namesIn(text: string): Names {
  const [outputs, given, others]: [string[], string[], string[]] = [[], [], []]
  for (const [, name = '', field] of text.matchAll(placeholder)) {
    if (field === 'output') outputs.push(name)
    else if (name === 'inputs' && field !== undefined) given.push(field)
    else others.push(field === undefined ? name : `${name}.${field}`)
  }
  return { outputs, given, others }
}

export interface Filling {
  readonly outputOf: (step: string) => string
  readonly inputs: Readonly<Record<string, string>>
  readonly item: string | null
}

/** In one pass: what is put in is not looked through again. */
export function fill(text: string, { outputOf, inputs, item }: Filling): string {
  return text.replaceAll(placeholder, (_whole, name: string, field?: string) => {
    if (field === 'output') return markedText(outputOf(name), `the answer of the step ${name}`)
    if (name === 'inputs') return inputs[field ?? ''] ?? ''
    return item === null ? '' : markedText(item, 'an item')
  })
}
