/**
 * One judgement: walks a parsed program as the shell would run it, with every branch taken once, and keeps the strictest finding.
 *
 * Nothing runs. The cost is bounded (`bounds.ts`); what is beyond is "ask".
 */

import type { Assignment, Command, ParsedScript, Redirection } from 'unbash'
import { parse } from 'unbash'
import { aliasText } from './aliases.ts'
import { argumentsOf } from './arguments-of.ts'
import { assignNode } from './assign-node.ts'
import { setVariable } from './assignments.ts'
import { Bounds } from './bounds.ts'
import { reportCode } from './code-text.ts'
import { withSubstitutedValue } from './command-parts.ts'
import { type Expander, expandWord } from './expand.ts'
import { FileAccess } from './file-access.ts'
import { type Current, Findings } from './findings.ts'
import { OtherShells } from './other-shells.ts'
import { plainWords } from './plain-line.ts'
import { copyForSubshell, type PolicyState, type Variable } from './policy-state.ts'
import type { PowerShellHost } from './power-shell/host.ts'
import { keepDescriptors, readRedirections } from './redirections.ts'
import { resolvePath } from './resolve-path.ts'
import type { Checks } from './rules/rule-check.ts'
import { runStatements, type Walker } from './run-node.ts'
import { runSimple } from './run-simple.ts'
import { Running } from './running.ts'
import type { CodeOptions } from './shell.ts'
import { Sinks } from './sinks.ts'
import { endsInBackslash } from './source-text.ts'
import {
  type Arg,
  arg,
  hasTaint,
  isKnown,
  joined,
  nothing,
  type Stream,
  shownCommand,
  taints,
  unknownStream,
} from './value.ts'
import type { Code, Finding, Rule } from './verdict.ts'
import { isWellKnown } from './well-known.ts'
import { codeOfPattern } from './zsh.ts'

export class Evaluation implements PowerShellHost, Expander, Walker {
  state: PolicyState
  input = nothing
  readonly #findings: Findings
  #current: Current = { text: '', words: [] }
  readonly #bounds = new Bounds(() => this.tooMuch())
  #detached = 0
  readonly #running = new Running()
  readonly #sinks = new Sinks()
  readonly #access: FileAccess
  readonly #others = new OtherShells(this)

  /** As in the context of rules for commands. */
  readonly ignoresCase: boolean

  /** `rules`: those of persons and repositories, where there are any. `ignoresCase`: as PowerShell and cmd read commands. */
  constructor(state: PolicyState, rules: Checks | null = null, ignoresCase = false) {
    this.state = state
    this.ignoresCase = ignoresCase
    this.#findings = new Findings(rules)
    this.#access = new FileAccess(this, this.#findings, this.#sinks)
  }

  get found(): Finding {
    return this.#findings.strictest
  }

  report(code: Code, rule: Rule, what = this.#current.text): void {
    const about = { words: this.#current.words, isPlaced: this.state.cwd !== null }
    this.#findings.report({ code, rule, resolved: what }, about)
  }

  /** Judges a program's text at the top. */
  runText(source: string): Stream {
    const { aliases, globalAliases } = this.state
    const words = aliases.size + globalAliases.size === 0 ? plainWords(source) : null
    if (words === null) return this.#parsed(source, nothing, true)
    const args = words.map((word) => arg(word))
    return this.run(args, nothing, true)
  }

  #parsed(source: string, stdin: Stream, isLine = false): Stream {
    return this.isWithin(source) ? this.runScript(parse(source), source, stdin, isLine) : unknownStream()
  }

  isWithin(source: string): boolean {
    return this.#bounds.isWithin(source)
  }

