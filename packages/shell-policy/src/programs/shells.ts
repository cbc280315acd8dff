/** Shells: where they take their program from decides. */

import { zshToBash } from '../lex/zsh.ts'
import { type Call, type Program, type Programs, programsNamed, type Shell } from '../walk/shell.ts'
import { arg, asStream, hasTaint, isStatic, nothing, type Stream, taints, unknownStream } from '../walk/value.ts'
import { sourced } from './builtins.ts'
import { hasFlag, readOptions, valuesOf } from './options.ts'
import { isStdin } from './reading.ts'
import { windowsShells } from './windows-shells.ts'

const shell: Program = (call, evaluation) => {
  const options = readOptions(call.args, { valued: 'o O rcfile init-file', stopsAtOperand: true })
  for (const file of valuesOf(options, 'rcfile', 'init-file')) runScriptFile(file, call, evaluation)
  const hasCode = options.flags.has('c') || call.args.some(({ text }) => /^-[a-z]*c[a-z]*$/.test(text))
  if (hasCode) {
    const [code, zero, ...positional] = options.operands
    if (code === undefined) return unknownStream()
    const inner = evaluation.subshell().within(zero === undefined ? {} : { zero })
    const text = call.name === 'zsh' ? zshToBash(code.text, evaluation.state) : code.text
    return inner.runCode({ ...code, text }, { stdin: call.stdin, positional })
  }
  const [script, ...positional] = options.operands
  if (script !== undefined && !options.flags.has('s') && !isStdin(script.text))
    return runScriptFile(script, { ...call, args: positional }, evaluation)
  if (call.readsTerminal || call.stdin === nothing) return nothing
  return runStdin(call.stdin, positional, evaluation)
}

function runStdin(stdin: Stream, positional: Call['args'], evaluation: Shell): Stream {
  if (hasTaint(stdin, taints.network)) evaluation.report('D2', 'remote-code')
  return evaluation.subshell().runCode({ text: stdin.text, taint: stdin.taint, isGlob: false }, { positional })
}

/** `bash FILE`: a script named in full is just a script, unless its text is known or came from elsewhere. */
function runScriptFile(script: Parameters<typeof sourced>[0], { args, stdin }: Call, evaluation: Shell): Stream {
  if (/^https?:\/\//.test(script.text)) evaluation.report('D2', 'remote-code')
  const isWritten = evaluation.state.files.has(evaluation.resolve(script.text) ?? '')
  if (!isStatic(script) && !isWritten && script.taint === taints.none) evaluation.report('Q2', 'unresolved')
  const content = sourced(script, stdin, evaluation)
  if (content === null) return unknownStream()
  return evaluation.subshell().runFile(script, content, { stdin, positional: args })
}

const fishShell: Program = (call, evaluation) => {
  const options = readOptions(call.args, { valued: 'c command C init-command', stopsAtOperand: true })
  for (const code of valuesOf(options, 'c', 'command', 'C', 'init-command'))
    evaluation.subshell().runCode(code, { stdin: call.stdin })
  if (hasFlag(options, 'c', 'command')) return unknownStream()
  return shell({ ...call, args: options.operands }, evaluation)
}

/** `at`, `batch`: what they read runs later. */
const later: Program = ({ args, stdin, readsTerminal }, evaluation) => {
  const options = readOptions(args, { valued: 'f q t' })
  if (hasFlag(options, 'l', 'c')) return unknownStream()
  evaluation.report('Q2', 'persistence')
  if (!readsTerminal) evaluation.subshell().runCode({ text: stdin.text, taint: stdin.taint, isGlob: false })
  return nothing
}

const crontab: Program = ({ args, stdin }, evaluation) => {
  const options = readOptions(args, { valued: 'u' })
  if (hasFlag(options, 'l')) return unknownStream()
  evaluation.report('Q2', 'persistence')
  for (const line of stdin.text.split('\n').slice(0, 100)) {
    const command = /^\s*(?:@\w+|(?:[^\s=]+\s+){5})(.+)$/.exec(line)
    if (command?.[1] !== undefined)
      evaluation.subshell().runCode({ ...asStream(arg(command[1])), isGlob: false, taint: stdin.taint })
  }
  return nothing
}

export const shells: Programs = {
  ...programsNamed('sh bash zsh dash ksh mksh ash rbash csh tcsh yash', shell),
  fish: fishShell,
  ...windowsShells,
  ...programsNamed('at batch', later),
  crontab,
}
