/** Programs of Windows, as cmd and PowerShell start them. */

import { isWindowsRoot, readPath, removePath, writePath } from '../places/windows-paths.ts'
import type { Shell } from '../walk/shell.ts'
import { type Arg, joinedArgs, nothing, type Stream, taints, unknownStream } from '../walk/value.ts'
import { windowsPrograms } from './windows-programs-table.ts'

export function runWindowsProgram(name: string, args: readonly Arg[], stdin: Stream, shell: Shell): Stream {
  const { text } = joinedArgs(args)
  const row = windowsPrograms[name]?.find((one) => one.args.test(text))
  if (row?.effect != null) shell.report(...row.effect)
  special[name]?.(args, shell)
  return unknownStream(stdin.taint)
}

const isOption = ({ text }: Arg) => /^-|^\/[A-Za-z?]+(:.*)?$/.test(text)

/** What cannot be said by a pattern. */
const special: Readonly<Record<string, (args: readonly Arg[], shell: Shell) => void>> = {
  // find "text" FILE, findstr /s text FILE, more FILE
  findstr: (args, shell) =>
    void args
      .filter((one) => !isOption(one))
      .slice(1)
      .map((path) => readPath(path, shell)),
  find: (args, shell) =>
    void args
      .filter((one) => !isOption(one))
      .slice(1)
      .map((path) => readPath(path, shell)),
  more: (args, shell) => void args.filter((one) => !isOption(one)).map((path) => readPath(path, shell)),
}

/** `certutil`, `bitsadmin`: what they fetch and decode lies in files from then on. */
export function runFetcher(name: string, args: readonly Arg[], shell: Shell): Stream {
  const { text } = joinedArgs(args)
  const operands = args.filter((one) => !isOption(one))
  const isFetch = name === 'bitsadmin' ? /transfer|addfile/i.test(text) : /-urlcache|\/urlcache/i.test(text)
  const isDecode = name === 'certutil' && /[-/](decode|decodehex)/i.test(text)
  const target = operands.at(-1)
  if (target !== undefined && operands.length > 1 && (isFetch || isDecode))
    writePath(target, unknownStream(isFetch ? taints.network : taints.decoded), shell)
  return unknownStream(isFetch ? taints.network : taints.none)
}

/** `robocopy FROM TO /mir`: what is not in the one is removed from the other. */
export function mirror(args: readonly Arg[], shell: Shell): Stream {
  const [from, to] = args.filter((one) => !isOption(one))
  if (args.some(({ text }) => /^\/(mir|purge)$/i.test(text)) && to !== undefined) removePath(to, shell)
  if (args.some(({ text }) => /^\/mov/i.test(text)) && from !== undefined && isWindowsRoot(from.text))
    shell.report('D2', 'root-wipe')
  if (to !== undefined) writePath(to, from === undefined ? nothing : readPath(from, shell), shell)
  return unknownStream()
}