  /** What `step` reports is about this command. */
  #about<Result>(current: Current, step: () => Result): Result {
    const kept = this.#current
    this.#current = current
    const result = step()
    this.#current = kept
    return result
  }

  /** `isLine`: the shell may wait for the rest of it. Code inside a line is read to its end, whatever it is. */
  runScript(script: ParsedScript, source: string, stdin: Stream, isLine = false): Stream {
    const errors = script.errors ?? []
    const isContinued = endsInBackslash(source)
    const isUnread = errors.length > 0 || isContinued
    // In a comment a backslash continues nothing.
    const isWrong =
      errors.some(({ message }) => message.startsWith('unexpected')) ||
      (isContinued && /(?:^|[\s;&|()])#[^\n]*$/.test(source))
    const report = (rule: Rule) => this.report('Q2', rule, source.slice(0, 200))
    if (isUnread && !isWrong) report(isLine ? 'unparsed' : 'unresolved')
    const around = { source: script.source ?? source, stdin, walker: this }
    const output = this.#about({ text: this.#current.text, words: [] }, () =>
      this.deeper(() => runStatements(script.commands, around), unknownStream()),
    )
    // The shell that refuses it runs nothing of it, unless the shell reads it otherwise.
    if (isWrong) report(isLine && this.found.code === 'A' ? 'unparsed' : 'unresolved')
    return output
  }

  /** Runs `step` one level deeper; too deep is a finding. */
  deeper<Result>(step: () => Result, otherwise: Result): Result {
    return this.#bounds.deeper(step, otherwise)
  }

  /** What runs in the background or in a pipeline. */
  detached<Result>(step: () => Result): Result {
    this.#detached++
    const result = step()
    this.#detached--
    return result
  }

  /** With variables and a folder of its own. */
  inSubshell<Result>(step: () => Result): Result {
    const kept = this.state
    this.state = copyForSubshell(kept)
    const result = step()
    const { hasStagedSecret, fetchedFolders } = this.state
    this.state = Object.assign(kept, { hasStagedSecret, fetchedFolders })
    return result
  }

  mayGoOn(): boolean {
    return this.#bounds.mayGoOn()
  }

  judgePattern(pattern: string): void {
    const code = codeOfPattern(pattern)
    if (code !== null) this.runSmuggled(arg(code))
  }

  tooMuch(): void {
    this.report('Q2', 'limits')
  }

  // --- what expansion asks ---

  substitute(script: ParsedScript | undefined, source: string): Stream {
    if (script === undefined) {
      this.report('Q2', 'unparsed')
      return unknownStream()
    }
    return this.inSubshell(() => this.runScript(script, source, this.input === nothing ? unknownStream() : this.input))
  }

  processSubstitution(script: ParsedScript | undefined, operator: '<' | '>', source: string): string {
    const path = this.#sinks.path()
    if (operator === '<') this.state.files.set(path, this.substitute(script, source))
    else if (script !== undefined) this.#sinks.open(path, (input) => this.#runSink(script, source, input))
    return path
  }

  // --- what programs ask ---

  run(words: readonly Arg[], stdin: Stream, readsTerminal = false): Stream {
    return this.runAs(words, () => runSimple(words, { stdin, readsTerminal }, this))
  }

  /** What `step` reports is about this command, and rules for commands are held against it. */
  runAs(words: readonly Arg[], step: () => Stream): Stream {
    if (!this.mayGoOn()) return unknownStream()
    this.#findings.command(words, this)
    return this.#about({ text: shownCommand(words), words }, () => this.deeper(step, unknownStream()))
  }

  readonly runPowerShell: PowerShellHost['runPowerShell'] = (code, stdin) => this.#others.runPowerShell(code, stdin)
  readonly runPowerShellWords: PowerShellHost['runPowerShellWords'] = (words, stdin) =>
    this.#others.runPowerShellWords(words, stdin)
  readonly runCommandPrompt: PowerShellHost['runCommandPrompt'] = (code, stdin) =>
    this.#others.runCommandPrompt(code, stdin)

  runCode(code: Arg, { stdin = nothing, positional, isSubshell }: CodeOptions = {}): Stream {
    if (!reportCode(code, this)) return unknownStream(code.taint)
    const step = () => this.#withPositional(positional, () => this.#parsed(code.text, stdin))
    return this.deeper(() => (isSubshell ? this.inSubshell(step) : step()), unknownStream())
  }

  #withPositional(positional: readonly Arg[] | undefined, step: () => Stream): Stream {
    if (positional === undefined) return step()
    const kept = this.state.positional
    this.state.positional = positional
    const result = step()
    this.state.positional = kept
    return result
  }

  runSmuggled(code: Arg): void {
    if (isWellKnown(code.text)) return
    this.report('Q2', 'smuggled-exec')
    this.inSubshell(() => this.runCode({ ...code, text: code.text.replace(/^!/, '') }))
  }

  runFile(path: Arg, content: Stream, options: CodeOptions = {}): Stream {
    const name = this.resolve(path.text) ?? path.text
    const { zero } = this.state
    return this.#start(name, () => {
      this.state.zero = { ...path, text: name }
      const result = this.runCode({ ...content, isGlob: false }, options)
      this.state.zero = zero
      return result
    })
  }

  runFunction(name: string, args: readonly Arg[], stdin: Stream): Stream {
    const body = this.state.functions.get(name)
    if (body === undefined) return unknownStream()
    // One that is defined anew while it runs is another.
    return this.#start(`${name} ${body.source}`, () => this.runCode(arg(body.source), { stdin, positional: args }))
  }

  #start(name: string, step: () => Stream): Stream {
    const forks = () => this.report('D2', 'fork-bomb')
    return this.#running.start({ name, detached: this.#detached }, step, forks) ?? unknownStream()
  }

  resolve(path: string): string | null {
    return resolvePath(path, this.state)
  }

  readonly read = (path: Arg): Stream => this.#access.read(path)
  readonly write = (path: Arg, content: Stream): void => this.#access.write(path, content)
  readonly remove = (path: Arg): void => this.#access.remove(path)

  names(path: string): void {
    this.#findings.path(this.resolve(path), 'named')
  }

  reaches(address: string): void {
    this.#findings.address(address)
  }

  // --- simple commands ---

  runCommand(given: Command, source: string, stdin: Stream): Stream {
    const command = withSubstitutedValue(given)
    const aliased = aliasText(command, source, {
      state: this.state,
      isRunning: (name) => this.#running.has(name),
    })
    if (aliased !== null) return this.#start(`alias ${aliased.name}`, () => this.runCode(arg(aliased.text), { stdin }))
    const before = command.prefix.filter((one): one is Assignment => one.type === 'Assignment')
    const own = stdin === nothing ? (this.state.descriptors.get(0) ?? nothing) : stdin
    const redirects = readRedirections(given.redirects, source, own, this)
    if (command.name === undefined) {
      for (const one of before) assignNode(one, source, this)
      for (const target of redirects.targets) this.write(target, redirects.read)
      return redirects.takesOutput ? nothing : redirects.read
    }
    const names = expandWord(command.name, source, this)
    const rest = argumentsOf(command, source, this)
    const kept = before.length > 0 ? new Map(this.state.variables) : null
    for (const one of before) assignNode(one, source, this)
    const readsTerminal = redirects.stdin === nothing
    const outputs = names.flatMap((name) =>
      rest.map((words) => {
        const line = [...name, ...words]
        if (line.length === 0) return nothing
        if (redirects.isKept && line.length === 1 && line[0]?.text === 'exec')
          return this.#keepInput(given, source, redirects.read)
        return this.run(line, redirects.stdin, readsTerminal)
      }),
    )
    // Assignments before a command are gone after it.
    for (const { name } of kept === null ? [] : before) {
      const value = kept?.get(name)
      if (value === undefined) this.state.variables.delete(name)
      else this.state.variables.set(name, value)
    }
    const output = joined(outputs)
    for (const target of redirects.targets) this.write(target, output)
    // Programs at the other end of a `>(…)` that no rule has written to.
    this.#sinks.closeAll(() => joined([output, stdin]))
    return redirects.targets.length > 0 && redirects.takesOutput ? nothing : output
  }

  /** `exec < file`: a shell that is typed into reads its next commands from there. */
  #keepInput(command: Command, source: string, read: Stream): Stream {
    if (read !== nothing) this.state.descriptors.set(0, read)
    if (hasTaint(read, taints.network)) this.report('D2', 'remote-code')
    else if (isKnown(read)) this.inSubshell(() => this.runCode({ ...read, isGlob: false }))
    return keepDescriptors(command, source, this)
  }

  #runSink(script: ParsedScript, source: string, input: Stream): void {
    this.detached(() => this.inSubshell(() => this.runScript(script, source, input)))
  }

  readonly assign = (name: string, value: Arg): void => this.setVariable(name, { kind: 'scalar', values: [value] })
  readonly setVariable = (name: string, variable: Variable): void => setVariable(name, variable, this)

  runExpanded(text: Arg): void {
    if (!isKnown(text)) this.report('Q2', 'unresolved')
    if (!/\$\(|`/.test(text.text)) return
    this.inSubshell(() => this.runCode({ ...text, text: `: "${text.text.replaceAll('"', '\\"')}"` }))
  }

  /** Redirections of a block. */
  runRedirected(
    redirects: readonly Redirection[],
    source: string,
    stdin: Stream,
    step: (stdin: Stream) => Stream,
  ): Stream {
    const found = readRedirections(redirects, source, stdin, this)
    const output = step(found.stdin)
    for (const target of found.targets) this.write(target, output)
    return found.takesOutput ? nothing : output
  }
}
