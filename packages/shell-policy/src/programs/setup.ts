/** Tools whose output is made to be evaluated by a shell. */

import type { Program, Programs } from '../walk/shell.ts'
import { joinedArgs, taints, textStream, unknownMark } from '../walk/value.ts'
import { runPlain } from './reading.ts'
import { wrappers } from './wrappers.ts'

const setupTable: Readonly<Record<string, RegExp>> = {
  'ssh-agent': /^(-[sc]|)$/,
  direnv: /^(hook|export) /,
  pyenv: /^(init|virtualenv-init)\b/,
  rbenv: /^init\b/,
  nodenv: /^init\b/,
  jenv: /^init\b/,
  goenv: /^init\b/,
  fnm: /^env\b/,
  brew: /^shellenv\b/,
  minikube: /^(-p \S+ )?docker-env\b/,
  dircolors: /^/,
  zoxide: /^init\b/,
  starship: /^init\b/,
  mise: /^activate\b/,
  opam: /^env\b/,
  keychain: /--eval/,
  thefuck: /--alias/,
  atuin: /^init\b/,
}

const setup: Program = (call, shell) => {
  const line = joinedArgs(call.args).text
  if (setupTable[call.name]?.test(line) && !line.includes(unknownMark)) return textStream(unknownMark, taints.setup)
  return (wrappers[call.name] ?? runPlain)(call, shell)
}

export const setupPrograms: Programs = Object.fromEntries(Object.keys(setupTable).map((name) => [name, setup]))
