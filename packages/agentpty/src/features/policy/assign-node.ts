/** `name=value` in a program: what the variable may be from then on. */

import type { ArrayValue, Assignment } from 'unbash'
import { judgeAssignment } from './assignments.ts'
import { type Expander, expandAsOne, expandWords } from './expand.ts'
import type { Shell } from './shell.ts'
import { type Arg, arg, bounded, unknownMark } from './value.ts'

type Assigning = Expander & Shell

export function assignNode({ name, value, append, index }: Assignment, source: string, shell: Assigning): void {
  const { variables } = shell.state
  if (value.type === 'ArrayValue') {
    const elements = elementsOf(value, source, shell)
    const before = variables.get(name)
    variables.set(name, {
      kind: 'array',
      elements: append && before?.kind === 'array' ? [...before.elements, ...elements] : elements,
    })
    return
  }
  const values = expandAsOne(value, source, shell)
  if (index !== undefined) {
    expandAsOne(index, source, shell)
    const before = variables.get(name)
    variables.set(name, {
      kind: 'array',
      elements: [...(before?.kind === 'array' ? before.elements : []), ...values],
    })
    return
  }
  const before = variables.get(name)
  const start = append && before?.kind === 'scalar' ? before.values : [arg(append ? unknownMark : '')]
  const joinedValues = start.flatMap((one) =>
    values.map((two) => ({
      text: bounded(one.text + two.text),
      taint: one.taint | two.taint,
      isGlob: one.isGlob || two.isGlob,
    })),
  )
  for (const one of joinedValues) judgeAssignment(name, one, shell)
  variables.set(name, { kind: 'scalar', values: joinedValues.slice(0, 8) })
}

function elementsOf({ elements }: ArrayValue, source: string, shell: Assigning): readonly Arg[] {
  return (expandWords(elements, source, shell)[0] ?? []).map((one) => ({
    ...one,
    text: one.text.replace(/^\[[^\]]*\]=/, ''),
  }))
}
