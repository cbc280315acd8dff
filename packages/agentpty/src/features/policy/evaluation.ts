/**
 * One judgement: walks a parsed program as the shell would run it, with every branch taken once, and keeps the strictest finding.
 *
 * Nothing runs. The cost is bounded by `stepsMax` simple commands and `depthMax` levels; what is beyond is "ask".
 */

import type { ArrayValue, Assignment, Command, HereDoc, ParsedScript, Redirect, Redirection } from 'unbash'
import { parse } from 'unbash'
import { judgeAssignment } from './assignments.ts'
import { contentOf, effectOfReading, effectOfRemoval, effectOfWriting } from './effects.ts'
import { type Expander, expandAsOne, expandBody, expandWord, expandWords, sequences } from './expand.ts'
import { normalPath } from './paths.ts'
import { copyForSubshell, type PolicyState } from './policy-state.ts'
import { runStatements, type Walker } from './run-node.ts'
import { runSimple } from './run-simple.ts'
import type { CodeOptions, Shell } from './shell.ts'
import {
  type Arg,
  arg,
  asStream,
  hasTaint,
  isKnown,
  joined,
  nothing,
  type Stream,
  taints,
  unknownMark,
  unknownStream,
} from './value.ts'
import { type Code, type Finding, nothingFound, type Rule, strictest } from './verdict.ts'

const stepsMax = 5_000 // simple commands of one judgement
const depthMax = 80 // programs within programs and blocks within blocks
const codeBytesMax = 100_000 // of one program's text, and twice that of all its parts

/** What was there before a function or script began, to know when it starts itself. */
interface Running {
  readonly name: string
  readonly detached: number
}

export class Evaluation implements Shell, Expander, Walker {
  state: PolicyState
  #found: Finding = nothingFound
  #current = ''
  #steps = 0
  #depth = 0
  #codeBytes = 0
  #substitutions = 0
  #detached = 0
  #running: Running[] = []
  /** Programs that wait at the other end of `>(…)`, by path. */
  readonly #sinks = new Map<string, { readonly script: ParsedScript; readonly source: string }>()

  constructor(state: PolicyState) {
    this.state = state
  }

  get found(): Finding {
    return this.#found
  }

  report(code: Code, rule: Rule, what = this.#current): void {
    this.#found = strictest(this.#found, { code, rule, resolved: what })
  }

  /** Judges a program's text at the top. */
  runText(source: string): Stream {
    return this.#parsed(source, nothing)
  }

