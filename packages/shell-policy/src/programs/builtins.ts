/** Builtins that change the shell itself. */

import { normalPath } from '../places/paths.ts'
import { isShellHook } from '../walk/assignments.ts'
import { valuesOfName, variableOf } from '../walk/evaluated-values.ts'
import { type Program, type Programs, programsNamed, type Shell } from '../walk/shell.ts'
import {
  type Arg,
  arg,
  isKnown,
  isStatic,
  joinedArgs,
  nothing,
  type Stream,
  someMark,
  textStream,
  unknownMark,
  unknownStream,
} from '../walk/value.ts'
import { hasFlag, readOptions, valuesOf } from './options.ts'
import { always, isExistingCommand, isStdin } from './reading.ts'

const cd: Program = ({ args }, shell) => {
  const { state } = shell
  const [target] = args.filter(({ text }) => !/^-[LPe@]+$|^--$/.test(text))
  if (target === undefined) goTo(state.home, shell)
  else goTo(target.text === '-' ? state.previousCwd.value : shell.resolve(target.text), shell)
  return nothing
}

function goTo(folder: string | null, { state }: Shell): void {
  state.previousCwd.value = state.cwd.value
  state.cwd.value = folder
}

const declare: Program = ({ name, args }, shell) => {
  if (args.some(({ text }) => /^-[a-zA-Z]*p/.test(text)) || args.length === 0) return unknownStream(4)
  const has = (letter: string) =>
    name !== 'export' && args.some(({ text }) => /^-[a-zA-Z]+$/.test(text) && text.includes(letter))
  for (const { text, taint, isGlob } of args) {
    const equals = text.indexOf('=')
    if (/^[-+]/.test(text) || equals === 0) continue
    const variable = (equals < 0 ? text : text.slice(0, equals)).replace(/\+$/, '')
    const value = { text: text.slice(equals + 1), taint, isGlob }
    if (has('i') && variableOf(variable, shell.state)?.kind !== 'array')
      shell.state.variables.set(variable, {
        kind: 'scalar',
        values: valuesOfName(variable, shell.state),
        isInteger: true,
      })
    if (equals < 0) continue
    if (!has('n')) shell.assign(variable, value)
    else if (isStatic(value)) shell.setVariable(variable, { kind: 'reference', name: value.text })
    else shell.report('Q2', 'unresolved')
  }
  return nothing
}

const set: Program = ({ args }, shell) => {
  const from = args.findIndex(({ text }) => text === '--' || !/^[-+]/.test(text))
  if (args.length === 0) return unknownStream(4)
  // `set -o NAME` takes a word that is no argument.
  if (from < 0 || /^[-+]\w*o$/.test(args[from - 1]?.text ?? '')) return nothing
  shell.state.positional.value = args.slice(args[from]?.text === '--' ? from + 1 : from)
  return nothing
}

const shift: Program = ({ args }, shell) => {
  const { positional } = shell.state
  if (positional.value !== null) positional.value = positional.value.slice(Number(args[0]?.text ?? 1) || 1)
  return nothing
}

const alias: Program = ({ args }, shell) => {
  const isGlobal = args.some(({ text }) => /^-[a-z]*g/.test(text))
  for (const { text, taint } of args) {
    const equals = text.indexOf('=')
    if (text.startsWith('-') || equals < 1) continue
    const name = text.slice(0, equals)
    const body = text.slice(equals + 1)
    if (!isKnown({ text: body })) shell.report('Q2', 'unresolved')
    if (isExistingCommand(name) || isGlobal) shell.report('Q2', 'shadowing')
    // `alias -s txt=CMD` runs it with the files that are named like a command.
    if (args.some((one) => /^-[a-z]*s/.test(one.text)))
      shell.subshell().runCode({ ...nothing, isGlob: false, text: body, taint })
    const table = isGlobal ? shell.state.globalAliases : shell.state.aliases
    table.set(name, body)
  }
  return nothing
}

