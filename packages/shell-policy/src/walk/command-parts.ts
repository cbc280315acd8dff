import type { Assignment, Command } from 'unbash'
import type { Shell } from './shell.ts'
import { type Arg, hasTaint, isKnown, taints, unknownMark } from './value.ts'

/** The parts of a command that are read besides its redirections. */
export type Parts = Pick<Command, 'prefix' | 'name' | 'args' | 'end'>

/** The parser ends an assignment before `<(…)`, which is its value. To be removed when unbash reads `x=<(…)` as one assignment. */
export function withSubstitutedValue(command: Command): Parts {
  const { prefix, name, args, end } = command
  const last = prefix.at(-1)
  if (last?.type !== 'Assignment' || name === undefined || last.end !== name.pos || !/^[<>]\(/.test(name.text))
    return command
  const [next, ...rest] = args
  const { type, pos, text, append, index } = last
  const whole: Assignment = { type, pos, end: name.end, text, name: last.name, value: name, append, index }
  return { prefix: [...prefix.slice(0, -1), whole], name: next?.type === 'Word' ? next : undefined, args: rest, end }
}

// The text of a program before it is read: its origin, and whether any of it is known.

/** Reports unknown parts of code; returns false where nothing is left to judge. */
export function reportCode(code: Arg, shell: Pick<Shell, 'report'>): boolean {
  if (!isKnown(code)) {
    const isSetup = code.text === unknownMark && code.taint === taints.setup
    if (hasTaint(code, taints.network)) shell.report('D2', 'remote-code')
    else if (hasTaint(code, taints.decoded)) shell.report('D2', 'encoded-payload')
    else if (!isSetup) shell.report('Q2', 'unresolved')
  } else if (hasTaint(code, taints.decoded)) shell.report('D2', 'encoded-payload')
  return code.text !== unknownMark
}
