/**
 * One judgement: walks a parsed program as the shell would run it, with every branch taken once, and keeps the strictest finding.
 *
 * Nothing runs. The cost is bounded (`findings.ts`); what is beyond is "ask".
 */

import type { Assignment, Command, ParsedScript } from 'unbash'
import { parse } from 'unbash'
import { endsInBackslash, plainWords } from '../lex/literals.ts'
import { codeOfPattern } from '../lex/zsh.ts'
import { resolvePath } from '../places/paths.ts'
import { isWellKnown } from '../programs/reading.ts'
import type { Checks } from '../rules/rule-check.ts'
import { CommandVariables, cell, copyForSubshell, type PolicyState, type Variable } from '../state/policy-state.ts'
import type { Code, Finding, Rule } from '../verdict.ts'
import { assignNode, setVariable } from './assignments.ts'
import { reportCode, withSubstitutedValue } from './command-parts.ts'
import { type Expander, expandWord } from './expand.ts'
import { Bounds, depthMax, Findings, type Sink, Sinks } from './findings.ts'
import { keepDescriptors, readFile, readRedirections, removeFile, writeFile } from './redirections.ts'
import { runStatements, type Walker } from './run-node.ts'
import { argumentsOf, runSimple } from './run-simple.ts'
import { aliasText, findRunning, type Gathered, type Scope, top } from './scope.ts'
import type { CodeOptions, Shell } from './shell.ts'
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

/** Rules about changes of files. A gate asks about them where they happen. */
const seenByGates: ReadonlySet<Rule> = new Set<Rule>(['deletion', 'outside-write'])

export class Evaluation implements Shell, Expander, Walker {
  readonly state: PolicyState
  readonly gathered: Gathered
  readonly #scope: Scope

  private constructor(state: PolicyState, gathered: Gathered, scope: Scope) {
    this.state = state
    this.gathered = gathered
    this.#scope = scope
  }

  /** Changes `state`. `rules`: those of persons and repositories. `ignoresCase`: as PowerShell and cmd read commands. */
  static of(state: PolicyState, rules: Checks | null = null, ignoresCase = false): Evaluation {
    const findings = new Findings(rules)
    const bounds = new Bounds()
    const sinks = new Sinks()
    return new Evaluation(state, { ignoresCase, findings, bounds, sinks }, top)
  }

  get found(): Finding {
    return this.gathered.findings.strictest
  }

  get ignoresCase(): boolean {
    return this.gathered.ignoresCase
  }

  report(code: Code, rule: Rule, what?: string): void {
    if (this.state.gate !== null && code !== 'D2' && seenByGates.has(rule)) return
    const { named, words } = this.#scope.current
    const resolved = what ?? shownCommand(named)
    this.gathered.findings.report({ code, rule, resolved }, { words, isPlaced: this.state.cwd.value !== null })
  }

  // --- the same evaluation, for a part of the program that is run elsewhere ---

