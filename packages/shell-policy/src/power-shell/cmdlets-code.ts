/** Cmdlets that run what they are given: text, blocks, programs. */

import { goToFolder, unknownPath } from '../places/windows-paths.ts'
import { isExistingCommand } from '../programs/known-commands.ts'
import { assignVariable } from '../programs/windows-variables.ts'
import {
  type Arg,
  arg,
  hasTaint,
  isKnown,
  joinedArgs,
  nothing,
  type Stream,
  taints,
  unknownStream,
} from '../walk/value.ts'
import { argsOf, hasSwitch, itemsFor } from './bind.ts'
import { type Cmdlet, type CmdletCall, type Cmdlets, givenItems } from './cmdlet.ts'
import { narrowed } from './cmdlets-files.ts'
import { aliases, usualCmdlets } from './cmdlets-table.ts'
import type { PowerShellRunner } from './host.ts'
import { type Item, itemsOf, streamOf, unknownItem } from './item.ts'
import { harmlessMembers, removingMembers } from './members-table.ts'

/** Text, whether given or piped in. */
const evaluate: Cmdlet = ({ words, stdin }, runner) => {
  const given = words.flatMap(({ items }) => items)
  runner.runScripts(
    given.flatMap(({ code }) => code),
    stdin,
  )
  const text = given.length > 0 ? joinedArgs(argsOf(given.filter(({ code }) => code.length === 0))) : asArg(stdin)
  return text.text === '' ? nothing : runner.host.runPowerShell(text)
}

const asArg = ({ text, taint }: Stream): Arg => ({ text, taint, isGlob: false })

/** Blocks are run; a file that is named is a script; what nobody knows is asked about. */
const runBlocks =
  (isDetached: boolean): Cmdlet =>
  (call, outer) => {
    const code = givenItems(call).flatMap((one) => one.code)
    const files = itemsFor(call.bound, ['filepath'])
    if (code.length === 0 && files.length === 0) outer.host.report('Q2', 'unresolved')
    const runner = isDetached ? outer.detached() : outer
    for (const file of argsOf(files)) runner.runWords([file], nothing)
    return runner.runScripts(code, call.stdin)
  }

const forEach: Cmdlet = (call, runner) => {
  const { host } = runner
  const { bound, stdin } = call
  const given = [...givenItems(call)]
  const code = given.flatMap((one) => one.code)
  const each = itemsOf(stdin)
  if (code.length > 0) return runner.runScripts(code, stdin, each.length > 0 ? each : [unknownItem(stdin.taint)])
  const [member = unknownItem()] = itemsFor(bound, ['membername'], 0)
  const name = member.arg.text.toLowerCase()
  if (!isKnown(member.arg) || /^(invoke|start|run|execute|moveto|copyto|create|encrypt|decrypt|replace)/.test(name))
    host.report('Q2', 'unresolved')
  else if (removingMembers.test(name)) host.report('Q2', 'deletion')
  else if (given.length > 1 && !harmlessMembers.test(name)) host.report('Q2', 'unresolved')
  return unknownStream(stdin.taint)
}

const where: Cmdlet = (call, runner) => {
  const { stdin } = call
  const each = itemsOf(stdin)
  runner.runScripts(
    givenItems(call).flatMap((one) => one.code),
    stdin,
    each.length > 0 ? each : [unknownItem(stdin.taint)],
  )
  return narrowed(stdin, runner.host)
}

const startProcess: Cmdlet = ({ bound }, runner) => {
  const [program = unknownItem()] = itemsFor(bound, ['filepath', 'path'], 0)
  const given = argsOf(itemsFor(bound, ['argumentlist', 'args'], 1))
  const [verb] = itemsFor(bound, ['verb'])
  if (verb !== undefined && !/^(open|print|edit)$/i.test(verb.arg.text)) runner.host.report('D1', 'root-shell')
  // One text holds several words.
  const words = given.flatMap((one) => (given.length === 1 ? quotedWords(one) : [one]))
  return runner.detached().runWords([program.arg, ...words], nothing)
}

