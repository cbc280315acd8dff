import type { Assignment, Command } from 'unbash'

/** What of a command is looked at besides its redirections. */
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
