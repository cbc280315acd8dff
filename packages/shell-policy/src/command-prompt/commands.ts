/** The commands that cmd has itself, and those that run others. */

import {
  goToFolder,
  isWindows,
  isWindowsRoot,
  plainPath,
  readPath,
  removePath,
  writePath,
} from '../places/windows-paths.ts'
import type { PowerShellHost } from '../power-shell/host.ts'
import { mirror, runFetcher } from '../programs/windows-programs.ts'
import { assignVariable } from '../programs/windows-variables.ts'
import {
  type Arg,
  arg,
  hasTaint,
  joined,
  joinedArgs,
  listing,
  nothing,
  type Stream,
  taints,
  textStream,
  unknownMark,
  unknownStream,
} from '../walk/value.ts'

export interface PromptCall {
  /** In small letters. */
  readonly name: string
  readonly args: readonly Arg[]
  /** All behind the name, as it was written. */
  readonly rest: string
  readonly stdin: Stream
}

type PromptProgram = (call: PromptCall, host: PowerShellHost) => Stream

const option = /^\/([a-z?]|a:?[-rhsailo]+|[a-z]{1,4}(:\S*)?|-[a-z])$/i

/** `/s/q C:\` is three words. */
function operands(args: readonly Arg[]): readonly Arg[] {
  return args
    .flatMap((one) => (/^(\/[a-z]){2,}$/i.test(one.text) ? [] : [one]))
    .map((one) => ({ ...one, text: one.text.replace(/^(\/[a-z])+(?=[a-z]:)/i, '').replace(/^[;,]+/, '') }))
    .filter(({ text }) => text !== '' && !option.test(text))
}

const remove: PromptProgram = ({ args, stdin: _ }, host) => {
  const paths = operands(args)
  if (paths.length === 0) host.report('Q2', 'deletion')
  for (const path of paths) removePath(path, host)
  return nothing
}

const transfer =
  (isMove: boolean): PromptProgram =>
  ({ args }, host) => {
    const paths = operands(args)
    const [source, target = arg('.')] = paths
    if (source === undefined) return nothing
    const content = readPath(source, host)
    if (isMove && isWindowsRoot(source.text)) host.report('D2', 'root-wipe')
    const plain = [source, target].map((path) => plainPath(path, host.state.home))
    if (!plain.some(({ text }) => isWindows(text))) return host.run([arg(isMove ? 'mv' : 'cp'), ...plain], nothing)
    if (target.text.startsWith('\\\\') && hasTaint(content, taints.secret)) host.report('D2', 'credential-exfil')
    writePath(target, content, host)
    return nothing
  }

const set: PromptProgram = ({ args, rest, stdin }, host) => {
  if (args.length === 0) return unknownStream(taints.secret)
  const text = rest.trim().replace(/^"(.*)"$/s, '$1')
  const [, flag, name = '', value = ''] = /^(\/[ap]\s+)?([^=]*)=?(.*)$/is.exec(text) ?? []
  if (!text.includes('=')) return unknownStream()
  assignVariable(name.trim(), flag === undefined ? arg(value) : arg(unknownMark, stdin.taint), host)
  return nothing
}

/** Looked at again: what was set on this line counts by now. */
const call: PromptProgram = ({ args }, host) => host.runCommandPrompt(quotedLine(args))

/** `start "title" /b PROGRAM …` */
const start: PromptProgram = ({ args }, host) => {
  let at = 0
  while (
    args[at] !== undefined &&
    (args[at]?.text === '' ||
      /^\/(b|i|min|max|wait|low|normal|high|realtime|abovenormal|belownormal|shared|separate|node|affinity|d\S*)$/i.test(
        args[at]?.text ?? '',
      ))
  )
    at++
  // A first word in quotes is a title; blanks are known no more, so both are looked at.
  const rest = args.slice(at)
  const [first] = rest
  if (first === undefined) return nothing
  const words = /\s/.test(first.text) && rest.length > 1 ? rest.slice(1) : rest
  return host.detached().runCommandPrompt(quotedLine(words))
}

