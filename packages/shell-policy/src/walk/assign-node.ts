/** `name=value` in a program: what the variable may be from then on. */

import type { ArrayValue, Assignment } from 'unbash'
import { setVariable } from './assignments.ts'
import { variableOf } from './evaluated-values.ts'
import { type Expander, expandAsOne, expandWords } from './expand.ts'
import type { Shell } from './shell.ts'
import { type Arg, arg, bounded, unknownMark } from './value.ts'

type Assigning = Expander & Shell

export function assignNode({ name, value, append, index }: Assignment, source: string, shell: Assigning): void {
  const before = append ? variableOf(name, shell.state) : undefined
  if (value.type === 'ArrayValue') {
    assignArray(name, elementsOf(value, source, shell), before?.kind === 'array' ? before.elements : [], shell)
    return
  }
  const start = before?.kind === 'scalar' ? before.values : [arg(append ? unknownMark : '')]
  const values = expandAsOne(value, source, shell)
  const joinedValues = start.flatMap((one) =>
    values.map((two) => ({
      text: bounded(one.text + two.text),
      taint: one.taint | two.taint,
      isGlob: one.isGlob || two.isGlob,
    })),
  )
  const keys = index === undefined ? [null] : expandAsOne(index, source, shell)
  for (const key of keys)
    setVariable(
      key === null ? name : `${name}[${key.text}]`,
      { kind: 'scalar', values: (key === null ? joinedValues : values).slice(0, 8) },
      shell,
    )
}

const keyed = /^\[([^\]]*)\]=/

/** Elements with keys of their own are assigned one by one as well; in zsh’s special arrays every second element is a key. */
function assignArray(name: string, given: readonly Arg[], before: readonly Arg[], shell: Assigning): void {
  const isOfPairs = /^([gs]?aliases|functions)$/.test(name)
  for (const [index, one] of given.entries()) {
    const key = keyed.exec(one.text)?.[1] ?? (isOfPairs && index % 2 === 1 ? given[index - 1]?.text : undefined)
    if (key === undefined) continue
    setVariable(`${name}[${key}]`, { kind: 'scalar', values: [{ ...one, text: one.text.replace(keyed, '') }] }, shell)
  }
  const elements = given.map((one) => ({ ...one, text: one.text.replace(keyed, '') }))
  setVariable(name, { kind: 'array', elements: [...before, ...elements] }, shell)
}

const elementsOf = ({ elements }: ArrayValue, source: string, shell: Assigning): readonly Arg[] =>
  expandWords(elements, source, shell)[0] ?? []
