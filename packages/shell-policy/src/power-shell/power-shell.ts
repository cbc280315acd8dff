/**
 * Judges a PowerShell program by walking it as PowerShell would run it, with every branch taken once. What it reads, writes, removes, fetches and starts is
 * told to the evaluation that all shells share; what nobody knows is asked about.
 */

import { isWindows, plainPath, plainWord, ranBefore, writePath } from '../places/windows-paths.ts'
import { runWindowsProgram } from '../programs/windows-programs.ts'
import { windowsPrograms } from '../programs/windows-programs-table.ts'
import { assignVariable } from '../programs/windows-variables.ts'
import {
  type Arg,
  arg,
  hasTaint,
  isKnown,
  joined,
  nothing,
  type Stream,
  taints,
  unknownMark,
  unknownStream,
} from '../walk/value.ts'
import { bind, type Given } from './bind.ts'
import type { CmdletCall, Cmdlets } from './cmdlet.ts'
import { codeCmdlets, isTaken } from './cmdlets-code.ts'
import { fileCmdlets } from './cmdlets-files.ts'
import { machineCmdlets, webValued } from './cmdlets-machine.ts'
import { aliases, harmlessCmdlets } from './cmdlets-table.ts'
import { commandName, isPathLike, isProgram, isShared, startsPrograms } from './command-names.ts'
import type { PowerShellHost, PowerShellRunner } from './host.ts'
import { type Item, itemsOf, streamOf, taintOf, unknownItem } from './item.ts'
import { readPowerShell } from './read-script.ts'
import type { Script, Stage, Statement, Word } from './syntax.ts'
import { Values } from './values.ts'
import { setValue } from './variables.ts'

const cmdlets: Cmdlets = { ...fileCmdlets, ...machineCmdlets, ...codeCmdlets }

/** Parameters with a value whose names begin like those of switches. */
const valued: Readonly<Record<string, readonly string[]>> = {
  'invoke-webrequest': webValued,
  'invoke-restmethod': webValued,
  'start-bitstransfer': webValued,
  'start-process': ['verb', 'filepath', 'argumentlist', 'workingdirectory', 'windowstyle'],
}

export class PowerShell implements PowerShellRunner {
  readonly host: PowerShellHost
  readonly #values: Values

  constructor(host: PowerShellHost) {
    this.host = host
    this.#values = new Values(this)
  }

  /** Errors: none; what cannot be read is asked about. */
  runText(text: string, stdin: Stream = nothing): Stream {
    const script = readPowerShell(text)
    if (script !== null) return this.#run(script, stdin)
    this.host.report('Q2', 'unparsed', text.slice(0, 200))
    return unknownStream()
  }