function quotedLine(args: readonly Arg[]): Arg {
  return joinedArgs(args.map((one) => (/[\s&|<>()^]/.test(one.text) ? { ...one, text: `"${one.text}"` } : one)))
}

/** `cmd /c "…"`: the quotes around all of it are not part of it. */
const commandPrompt: PromptProgram = ({ args, rest, stdin }, host) => {
  const found = /(?:^|\s)\/[ckr]\s*(.*)$/is.exec(rest)
  if (found === null)
    return args.length === 0 && stdin !== nothing
      ? host.runCommandPrompt({ text: stdin.text, taint: stdin.taint, isGlob: false })
      : unknownStream()
  return host.runCommandPrompt(arg((found[1] ?? '').trim().replace(/^"(.*)"$/s, '$1')))
}

const echo: PromptProgram = ({ rest }) =>
  textStream(/^(on|off)$/i.test(rest.trim()) ? '' : `${rest.replace(/^[.:]/, '')}\n`)

const read: PromptProgram = ({ args }, host) => joined(operands(args).map((path) => readPath(path, host)))

const dir: PromptProgram = ({ args }) => {
  const paths = operands(args)
  return paths.length === 0 ? listing([arg('*')]) : listing(paths)
}

const forFiles: PromptProgram = ({ args }, host) => {
  const behind = (name: string) => args[args.findIndex(({ text }) => text.toLowerCase() === name) + 1]
  const isGiven = (name: string) => args.some(({ text }) => text.toLowerCase() === name)
  const folder = isGiven('/p') ? (behind('/p')?.text ?? '.') : '.'
  const code = isGiven('/c') ? behind('/c') : undefined
  const found = isWindowsRoot(folder) ? `${folder.replace(/[\\/]+$/, '')}\\*` : unknownMark
  return code === undefined
    ? unknownStream()
    : host.runCommandPrompt({ ...code, text: code.text.replaceAll(/@\w+/g, () => found) })
}

const goTo =
  (program: string): PromptProgram =>
  ({ args }, host) => {
    goToFolder(program, operands(args), host)
    return nothing
  }

const quiet: PromptProgram = () => nothing

export const promptCommands: Readonly<Record<string, PromptProgram>> = {
  rd: remove,
  rmdir: remove,
  del: remove,
  erase: remove,
  copy: transfer(false),
  xcopy: transfer(false),
  move: transfer(true),
  ren: transfer(true),
  rename: transfer(true),
  robocopy: ({ args }, host) => mirror(args, host),
  type: read,
  set,
  call,
  start,
  cmd: commandPrompt,
  echo,
  dir,
  cd: goTo('cd'),
  chdir: goTo('cd'),
  pushd: goTo('pushd'),
  popd: goTo('popd'),
  md: ({ args }, host) => {
    for (const path of operands(args)) writePath(path, nothing, host)
    return nothing
  },
  mkdir: (one, host) => promptCommands['md']?.(one, host) ?? nothing,
  forfiles: forFiles,
  certutil: ({ name, args }, host) => runFetcher(name, args, host),
  bitsadmin: ({ name, args }, host) => runFetcher(name, args, host),
  ...Object.fromEntries(
    'exit cls pause color prompt setlocal endlocal shift goto break verify ver vol title date time'
      .split(' ')
      .map((name) => [name, quiet]),
  ),
  wmic: ({ args, name }, host) => {
    const text = joinedArgs(args).text
    if (/shadowcopy.*delete/i.test(text)) host.report('D2', 'root-wipe')
    else if (/\b(call|create|delete|set)\b/i.test(text)) host.report('Q2', 'unresolved', `${name} ${text}`)
    const at = args.findIndex((one) => /^create$/i.test(one.text))
    const code = args[at + 1]
    return at < 0 || code === undefined ? unknownStream() : host.runCommandPrompt(code)
  },
}