export function quotedWords(text: Arg): readonly Arg[] {
  const words = text.text.match(/"[^"]*"|'[^']*'|[^\s]+/g) ?? []
  return words.map((word) => ({ ...text, text: word.replace(/^(["'])(.*)\1$/s, '$2') }))
}

const setAlias: Cmdlet = ({ bound }, { host }) => {
  const [name = unknownItem()] = itemsFor(bound, ['name'], 0)
  const [value = unknownItem()] = itemsFor(bound, ['value'], 1)
  const plain = name.arg.text.toLowerCase()
  if (!isKnown(value.arg)) host.report('Q2', 'unresolved')
  if (isTaken(plain)) host.report('Q2', 'shadowing')
  host.state.aliases.set(`ps:${plain}`, value.arg.text.toLowerCase())
  return nothing
}

/** Whether a new meaning for this name would change what other lines do. */
export function isTaken(name: string): boolean {
  return isExistingCommand(name) || Object.hasOwn(aliases, name) || usualCmdlets.has(name)
}

const setItem: Cmdlet = ({ bound }, { host }) => {
  const [path = unknownItem()] = itemsFor(bound, ['path', 'literalpath'], 0)
  const [value = unknownItem()] = itemsFor(bound, ['value'], 1)
  const [, provider = '', name = ''] = /^(\w+):[\\/]*(.*)$/.exec(path.arg.text) ?? []
  if (/^env$/i.test(provider)) assignVariable(name, value.arg, host)
  else if (/^(function|alias|variable)$/i.test(provider)) host.report('Q2', 'shadowing')
  else host.report('Q2', /^hk/i.test(provider) ? 'privilege' : 'unresolved')
  return nothing
}

// --- shells within ---

/** `powershell -Command …`: the rest of the words is the program, whatever they are. */
const powerShell: Cmdlet = (call, runner) => {
  const { host } = runner
  const { words, stdin } = call
  for (let at = 0; at < words.length; at++) {
    const { parameter, items } = words[at] ?? { parameter: null, items: [] }
    const rest = words.slice(at + 1)
    if (parameter === null || 'command'.startsWith(parameter))
      return runRest(
        parameter === null ? words.slice(at) : [...(items.length > 0 ? [{ parameter: null, items }] : []), ...rest],
        call,
        runner,
      )
    if ('encodedcommand'.startsWith(parameter) || parameter === 'ec') {
      host.report('D2', 'encoded-payload')
      return unknownStream(taints.decoded)
    }
    if ('file'.startsWith(parameter)) return runner.runWords(argsOf(rest.flatMap((one) => one.items)), stdin)
    if (/^(ex|ep|w|i|o|v|c(onf|ust)|wo|ps|s(ett))/.test(parameter)) at += items.length > 0 ? 0 : 1
  }
  return stdin === nothing ? unknownStream() : host.runPowerShell(asArg(stdin))
}

function runRest(words: CmdletCall['words'], { name, stdin }: CmdletCall, runner: PowerShellRunner): Stream {
  const items = words.flatMap((word): readonly Item[] =>
    word.parameter === null ? word.items : [{ ...unknownItem(), arg: arg(`-${word.parameter}`) }, ...word.items],
  )
  const code = items.flatMap((one) => one.code)
  if (code.length > 0) return runner.runScripts(code, stdin)
  const [first] = items
  if (name === 'pwsh' && first !== undefined && /\.ps1$/i.test(first.arg.text))
    return runner.runWords(argsOf(items), stdin)
  if (items.length === 1 && first?.arg.text === '-') return runner.host.runPowerShell(asArg(stdin))
  return runner.host.runPowerShell(joinedArgs(argsOf(items)))
}

/** `cmd /c …` */
const commandPrompt: Cmdlet = ({ words, stdin }, { host }) => {
  const items = argsOf(
    words.flatMap((word) =>
      word.parameter === null ? word.items : [{ ...unknownItem(), arg: arg(`-${word.parameter}`) }, ...word.items],
    ),
  )
  const at = items.findIndex(({ text }) => /^\/[ckr]/i.test(text))
  if (at < 0) return stdin === nothing ? unknownStream() : host.runCommandPrompt(asArg(stdin))
  const rest = [{ ...(items[at] ?? unknownPath), text: (items[at]?.text ?? '').slice(2) }, ...items.slice(at + 1)]
  return host.runCommandPrompt(joinedArgs(rest.filter(({ text }) => text !== '')))
}

const stopProcess: Cmdlet = ({ bound, stdin }, { host }) => {
  const names = argsOf(itemsFor(bound, ['name', 'processname']))
  const given = [...argsOf(itemsFor(bound, ['id'], 0)), ...names]
  if (given.length === 0 && hasTaint(stdin, taints.allProcesses)) host.report('D2', 'power-state')
  for (const { text } of given) {
    if (text === '*' || text === '0' || text === '1') host.report('D2', 'power-state')
    else if (/agentpty|ptyhost|^node$/i.test(text)) host.report('Q2', 'self-tampering')
  }
  if (hasTaint(stdin, taints.ownProcess)) host.report('Q2', 'self-tampering')
  return nothing
}

const getProcess: Cmdlet = (call) => {
  const names = givenItems(call).map(({ arg: { text } }) => text)
  const isOwn = names.some((name) => /agentpty|ptyhost|^node$/i.test(name))
  return unknownStream(
    names.length === 0 || names.includes('*') ? taints.allProcesses : isOwn ? taints.ownProcess : taints.none,
  )
}

const setVariable: Cmdlet = (call, { host }) => {
  const [name = unknownItem()] = itemsFor(call.bound, ['name'], 0)
  const value = itemsFor(call.bound, ['value'], 1)
  const plain = name.arg.text.toLowerCase()
  if (/^psdefaultparametervalues$/.test(plain)) host.report('Q2', 'shadowing')
  const stream = streamOf(value)
  host.state.variables.set(`ps:${plain}`, { kind: 'scalar', values: [asArg(stream)] })
  return nothing
}

const goTo =
  (program: string): Cmdlet =>
  ({ bound }, { host }) => {
    goToFolder(program, argsOf(itemsFor(bound, ['path', 'literalpath'], 0)), host)
    return nothing
  }

export const codeCmdlets: Cmdlets = {
  'invoke-expression': evaluate,
  'invoke-command': runBlocks(false),
  'measure-command': runBlocks(false),
  'start-job': runBlocks(true),
  'start-threadjob': runBlocks(true),
  'register-engineevent': runBlocks(false),
  'register-objectevent': runBlocks(false),
  'foreach-object': forEach,
  'where-object': where,
  'start-process': startProcess,
  'invoke-item': (_call, { host }) => {
    host.report('Q2', 'unresolved')
    return nothing
  },
  'set-alias': setAlias,
  'new-alias': setAlias,
  'set-item': setItem,
  'set-itemproperty': setItem,
  'new-itemproperty': setItem,
  'set-variable': setVariable,
  'new-variable': setVariable,
  powershell: powerShell,
  pwsh: powerShell,
  cmd: commandPrompt,
  'stop-process': stopProcess,
  'get-process': getProcess,
  'set-location': goTo('cd'),
  'push-location': goTo('pushd'),
  'pop-location': (_call, { host }) => host.run([arg('popd')], nothing),
  'write-output': (call) => streamOf(givenItems(call)),
  'select-object': (call, runner) => {
    runner.runScripts(
      givenItems(call).flatMap((one) => one.code),
      call.stdin,
    )
    return hasSwitch(call.bound, 'unique') || call.words.length > 0 ? call.stdin : call.stdin
  },
}
