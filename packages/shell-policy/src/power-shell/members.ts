/** What calls of members do: `[IO.File]::Delete('x')`, `$client.DownloadString($url)`, `$block.Invoke()`. */

import { readPath, removePath, unknownPath, writePath } from '../places/windows-paths.ts'
import { judgeSending } from '../programs/network.ts'
import { assignVariable } from '../programs/windows-variables.ts'
import { type Arg, hasTaint, nothing, taints, unknownStream } from '../walk/value.ts'
import type { PowerShellHost, PowerShellRunner } from './host.ts'
import { type Item, item, streamOf, taintOf, unknownItem } from './item.ts'
import {
  decodingMembers,
  fetchingMembers,
  fileTypes,
  harmlessMembers,
  harmlessTypes,
  readingFiles,
  removingFiles,
  removingMembers,
  runningMembers,
  sendingMembers,
} from './members-table.ts'

export interface MemberCall {
  /** The type in small letters; null for a member of a value. */
  readonly type: string | null
  /** In small letters; empty where nobody knows it. */
  readonly name: string
  /** What it is a member of. */
  readonly of: Item
  readonly args: readonly Item[]
}

export function callMember(call: MemberCall, runs: PowerShellRunner): Item {
  const { host } = runs
  const { type, name, of, args } = call
  const taint = of.arg.taint | taintOf(args)
  const [first = item('')] = args
  if (type !== null && fileTypes.test(type)) return callFile(call, host)
  if (name === 'create' && type !== null && /scriptblock$/.test(type)) return { ...first, listed: null }
  if (type !== null && /(^|\.)diagnostics\.process$/.test(type) && name === 'start')
    return startProcess(
      args.map((one) => one.arg),
      runs,
    )
  if (type !== null && /^(system\.)?environment$/.test(type)) return callEnvironment(call, host)
  if (type !== null && /sockets\.\w+$/.test(type)) host.report('D2', 'remote-code')
  else if (type !== null && !harmlessTypes.test(type)) host.report('Q2', 'unresolved')
  for (const one of [of, ...args]) runs.runScripts(one.code, unknownStream(taint))
  if (runningMembers.test(name)) return runMember(call, runs)
  if (removingMembers.test(name)) {
    host.report('Q2', name === 'kill' || name === 'terminate' ? 'unresolved' : 'deletion')
    return unknownItem(taint)
  }
  if (fetchingMembers.test(name)) return unknownItem(taint | taints.network)
  if (/^downloadfile(async)?$/.test(name)) {
    writePath(args[1]?.arg ?? unknownPath, unknownStream(taints.network), host)
    return item('')
  }
  if (sendingMembers.test(name)) {
    judgeSending(
      args.map((one) => one.arg),
      nothing,
      host,
    )
    return unknownItem(taint | taints.network)
  }
  if (!harmlessMembers.test(name) && !decodingMembers.test(name)) host.report('Q2', 'unresolved')
  return unknownItem(decodingMembers.test(name) ? taint | taints.decoded : taint)
}

/** Code in braces has run by now; code as text runs here. */
function runMember({ name, of, args }: MemberCall, { host }: PowerShellRunner): Item {
  const texts = [
    ...(of.code.length > 0 ? [] : [of.arg]),
    ...(/script|command|expand/.test(name) ? args.map((one) => one.arg) : []),
  ]
  if (of.code.length > 0 && texts.length === 0) return unknownItem(of.arg.taint)
  for (const text of texts) host.runPowerShell(text)
  return unknownItem(of.arg.taint | taintOf(args))
}

function startProcess(words: readonly Arg[], runner: PowerShellRunner): Item {
  const [program, text] = words
  if (program === undefined) return unknownItem()
  const rest = text === undefined ? [] : text.text.split(/\s+/).map((word) => ({ ...text, text: word }))
  runner.detached().runWords([program, ...rest], nothing)
  return unknownItem()
}

function callFile({ type, name, args }: MemberCall, host: PowerShellHost): Item {
  const [path = unknownPath, second] = args.map((one) => one.arg)
  if (removingFiles.test(name)) {
    removePath(path, host)
    return item('')
  }
  if (readingFiles.test(name) || /streamreader$/.test(type ?? '')) {
    const content = name === 'exists' ? nothing : readPath(path, host)
    return { arg: { text: content.text, taint: content.taint, isGlob: false }, code: [], listed: null }
  }
  if (/^(copy|move|replace|createsymboliclink|extracttodirectory|createfromdirectory)$/.test(name)) {
    if (name === 'move') removePath(path, host)
    writePath(second ?? unknownPath, readPath(path, host), host)
    return item('')
  }
  writePath(path, second === undefined ? unknownStream() : streamOf(args.slice(1)), host)
  return unknownItem()
}

function callEnvironment({ name, args }: MemberCall, host: PowerShellHost): Item {
  const [variable = item(''), value = item(''), target] = args
  if (name === 'setenvironmentvariable') {
    if (target !== undefined && !/^process$/i.test(target.arg.text)) host.report('Q2', 'persistence')
    assignVariable(variable.arg.text, value.arg, host)
  } else if (name === 'getenvironmentvariables') return unknownItem(taints.secret)
  else if (name === 'failfast' || name === 'exit') return item('')
  return unknownItem(hasTaint(variable.arg, taints.network) ? taints.network : taints.none)
}