  #parsed(source: string, stdin: Stream): Stream {
    this.#codeBytes += source.length
    if (source.length > codeBytesMax || this.#codeBytes > 2 * codeBytesMax) {
      this.tooMuch()
      return unknownStream()
    }
    return this.runScript(parse(source), source, stdin)
  }

  runScript(script: ParsedScript, source: string, stdin: Stream): Stream {
    const isContinued = endsInBackslash(source)
    if ((script.errors?.length ?? 0) > 0 || isContinued) this.report('Q2', 'unparsed', source.slice(0, 200))
    return this.deeper(
      () => runStatements(script.commands, { source: script.source ?? source, stdin, walker: this }),
      unknownStream(),
    )
  }

  /** Runs `step` one level deeper; too deep is a finding. */
  deeper<Result>(step: () => Result, otherwise: Result): Result {
    if (this.#depth >= depthMax) {
      this.tooMuch()
      return otherwise
    }
    this.#depth++
    const result = step()
    this.#depth--
    return result
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

  tooMuch(): void {
    this.report('Q2', 'limits')
  }

  // --- what expansion asks ---

  substitute(script: ParsedScript | undefined, source: string): Stream {
    if (script === undefined) {
      this.report('Q2', 'unparsed')
      return unknownStream()
    }
    return this.inSubshell(() => this.runScript(script, source, nothing))
  }

  processSubstitution(script: ParsedScript | undefined, operator: '<' | '>', source: string): string {
    const path = `/dev/fd/${63 - this.#substitutions++}`
    if (operator === '<') this.state.files.set(path, this.substitute(script, source))
    else if (script !== undefined) this.#sinks.set(path, { script, source })
    return path
  }

  // --- what programs ask ---

  run(words: readonly Arg[], stdin: Stream, readsTerminal = false): Stream {
    if (++this.#steps > stepsMax) {
      this.tooMuch()
      return unknownStream()
    }
    const kept = this.#current
    this.#current = words
      .map(({ text }) => text.replaceAll(unknownMark, '…'))
      .join(' ')
      .slice(0, 300)
    const result = this.deeper(() => runSimple(words, { stdin, readsTerminal }, this), unknownStream())
    this.#current = kept
    return result
  }

  runCode(code: Arg, { stdin = nothing, positional, isSubshell }: CodeOptions = {}): Stream {
    if (!isKnown(code)) {
      const isSetup = code.text === unknownMark && code.taint === taints.setup
      if (hasTaint(code, taints.network)) this.report('D2', 'remote-code')
      else if (hasTaint(code, taints.decoded)) this.report('D2', 'encoded-payload')
      else if (!isSetup) this.report('Q2', 'unresolved')
    } else if (hasTaint(code, taints.decoded)) this.report('D2', 'encoded-payload')
    if (code.text === unknownMark) return unknownStream(code.taint)
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
    return this.#start(name, () => this.runCode(arg(body.source), { stdin, positional: args }))
  }

  /** One that runs already and is started again where nobody waits for it never ends. */
  #start(name: string, step: () => Stream): Stream {
    const before = this.#running.find((running) => running.name === name)
    if (before !== undefined) {
      if (this.#detached > before.detached) this.report('D2', 'fork-bomb')
      return unknownStream()
    }
    this.#running.push({ name, detached: this.#detached })
    const result = step()
    this.#running.pop()
    return result
  }

  resolve(path: string): string | null {
    if (!isKnown({ text: path })) return null
    // A short unknown name in a path may be any name.
    const text = path.replaceAll('\u0001', '*')
    const { cwd, links } = this.state
    if (!text.startsWith('/') && cwd === null) return null
    const full = normalPath(text.startsWith('/') ? text : `${cwd}/${text}`)
    for (const [link, target] of links)
      if (full === link || full.startsWith(`${link}/`)) return normalPath(`${target}${full.slice(link.length)}`)
    return full
  }

  read(path: Arg): Stream {
    const resolved = this.resolve(path.text)
    const effect = effectOfReading(resolved)
    if (effect !== null) this.report(...effect)
    return contentOf(resolved, path, effect !== null, this.state)
  }

  write(path: Arg, content: Stream): void {
    const resolved = this.resolve(path.text)
    const sink = resolved === null ? undefined : this.#sinks.get(resolved)
    if (sink !== undefined) {
      this.detached(() => this.inSubshell(() => this.runScript(sink.script, sink.source, content)))
      return
    }
    if (resolved !== null && /^\/dev\/(tcp|udp)\//.test(resolved) && hasTaint(content, taints.secret))
      this.report('D2', 'credential-exfil')
    const effect = effectOfWriting(resolved, content, this.state)
    if (effect !== null) this.report(...effect)
    if (resolved !== null && !resolved.startsWith('/dev/')) this.state.files.set(resolved, content)
  }

  remove(path: Arg): void {
    const resolved = this.resolve(path.text)
    const effect = effectOfRemoval(resolved, this.state)
    if (effect !== null) this.report(...effect)
    if (resolved !== null) this.state.files.delete(resolved)
  }

  // --- simple commands ---

  runCommand(given: Command, source: string, stdin: Stream): Stream {
    const command = withSubstitutedValue(given)
    const aliased = this.#aliasText(command, source)
    if (aliased !== null) return this.#start(`alias ${aliased.name}`, () => this.runCode(arg(aliased.text), { stdin }))
    const before = command.prefix.filter((one): one is Assignment => one.type === 'Assignment')
    const redirects = this.#redirections(given.redirects, source, stdin)
    if (command.name === undefined) {
      for (const one of before) this.#assignNode(one, source)
      for (const target of redirects.targets) this.write(target, nothing)
      return nothing
    }
    const kept = before.length > 0 ? new Map(this.state.variables) : null
    for (const one of before) this.#assignNode(one, source)
    const names = expandWord(command.name, source, this)
    const rest = this.#argumentsOf(command, source)
    // Assignments before a command are gone after it.
    if (kept !== null) this.state.variables = kept
    const readsTerminal = redirects.stdin === nothing
    const outputs = names.flatMap((name) =>
      rest.map((words) => {
        const line = [...name, ...words]
        if (line.length === 0) return nothing
        if (redirects.isKept && line.length === 1 && line[0]?.text === 'exec')
          return this.#keepDescriptors(given, source)
        return this.run(line, redirects.stdin, readsTerminal)
      }),
    )
    const output = joined(outputs)
    for (const target of redirects.targets) this.write(target, output)
    this.#runSinks(output, stdin)
    return redirects.targets.length > 0 && redirects.takesOutput ? nothing : output
  }

  /** Programs at the other end of a `>(…)` that no rule has written to. */
  #runSinks(output: Stream, stdin: Stream): void {
    for (const [path, { script, source }] of this.#sinks) {
      this.#sinks.delete(path)
      this.inSubshell(() => this.runScript(script, source, joined([output, stdin])))
    }
  }

  #aliasText({ name, end }: Parts, source: string): { readonly name: string; readonly text: string } | null {
    const { aliases, globalAliases } = this.state
    if (name === undefined || (aliases.size === 0 && globalAliases.size === 0)) return null
    const key = name.text
    const rest = source.slice(name.end, end)
    const body = this.#running.some((one) => one.name === `alias ${key}`) ? undefined : aliases.get(key)
    if (body !== undefined) {
      const next = /^\s*([\w.-]+)/.exec(rest)
      const follows = /\s$/.test(body) && next !== null ? aliases.get(next[1] ?? '') : undefined
      return {
        name: key,
        text: `${body}${follows === undefined ? rest : ` ${follows}${rest.slice(next?.[0].length)}`}`,
      }
    }
    for (const [global, text] of globalAliases) {
      const words = source.slice(name.pos, end).split(' ')
      if (words.includes(global) && !this.#running.some((one) => one.name === `alias ${global}`))
        return { name: global, text: words.map((word) => (word === global ? text : word)).join(' ') }
    }
    return null
  }

  #argumentsOf({ args }: Parts, source: string): readonly (readonly Arg[])[] {
    if (args.every((one) => one.type === 'Word')) return expandWords(args, source, this)
    return sequences(args, (one): readonly (readonly Arg[])[] => {
      if (one.type === 'Word') return expandWord(one, source, this)
      if (one.value.type === 'ArrayValue') {
        this.#assignNode(one, source)
        return [[]]
      }
      return expandAsOne(one.value, source, this).map((value) => [{ ...value, text: `${one.name}=${value.text}` }])
    })
  }

  #assignNode({ name, value, append, index }: Assignment, source: string): void {
    const { variables } = this.state
    if (value.type === 'ArrayValue') {
      const elements = this.#elementsOf(value, source)
      const before = variables.get(name)
      variables.set(name, {
        kind: 'array',
        elements: append && before?.kind === 'array' ? [...before.elements, ...elements] : elements,
      })
      return
    }
    const values = expandAsOne(value, source, this)
    if (index !== undefined) {
      const before = variables.get(name)
      variables.set(name, {
        kind: 'array',
        elements: [...(before?.kind === 'array' ? before.elements : []), ...values],
      })
      return
    }
    const before = variables.get(name)
    const start = append && before?.kind === 'scalar' ? before.values : [arg(append ? unknownMark : '')]
    const joinedValues = start.flatMap((one) =>
      values.map((two) => ({
        text: one.text + two.text,
        taint: one.taint | two.taint,
        isGlob: one.isGlob || two.isGlob,
      })),
    )
    for (const one of joinedValues) judgeAssignment(name, one, this)
    variables.set(name, { kind: 'scalar', values: joinedValues.slice(0, 8) })
  }

  #elementsOf({ elements }: ArrayValue, source: string): readonly Arg[] {
    return (expandWords(elements, source, this)[0] ?? []).map((one) => ({
      ...one,
      text: one.text.replace(/^\[[^\]]*\]=/, ''),
    }))
  }

  readonly assign = (name: string, value: Arg): void => {
    judgeAssignment(name, value, this)
    this.state.variables.set(name, { kind: 'scalar', values: [value] })
  }

  // --- redirections ---

  /** What a command reads, and where its output goes. */
  #redirections(redirections: readonly Redirection[], source: string, stdin: Stream) {
    const targets: Arg[] = []
    let [input, takesOutput] = [stdin, false]
    for (const one of redirections) {
      if (one.type === 'HereDoc') input = this.#hereDocument(one, source)
      else if (one.type === 'HereString')
        input = one.target === undefined ? unknownStream() : this.#hereString(one.target, source)
      else {
        const found = this.#redirect(one, source)
        if (found.input !== null && descriptorOf(one, 0) === 0 && (input === stdin || one.operator.startsWith('<')))
          input = found.input
        targets.push(...found.targets)
        takesOutput ||= found.targets.length > 0 && descriptorOf(one, 1) === 1
      }
    }
    return { stdin: input, targets, takesOutput, isKept: redirections.length > 0 }
  }

  #hereString(word: Parameters<typeof expandAsOne>[0], source: string): Stream {
    return joined(expandAsOne(word, source, this).map((one) => asStream({ ...one, text: `${one.text}\n` })))
  }

  #hereDocument({ body, delimiter, operator }: HereDoc, source: string): Stream {
    const text = (raw: string) => (operator === '<<-' ? raw.replace(/^\t+/gm, '') : raw)
    if (delimiter?.quoted || body.parts === undefined) return { ...nothing, text: text(body.text) }
    return joined(expandBody(body.parts, source, this).map((one) => asStream({ ...one, text: text(one.text) })))
  }

  #redirect(redirect: Redirect, source: string): { readonly input: Stream | null; readonly targets: readonly Arg[] } {
    const paths = redirect.target === undefined ? [arg(unknownMark)] : expandAsOne(redirect.target, source, this)
    const [path = arg(unknownMark)] = paths
    const isNetwork = /^\/dev\/(tcp|udp)\//.test(path.text)
    if (redirect.operator === '<&' || redirect.operator === '>&') {
      if (/^\d+-?$|^-$/.test(path.text)) {
        const input = this.state.descriptors.get(Number.parseInt(path.text, 10)) ?? null
        if (redirect.operator === '>&' && input !== null && hasTaint(input, taints.network))
          return { input: null, targets: [arg('/dev/tcp/peer')] }
        return { input: redirect.operator === '<&' ? input : null, targets: [] }
      }
    }
    if (redirect.operator === '<' || redirect.operator === '<&') {
      if (/^\/(dev\/stdin|dev\/fd\/0|proc\/self\/fd\/0)$/.test(path.text)) return { input: null, targets: [] }
      return { input: joined(paths.map((one) => this.read(one))), targets: [] }
    }
    if (redirect.operator === '<>') return { input: this.read(path), targets: paths }
    // What is connected to the network is read from it as well: `>& /dev/tcp/host/port 0>&1`.
    if (isNetwork) this.state.descriptors.set(1, unknownStream(taints.network))
    return { input: isNetwork ? unknownStream(taints.network) : null, targets: paths }
  }

  /** `exec 3< file`: the descriptor stays. */
  #keepDescriptors({ redirects }: Command, source: string): Stream {
    for (const one of redirects) {
      if (one.type !== 'Redirect') continue
      const { input } = this.#redirect(one, source)
      const number = descriptorOf(one, one.operator.startsWith('<') ? 0 : 1)
      if (input !== null) this.state.descriptors.set(number, input)
    }
    return nothing
  }

  /** Redirections of a block. */
  runRedirected(
    redirects: readonly Redirection[],
    source: string,
    stdin: Stream,
    step: (stdin: Stream) => Stream,
  ): Stream {
    const found = this.#redirections(redirects, source, stdin)
    const output = step(found.stdin)
    for (const target of found.targets) this.write(target, output)
    return found.takesOutput ? nothing : output
  }
}

