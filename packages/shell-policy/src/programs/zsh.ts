/** The builtins of zsh that other shells do not have, and functions that zsh includes. */

import type { Program, Programs } from '../walk/shell.ts'
import { joinedArgs, nothing } from '../walk/value.ts'
import { readOptions, valuesOf } from './options.ts'
import { textPrograms } from './text.ts'

const emulate: Program = ({ args, stdin }, shell) => {
  for (const code of valuesOf(readOptions(args, { valued: 'c o' }), 'c')) shell.runCode(code, { stdin })
  return nothing
}

const repeat: Program = ({ args, stdin }, shell) => {
  const words = args.slice(1).filter(({ text }) => text !== '{' && text !== '}')
  return words.length === 0 ? nothing : shell.run(words, stdin)
}

/** `sched +0:01 CMD`: later, at a prompt. */
const later: Program = ({ args }, shell) => {
  if (args.length > 1) shell.subshell().runCode(joinedArgs(args.slice(1)))
  return nothing
}

/** `zargs -- WORDS -- CMD`. */
const wordsToCommand: Program = ({ args, stdin }, shell) => {
  const first = args.findIndex(({ text }) => text === '--')
  const second = args.findIndex(({ text }, index) => index > first && text === '--')
  if (first < 0 || second < 0) return nothing
  return shell.run([...args.slice(second + 1), ...args.slice(first + 1, second)], stdin)
}

/** `add-zsh-hook precmd FUNCTION`: the shell calls it automatically from now on. */
const hook: Program = ({ args }, shell) => {
  const { operands, flags } = readOptions(args)
  const [, called] = operands
  if (flags.has('d') || flags.has('D')) shell.report('Q2', 'self-tampering')
  if (called === undefined || flags.has('d') || flags.has('D')) return nothing
  shell.report('Q2', 'shadowing')
  return shell.subshell().run([called], nothing)
}

/** `print -z TEXT` leaves a line that only waits for Enter. */
const print: Program = (call, shell) => {
  const { flags, operands } = readOptions(call.args, { valued: 'u f C x X' })
  // With the option prompt_subst it runs the substitutions in its text.
  if (flags.has('P') && operands.some(({ text }) => /[$`]/.test(text))) shell.report('Q2', 'unresolved')
  if (flags.has('z')) return shell.subshell().runCode(joinedArgs(operands))
  return textPrograms['print']?.(call, shell) ?? nothing
}

export const zshPrograms: Programs = {
  emulate,
  repeat,
  sched: later,
  zargs: wordsToCommand,
  'add-zsh-hook': hook,
  print,
  // Traffic over its connection is not followed.
  ztcp: (_call, shell) => {
    shell.report('Q2', 'remote-code')
    return nothing
  },
}