  #inside(scope: Scope): Evaluation {
    return new Evaluation(this.state, this.gathered, scope)
  }

  within(own: Partial<PolicyState>): Evaluation {
    return new Evaluation({ ...this.state, ...own }, this.gathered, this.#scope)
  }

  inFolder(folder: Arg | undefined): Evaluation {
    return this.within({ cwd: cell(folder === undefined ? this.state.cwd.value : this.resolve(folder.text)) })
  }

  subshell(): Evaluation {
    return new Evaluation(copyForSubshell(this.state), this.gathered, this.#scope)
  }

  detached(): Evaluation {
    return this.#inside({ ...this.#scope, detached: this.#scope.detached + 1 })
  }

  reading(input: Stream): Evaluation {
    return input === this.#scope.input ? this : this.#inside({ ...this.#scope, input })
  }

  running(name: string): Evaluation {
    const { detached, running: outer } = this.#scope
    return this.#inside({ ...this.#scope, running: { name, detached, outer } })
  }

  isRunning(name: string): boolean {
    return findRunning(this.#scope, name) !== null
  }

  /** Too deep is a finding. What `step` reports is about the command `current`. */
  deeper<Result>(step: (inner: Evaluation) => Result, otherwise: Result, current = this.#scope.current): Result {
    const { depth, detached, running, input } = this.#scope
    // The hottest of all: faster than a spread.
    const inner = this.#inside({ current, depth: depth + 1, detached, running, input })
    if (depth < depthMax) return step(inner)
    inner.tooMuch()
    return otherwise
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
    return this.#isWithin(source) ? this.runScript(parse(source), source, stdin, isLine) : unknownStream()
  }

  #isWithin(source: string): boolean {
    return this.gathered.bounds.isWithin(source, this)
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
    const output = this.deeper(
      (walker) => runStatements(script.commands, { source: script.source ?? source, stdin, walker }),
      unknownStream(),
      { named: this.#scope.current.named, words: [] },
    )
    // The shell that refuses it runs nothing of it, unless the shell reads it differently.
    if (isWrong) report(isLine && this.found.code === 'A' ? 'unparsed' : 'unresolved')
    return output
  }

  mayGoOn(): boolean {
    return this.gathered.bounds.mayGoOn(this)
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
    const { input } = this.#scope
    return this.subshell().runScript(script, source, input === nothing ? unknownStream() : input)
  }

  processSubstitution(script: ParsedScript | undefined, operator: '<' | '>', source: string): string {
    const path = this.gathered.sinks.path()
    if (operator === '<') this.state.files.set(path, this.substitute(script, source))
    else if (script !== undefined) this.gathered.sinks.open(path, { script, source })
    return path
  }

  // --- what programs ask ---

  run(words: readonly Arg[], stdin: Stream, readsTerminal = false): Stream {
    if (!this.mayGoOn()) return unknownStream()
    this.gathered.findings.command(words, this)
    const step = (inner: Evaluation) => runSimple(words, { stdin, readsTerminal }, inner)
    return this.deeper(step, unknownStream(), { named: words, words })
  }

  runCode(code: Arg, { stdin = nothing, positional }: CodeOptions = {}): Stream {
    if (!reportCode(code, this)) return unknownStream(code.taint)
    const shell = positional === undefined ? this : this.within({ positional: cell(positional) })
    return shell.deeper((inner) => inner.#parsed(code.text, stdin), unknownStream())
  }

  runSmuggled(code: Arg): void {
    if (isWellKnown(code.text)) return
    this.report('Q2', 'smuggled-exec')
    this.subshell().runCode({ ...code, text: code.text.replace(/^!/, '') })
  }

  runFile(path: Arg, content: Stream, options: CodeOptions = {}): Stream {
    const name = this.resolve(path.text) ?? path.text
    const zero = { ...path, text: name }
    return this.#start(name, (inner) => inner.within({ zero }).runCode({ ...content, isGlob: false }, options))
  }

  runFunction(name: string, args: readonly Arg[], stdin: Stream): Stream {
    const body = this.state.functions.get(name)
    if (body === undefined) return unknownStream()
    // One that is defined anew while it runs is another.
    const code = arg(body.source)
    return this.#start(`${name} ${code.text}`, (inner) => inner.runCode(code, { stdin, positional: args }))
  }

  /** Starts code unless it is running already. Detached recursion never ends, so it is reported as a fork bomb. */
  #start(name: string, step: (inner: Evaluation) => Stream): Stream {
    const before = findRunning(this.#scope, name)
    if (before === null) return step(this.running(name))
    if (this.#scope.detached > before.detached) this.report('D2', 'fork-bomb')
    return unknownStream()
  }

  resolve(path: string): string | null {
    return resolvePath(path, this.state)
  }

  read(path: Arg): Stream {
    return readFile(path, this)
  }

  write(path: Arg, content: Stream): void {
    writeFile(path, content, this)
  }

  remove(path: Arg): void {
    removeFile(path, this)
  }

  names(path: string): void {
    this.gathered.findings.path(this.resolve(path), 'named')
  }

  reaches(address: string): void {
    this.gathered.findings.address(address)
  }

  // --- simple commands ---

  runCommand(given: Command, source: string, stdin: Stream): Stream {
    const command = withSubstitutedValue(given)
    const alias = aliasText(command, source, this)
    if (alias !== null) return this.#start(`alias ${alias.name}`, (inner) => inner.runCode(arg(alias.text), { stdin }))
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
    const shell =
      before.length === 0 ? this : this.within({ variables: new CommandVariables(this.state.variables, before) })
    for (const one of before) assignNode(one, source, shell)
    const outputs = names.flatMap((name) =>
      rest.map((words) => {
        const line = [...name, ...words]
        if (line.length === 0) return nothing
        const isExec = redirects.isKept && line.length === 1 && line[0]?.text === 'exec'
        if (isExec) return shell.#keepInput(given, source, redirects.read)
        return shell.run(line, redirects.stdin, redirects.stdin === nothing)
      }),
    )
    const output = joined(outputs)
    for (const target of redirects.targets) this.write(target, output)
    // Programs at the other end of a `>(…)` that no rule has written to.
    this.gathered.sinks.closeAll((sink) => this.runSink(sink, joined([output, stdin])))
    return redirects.targets.length > 0 && redirects.takesOutput ? nothing : output
  }

  /** `exec < file`: a shell that is typed into reads its next commands from there. */
  #keepInput(command: Command, source: string, read: Stream): Stream {
    if (read !== nothing) this.state.descriptors.set(0, read)
    if (hasTaint(read, taints.network)) this.report('D2', 'remote-code')
    else if (isKnown(read)) this.subshell().runCode({ ...read, isGlob: false })
    return keepDescriptors(command, source, this)
  }

  runSink({ script, source }: Sink, input: Stream): void {
    this.detached().subshell().runScript(script, source, input)
  }

  assign(name: string, value: Arg): void {
    setVariable(name, { kind: 'scalar', values: [value] }, this)
  }

  setVariable(name: string, variable: Variable): void {
    setVariable(name, variable, this)
  }

  runExpanded(text: Arg): void {
    if (!isKnown(text)) this.report('Q2', 'unresolved')
    if (!/\$\(|`/.test(text.text)) return
    this.subshell().runCode({ ...text, text: `: "${text.text.replaceAll('"', '\\"')}"` })
  }
}