const unset: Program = ({ args }, shell) => {
  for (const { text } of args) {
    if (isShellHook(text)) shell.report('Q2', 'self-tampering')
    shell.state.functions.delete(text)
    shell.state.variables.set(text, { kind: 'scalar', values: [arg('')] })
  }
  return nothing
}

/** Gives variables what is read: every line of it is possible. */
const read: Program = ({ args, stdin }, shell) => {
  const { operands, flags, values } = readOptions(args, { valued: 'd i n N p t u a' })
  const descriptor = values.get('u')?.[0]?.text
  const input = (descriptor === undefined ? undefined : shell.state.descriptors.get(Number(descriptor))) ?? stdin
  const names = [...operands.map(({ text }) => text), ...(values.get('a') ?? []).map(({ text }) => text)]
  const lines =
    isKnown(input) && input.text !== ''
      ? input.text
          .split('\n')
          .filter((line) => line !== '')
          .slice(0, 8)
      : [unknownMark]
  const separators = valuesOfName('IFS', shell.state)
  const words = (line: string) => split(line, separators)
  for (const [index, name] of (names.length > 0 ? names : ['REPLY']).entries()) {
    const isLast = index === names.length - 1
    const texts = lines.map((line) =>
      names.length < 2 ? line : isLast ? words(line).slice(index).join(' ') : (words(line)[index] ?? ''),
    )
    const known: Arg[] = [
      ...(input.listed ?? []),
      ...texts.map((text) => ({ text, taint: input.taint, isGlob: false })),
    ]
    shell.setVariable(
      name,
      flags.has('a')
        ? { kind: 'array', elements: known.flatMap((one) => words(one.text).map((text) => ({ ...one, text }))) }
        : { kind: 'scalar', values: known.slice(0, 8) },
    )
  }
  return nothing
}

/** Splits at the characters of IFS; the result is an unknown word where IFS is unknown. */
function split(line: string, separators: readonly Arg[]): readonly string[] {
  const [only] = separators
  if (separators.length !== 1 || only === undefined || !isStatic(only)) return [unknownMark]
  if (only.text === '') return [line]
  return line.split(only.text === ' \t\n' ? /\s+/ : new RegExp(`[${only.text.replace(/[\]\\^-]/g, '\\$&')}]`))
}

const evaluate: Program = ({ args, stdin }, shell) =>
  args.length === 0 ? nothing : shell.runCode(joinedArgs(args), { stdin })

/** `. FILE`: a file named in full is just a file; what has come about on the way is judged. */
const source: Program = ({ args, stdin }, shell) => {
  const [path, ...positional] = args.filter(({ text }) => text !== '--')
  if (path === undefined) return nothing
  const content = sourced(path, stdin, shell)
  if (content === null) return unknownStream()
  return shell.runFile(path, content, positional.length > 0 ? { stdin, positional } : { stdin })
}