/** What of a command is looked at besides its redirections. */
type Parts = Pick<Command, 'prefix' | 'name' | 'args' | 'end'>

/** The parser ends an assignment before `<(…)`, which is its value. To be removed when unbash reads `x=<(…)` as one assignment. */
function withSubstitutedValue(command: Command): Parts {
  const { prefix, name, args, end } = command
  const last = prefix.at(-1)
  if (last?.type !== 'Assignment' || name === undefined || last.end !== name.pos || !/^[<>]\(/.test(name.text))
    return command
  const [next, ...rest] = args
  const { type, pos, text, append, index } = last
  const whole: Assignment = { type, pos, end: name.end, text, name: last.name, value: name, append, index }
  return { prefix: [...prefix.slice(0, -1), whole], name: next?.type === 'Word' ? next : undefined, args: rest, end }
}

function descriptorOf({ descriptor }: Redirect, otherwise: number): number {
  return descriptor?.type === 'FileDescriptor' ? descriptor.value : otherwise
}

/** Pagers, editors and the like that programs are told to use every day. */
const wellKnown =
  /^(true|false|cat|:|less|more|most|bat|batcat|delta|diff-so-fancy|vi|vim|nvim|nano|pico|emacs|emacsclient|code|codium|subl|micro|hx|helix|kak|joe|ed|mate|gedit|kate|gcc|g\+\+|clang|clang\+\+|cc|c\+\+|ccache|sccache|ssh|ld|lld|mold|tcc|zig|osxkeychain|store|cache|manager|libsecret|gh|firefox|chromium|google-chrome|xdg-open|open|meld|vimdiff|nvimdiff|gpg|gpg2|ssh-keygen|gzip|pigz|zstd|xz|bzip2|lz4|pbzip2|lzip|brotli|lbzip2|unpigz|zstdmt|pixz)$/

function isWellKnown(text: string): boolean {
  const words = text.trim().split(/\s+/)
  const [name = '', ...rest] = words
  if (/[;&|<>$`(){}!\0\n]/.test(text)) return false
  if (name === 'ssh' || name.endsWith('/ssh'))
    return !rest.some((word) => /^-(o|F)|ProxyCommand|LocalCommand/i.test(word))
  return wellKnown.test(name.replace(/^\/usr\/(local\/)?bin\//, ''))
}

/** A line that goes on. */
function endsInBackslash(source: string): boolean {
  let count = 0
  while (source[source.length - 1 - count] === '\\') count++
  return count % 2 === 1
}
