/** Commands that only fish has, and that change later lines or later shells. */

import { isShellHook } from '../walk/assignments.ts'
import type { Program, Programs } from '../walk/shell.ts'
import { arg, isKnown, joinedArgs, nothing, unknownStream } from '../walk/value.ts'
import { builtins } from './builtins.ts'
import { readOptions, valuesOf } from './options.ts'
import { isExistingCommand } from './reading.ts'

const stays: Program = (_call, shell) => {
  shell.report('Q2', 'persistence')
  return nothing
}

/** `abbr -a NAME WORDS…`: typing the name inserts the words. */
const abbreviate: Program = ({ args }, shell) => {
  const options = readOptions(args, {
    valued: 'p position r regex f function set-cursor c command',
    stopsAtOperand: true,
  })
  const [name, ...words] = options.operands
  if (name === undefined || words.length === 0) return unknownStream()
  const body = joinedArgs(words)
  if (!isKnown(body)) shell.report('Q2', 'unresolved')
  if (isExistingCommand(name.text)) shell.report('Q2', 'shadowing')
  shell.state.aliases.set(name.text, body.text)
  return nothing
}

/** Runs the bracketed commands of a completion: they run when a person presses tab. */
const complete: Program = (call, shell) => {
  const options = readOptions(call.args, {
    valued: 'c command p path a arguments n condition d description w wraps s l o',
  })
  const codes = [...valuesOf(options, 'n', 'condition'), ...valuesOf(options, 'a', 'arguments')]
  const isFish = valuesOf(options, 'c', 'command').length > 0
  if (!isFish) return builtins['complete']?.(call, shell) ?? nothing
  shell.report('Q2', 'shadowing')
  for (const { text, taint } of codes)
    for (const [, code = ''] of text.matchAll(/\$?\(([^()]{1,2000})\)/g))
      shell.subshell().runCode({ ...arg(code), taint })
  return nothing
}

/** `bind KEY COMMAND` */
const bindKey: Program = (call, shell) => {
  const output = builtins['bind']?.(call, shell) ?? nothing
  const [key, ...commands] = readOptions(call.args, { valued: 'M m mode sets-mode f q r u x' }).operands
  if (key !== undefined && commands.length > 0) shell.subshell().runCode(joinedArgs(commands))
  return output
}

export const fishPrograms: Programs = {
  abbr: abbreviate,
  complete,
  bind: bindKey,
  functions: ({ args }, shell) => {
    if (args.some(({ text }) => /^-\w*e|^--erase/.test(text)) && args.some(({ text }) => isShellHook(text)))
      shell.report('Q2', 'self-tampering')
    if (args.some(({ text }) => /^-\w*c|^--copy/.test(text)) && isExistingCommand(args.at(-1)?.text ?? ''))
      shell.report('Q2', 'shadowing')
    return unknownStream()
  },
  funcsave: stays,
  fish_universal: stays,
  fish_config: stays,
  fish_add_path: ({ args }, shell) => {
    shell.assign('PATH', joinedArgs(args.filter(({ text }) => !text.startsWith('-')).map((one) => one)))
    shell.report('Q2', 'persistence')
    return nothing
  },
}