/** Returns the stream that a shell reads as its program; null for a file with unknown content. */
export function sourced(path: Arg, stdin: Stream, shell: Shell): Stream | null {
  if (isStdin(path.text)) return stdin === nothing ? textStream(unknownMark) : stdin
  const resolved = shell.resolve(path.text)
  const known = resolved === null ? undefined : shell.state.files.get(resolved)
  if (known !== undefined && !path.isGlob) return known
  if (resolved === null || path.isGlob || !isStatic(path)) return textStream(unknownMark, path.taint)
  if (
    shell.state.fetchedFolders.some((folder) => resolved === folder || resolved.startsWith(`${normalPath(folder)}/`))
  ) {
    shell.report('Q2', 'remote-code')
    return null
  }
  if (/^\/dev\/(tcp|udp)\//.test(resolved)) return textStream(unknownMark, 1)
  return resolved.startsWith('/dev/') ? textStream(unknownMark) : null
}

const trap: Program = ({ args }, shell) => {
  const [action, ...signals] = args.filter(({ text }) => !/^-[lp]$|^--$/.test(text))
  if (action === undefined || signals.length === 0 || action.text === '-' || action.text === '') return nothing
  shell.subshell().runCode(action)
  return nothing
}

/** `exec CMD`, `command CMD`, `builtin CMD`. */
const passOn: Program = ({ name, args, stdin }, shell) => {
  const { operands, flags } = readOptions(args, { valued: name === 'exec' ? 'a' : '', stopsAtOperand: true })
  if (name === 'command' && (flags.has('v') || flags.has('V'))) return textStream(`${operands[0]?.text ?? ''}\n`)
  if (operands.length === 0) return nothing
  // `command` and `builtin` pass functions and aliases by.
  return (name === 'exec' ? shell : shell.within({ functions: new Map() })).run(operands, stdin)
}

const redefine: Program = ({ name, args }, shell) => {
  const options = readOptions(args, {
    valued: name === 'hash' ? 'p t' : name === 'bind' ? 'f q r u x m' : 'A C F G P S W X o',
  })
  const isChange =
    name === 'hash'
      ? hasFlag(options, 'p') || (!options.flags.has('d') && options.operands.some(({ text }) => text.includes('=')))
      : name === 'bind'
        ? options.operands.length > 0 || hasFlag(options, 'x', 'f', 'r', 'u')
        : hasFlag(options, 'C', 'F')
  if (isChange) shell.report('Q2', 'shadowing')
  // bash expands these words when they are completed.
  if (name === 'compgen' || name === 'complete')
    for (const words of valuesOf(options, 'W')) if (isKnown(words)) shell.runExpanded(words)
  for (const code of [...(options.values.get('C') ?? []), ...(options.values.get('x') ?? [])]) {
    const text = code.text.replace(/^[^:]*:\s*/, '').replace(/^"(.*)"$/s, '$1')
    shell.subshell().runCode({ ...code, text: name === 'bind' ? text : code.text })
  }
  return nothing
}

/** `mapfile -C CODE`: run for the lines that it reads. */
const readLines: Program = (call, shell) => {
  const options = readOptions(call.args, { valued: 'd n O s u C c' })
  for (const code of valuesOf(options, 'C')) shell.subshell().runCode(code)
  return read({ ...call, args: [arg('-a'), options.operands[0] ?? arg('MAPFILE')] }, shell)
}

export const builtins: Programs = {
  ...programsNamed('cd pushd', cd),
  popd: (_call, shell) => {
    goTo(shell.state.previousCwd.value, shell)
    return nothing
  },
  ...programsNamed('export declare typeset local readonly', declare),
  set,
  shift,
  alias,
  unalias: ({ args }, shell) => {
    for (const { text } of args) shell.state.aliases.delete(text)
    if (args.some(({ text }) => text === '-a')) shell.state.aliases.clear()
    return nothing
  },
  ...programsNamed('unset unfunction', unset),
  getopts: ({ args }, shell) => {
    if (args[1] !== undefined) shell.assign(args[1].text, arg(someMark))
    return nothing
  },
  read,
  ...programsNamed('mapfile readarray', readLines),
  eval: evaluate,
  ...programsNamed('source .', source),
  trap,
  ...programsNamed('exec command builtin noglob nocorrect', passOn),
  ...programsNamed('hash bind complete compgen', redefine),
  bindkey: (call, shell) => {
    const { operands, flags } = readOptions(call.args, { valued: 'M' })
    if (operands.length > 1 || [...flags].some((flag) => !/^[lLM]$/.test(flag))) shell.report('Q2', 'shadowing')
    const text = call.args.at(-1)
    if (call.args.some(({ text: one }) => one === '-s') && text !== undefined)
      shell.subshell().runCode({ ...text, text: text.text.replace(/\\n$|\^M$/, '') })
    return nothing
  },
  compdef: always('Q2', 'shadowing'),
  enable: ({ args }, shell) => {
    if (args.some(({ text }) => text === '-f' || text === '-n')) shell.report('Q2', 'smuggled-exec')
    return nothing
  },
  ...programsNamed(': true false exit return wait sleep', () => nothing),
}