  runScripts(scripts: readonly Script[], stdin: Stream, each: readonly Item[] = []): Stream {
    if (scripts.length === 0) return nothing
    if (each.length === 0) return joined(scripts.map((script) => this.#run(script, stdin)))
    return joined(
      each.flatMap((one) => {
        setValue('_', one.listed?.[0] ?? one.arg, this.host.state)
        setValue('psitem', one.listed?.[0] ?? one.arg, this.host.state)
        return scripts.map((script) => this.#run(script, stdin))
      }),
    )
  }

  detached(): PowerShell {
    return new PowerShell(this.host.detached())
  }

  runWords(words: readonly Arg[], stdin: Stream): Stream {
    const [name, ...rest] = words
    if (name === undefined) return nothing
    const given = rest.map((word): Given => {
      const parameter = /^-([A-Za-z]\w*)$/.exec(word.text)?.[1]
      return parameter === undefined
        ? { parameter: null, items: [{ arg: word, code: [], listed: null }] }
        : { parameter, items: [] }
    })
    return this.#runCommand({ arg: name, code: [], listed: null }, given, stdin)
  }

  #run(script: Script, stdin: Stream): Stream {
    return this.host.deeper((host) => {
      const inner = new PowerShell(host)
      return joined(script.map((one) => inner.#runStatement(one, stdin)).filter((stream) => stream !== nothing))
    }, unknownStream())
  }

  #runStatement({ assigns, stages, isBackground }: Statement, stdin: Stream): Stream {
    if (!this.host.mayGoOn()) return nothing
    const runner = isBackground ? new PowerShell(this.host.detached().subshell()) : this
    const output = runner.#runStages(stages, stdin)
    if (assigns === null) return output
    this.#assign(assigns, stages, output)
    return nothing
  }

  #runStages(stages: readonly Stage[], stdin: Stream): Stream {
    const runner = stages.length > 1 ? new PowerShell(this.host.piped()) : this
    return stages.reduce((stream, stage) => runner.#runStage(stage, stream), stdin)
  }

  #assign(name: string, stages: readonly Stage[], value: Stream): void {
    const { host } = this
    const plain = name.replace(/^(global|script|local|private):/, '')
    if (plain.startsWith('env:')) assignVariable(plain.slice(4), asArg(value), host)
    else if (/^(function|alias):/.test(plain) || plain.startsWith('psdefaultparametervalues'))
      host.report('Q2', 'shadowing')
    else if (!plain.endsWith('.')) {
      setValue(plain, value.listed?.[0] ?? asArg(value), host.state)
      const [stage] = stages
      const code = stages.length === 1 && stage?.kind === 'value' ? this.#values.codeIn(stage.value) : []
      host.gathered.knownCode.set(plain, code)
    }
  }

  #runStage(stage: Stage, stdin: Stream): Stream {
    switch (stage.kind) {
      case 'value':
        return this.#redirected(stage.redirects, streamOf(this.#values.items(stage.value)))
      case 'function':
        return this.#define(stage.name, stage.body)
      case 'block':
        return this.#runBlock(stage, stdin)
      case 'command':
        return this.#redirected(stage.redirects, this.#runCommandStage(stage, stdin))
    }
  }

  #redirected(redirects: readonly Word[], output: Stream): Stream {
    const targets = redirects.flatMap((word) => this.#values.items(word))
    for (const { arg: path } of targets) if (path.text !== '') writePath(path, output, this.host)
    return redirects.length > 0 ? nothing : output
  }

  #runBlock({ keyword, scripts, each, isEndless }: Extract<Stage, { kind: 'block' }>, stdin: Stream): Stream {
    if (isEndless && scripts.some((script) => startsPrograms(script))) this.host.report('D2', 'fork-bomb')
    if (each === undefined)
      return joined(scripts.map((script) => this.#run(script, keyword === 'process' ? stdin : nothing)))
    const over = itemsOf(this.#run(each.over, nothing))
    return joined(
      (over.length > 0 ? over : [unknownItem()]).flatMap((one) => {
        setValue(each.name, one.listed?.[0] ?? one.arg, this.host.state)
        return scripts.map((script) => this.#run(script, nothing))
      }),
    )
  }

  #define(name: string, body: string): Stream {
    if (isTaken(name)) this.host.report('Q2', 'shadowing', name)
    this.host.state.functions.set(`ps:${name}`, { source: body })
    return nothing
  }

  #runCommandStage({ operator, words }: Extract<Stage, { kind: 'command' }>, stdin: Stream): Stream {
    const [first, ...rest] = words
    if (first === undefined) return nothing
    const [name = unknownItem()] = this.#values.items(first)
    const given = rest.map((word): Given => ({ parameter: word.parameter, items: this.#values.items(word) }))
    if (operator === null) return this.#runCommand(name, given, stdin)
    if (name.code.length > 0) return this.runScripts(name.code, stdin)
    // A text with blanks in it is no command's name: whoever holds a block holds its text.
    if (isKnown(name.arg) && /[\s;|{}]/.test(name.arg.text.trim()) && !isPathLike(name.arg.text))
      return this.host.runPowerShell(name.arg, stdin)
    return this.#runCommand(name, given, stdin)
  }

  #runCommand(name: Item, given: readonly Given[], stdin: Stream): Stream {
    const words = [name.arg, ...given.flatMap(wordsOf)]
    return this.host.runAs(words, (inner) => new PowerShell(inner).#resolved(name.arg, given, stdin))
  }

  #resolved(word: Arg, given: readonly Given[], stdin: Stream): Stream {
    const { host } = this
    if (!isKnown(word) || (word.isGlob && word.text !== '?')) return this.#unknownCommand(word)
    if (hasTaint(word, taints.decoded)) host.report('D2', 'encoded-payload')
    const plain = commandName(word.text)
    const { functions, aliases: own } = host.state
    if (functions.has(`ps:${plain}`)) return this.#runFunction(plain, stdin)
    const alias = own.get(`ps:${plain}`)
    if (alias !== undefined && alias !== plain) return this.#resolved({ ...word, text: alias }, given, stdin)
    const name = aliases[plain] ?? plain
    const small = given.map(({ parameter, items }) => ({ parameter: parameter?.toLowerCase() ?? null, items }))
    const bound = bind(small, valued[name])
    const call: CmdletCall = { name, words: small, bound, stdin }
    const external = () => this.#runExternal(word, plain, given, stdin)
    // On Linux it is the program of that name; both are judged.
    if (isShared(plain)) external()
    const cmdlet = Object.hasOwn(cmdlets, name) ? cmdlets[name] : undefined
    if (cmdlet !== undefined) return cmdlet(call, this)
    if (harmlessCmdlets.test(name)) return this.#runHarmless(call)
    return external()
  }

  /** What it is given may be blocks, which run; all else are values. */
  #runHarmless({ words, stdin }: CmdletCall): Stream {
    const items = words.flatMap((one) => one.items)
    this.runScripts(
      items.flatMap(({ code }) => code),
      stdin,
    )
    const taint = stdin.taint | taintOf(items)
    return { text: unknownMark, taint, listed: stdin.listed }
  }

  /** A program, by the rules of all shells; a script by its path; what nobody knows is asked about. */
  #runExternal(word: Arg, plain: string, given: readonly Given[], stdin: Stream): Stream {
    const { host } = this
    const args = given.flatMap(wordsOf)
    this.runScripts(
      given.flatMap(({ items }) => items.flatMap(({ code }) => code)),
      stdin,
    )
    if (Object.hasOwn(windowsPrograms, plain)) return runWindowsProgram(plain, args, stdin, host)
    const path = plainPath(word, host.state.home)
    if (!isProgram(plain) && !isPathLike(word.text)) {
      const local = arg(`./${word.text}`)
      if (host.resolve(local.text) !== null && host.state.files.has(host.resolve(local.text) ?? ''))
        return host.run([local, ...args], stdin)
      host.report('Q2', 'unresolved')
      return unknownStream(stdin.taint)
    }
    if (isWindows(path.text) && !isProgram(plain)) {
      if (path.text.startsWith('\\\\')) host.report('Q2', 'remote-code')
      ranBefore(path, host)
      return unknownStream(stdin.taint)
    }
    const content = host.state.files.get(host.resolve(path.text) ?? '')
    if (!isProgram(plain) && content !== undefined && /\.ps1$/i.test(path.text))
      return host.runPowerShell({ text: content.text, taint: content.taint, isGlob: false }, stdin)
    return host.run([isProgram(plain) ? { ...word, text: plain } : path, ...args.map(plainWord)], stdin)
  }

  #runFunction(name: string, stdin: Stream): Stream {
    const { host } = this
    const key = `ps:${name}`
    if (!host.isRunning(key))
      return new PowerShell(host.running(key)).runText(host.state.functions.get(key)?.source ?? '', stdin)
    if (host.isPiped) host.report('D2', 'fork-bomb')
    return unknownStream()
  }

  #unknownCommand(word: Arg): Stream {
    if (hasTaint(word, taints.network)) this.host.report('D2', 'remote-code')
    else if (hasTaint(word, taints.decoded)) this.host.report('D2', 'encoded-payload')
    else this.host.report('Q2', 'unresolved')
    return unknownStream(word.taint)
  }
}

const asArg = ({ text, taint }: Stream): Arg => ({ text, taint, isGlob: false })

function wordsOf({ parameter, items }: Given): readonly Arg[] {
  const args = items.map((one) => one.listed?.[0] ?? one.arg)
  return parameter === null ? args : [arg(`-${parameter}`), ...args]
}
