/** Statements and blocks, each branch once. */

import type {
  Case,
  Command,
  CommandNode,
  CompoundList,
  PipelineNode,
  Redirected,
  Statement,
  SyntaxNode,
  While,
  Word,
} from 'unbash'
import { forEachChild } from 'unbash'
import { isExistingCommand } from '../programs/reading.ts'
import { isShellHook } from './assignments.ts'
import { judgeTest } from './evaluated-values.ts'
import { expandAsOne, expandWords, runArithmetic, runNested } from './expand.ts'
import { type Redirecting, readRedirections } from './redirections.ts'
import type { Shell } from './shell.ts'
import { type Arg, arg, joined, nothing, type Stream, someMark, unknownMark } from './value.ts'

export interface Walker extends Redirecting, Pick<Shell, 'write' | 'runFunction'> {
  /** Returns a walker for the commands inside a substitution, which read the input of the command around it. */
  readonly reading: (input: Stream) => Walker
  /** Counts one step; false when there were too many, and nothing more is read. */
  readonly mayGoOn: () => boolean
  readonly runCommand: (command: Command, source: string, stdin: Stream) => Stream
  readonly deeper: <Result>(step: (inner: Walker) => Result, otherwise: Result) => Result
  readonly detached: () => Walker
  readonly subshell: () => Walker
}

export interface Surroundings {
  readonly source: string
  readonly stdin: Stream
  readonly walker: Walker
}

type Node = PipelineNode | Statement['command'] | CompoundList

export function runStatements(statements: readonly Statement[], at: Surroundings): Stream {
  return joined(statements.map((statement) => runStatement(statement, at)).filter((stream) => stream !== nothing))
}

function runStatement({ command, background }: Statement, at: Surroundings): Stream {
  if (!at.walker.mayGoOn()) return nothing
  return runNode(command, background ? { ...at, walker: at.walker.detached().subshell() } : at)
}

export function runNode(node: Node, at: Surroundings): Stream {
  const walker = at.walker.reading(at.stdin)
  if (node.type === 'Command') return walker.runCommand(node, at.source, at.stdin)
  return walker.deeper((inner) => runBlock(node, { ...at, walker: inner }), nothing)
}

function runBlock(node: Exclude<Node, Command>, at: Surroundings): Stream {
  const { walker, source } = at
  const run = (list: CompoundList | undefined) => (list === undefined ? nothing : runStatements(list.commands, at))
  switch (node.type) {
    case 'CompoundList':
      return run(node)
    case 'AndOr':
      return joined(node.commands.map((one) => runNode(one, at)))
    case 'Pipeline':
      return runPipeline(node.commands, at)
    case 'Subshell':
      return runStatements(node.body.commands, { ...at, walker: walker.subshell() })
    case 'BraceGroup':
      return run(node.body)
    case 'If':
      return joined([
        run(node.clause),
        run(node.then),
        ...node.elif.flatMap(({ clause, then }) => [run(clause), run(then)]),
        run(node.else),
      ])
    case 'While':
      if (isEndless(node)) reportStarts(node.body, walker)
      return joined([run(node.clause), run(node.body)])
    case 'ArithmeticFor':
      for (const part of [node.initialize, node.test, node.update])
        if (part !== undefined) runArithmetic(part, source.slice(part.pos, part.end), source, walker)
      if (node.test === undefined) reportStarts(node.body, walker)
      return run(node.body)
    case 'For':
    case 'Select':
      return runLoop(node.name.text, node.wordlist, node.body, at)
    case 'Case':
      return runCase(node, at)
    case 'Redirected':
      return runRedirected(node, at)
    case 'Coproc':
      walker.setVariable(node.name?.value ?? 'COPROC', { kind: 'array', elements: [arg(someMark), arg(someMark)] })
      return runNode(node.body, { ...at, walker: walker.detached() })
    case 'Function':
      defineFunction(node.name.value, source.slice(node.body.pos, node.body.end), walker)
      return nothing
    case 'TestCommand':
      runNested(node, source, walker)
      judgeTest(source.slice(node.pos, node.end), walker)
      return nothing
    case 'ArithmeticCommand':
      runArithmetic(node, node.body, source, walker)
      return nothing
  }
}

function runRedirected({ redirects, command }: Redirected, at: Surroundings): Stream {
  const { stdin, targets, takesOutput } = readRedirections(redirects, at.source, at.stdin, at.walker)
  const output = runNode(command, { ...at, stdin })
  for (const target of targets) at.walker.write(target, output)
  return takesOutput ? nothing : output
}

function runPipeline(commands: readonly CommandNode[], at: Surroundings): Stream {
  const [only] = commands
  if (commands.length === 1 && only !== undefined) return runNode(only, at)
  const { walker } = at
  const isShell = (node: CommandNode | undefined) =>
    node?.type === 'Command' && /^(\S*\/)?(ba|z|da|k|a|fi)?sh$/.test(node.name?.value ?? '')
  const isRelay = (node: CommandNode | undefined) =>
    node?.type === 'Command' && /^(\S*\/)?(nc|ncat|netcat|telnet|socat|openssl|websocat)$/.test(node.name?.value ?? '')
  commands.forEach((node, index) => {
    // A shell that sends its output to another machine takes its commands from there.
    if (isShell(node) && isRelay(commands[index + 1])) walker.report('D2', 'remote-code')
  })
  let stream = at.stdin
  for (const command of commands) {
    // zsh and fish run the end of a pipeline in the shell itself, others do not.
    if (command.type === 'Function' || (command.type === 'Command' && command.name?.value === 'alias'))
      walker.report('Q2', 'unresolved')
    stream = runNode(command, { ...at, stdin: stream, walker: walker.detached().subshell() })
  }
  return stream
}

const iterationsMax = 200 // of one loop over words; what is beyond is taken as unknown

function runLoop(name: string, words: readonly Word[] | undefined, body: CompoundList, at: Surroundings): Stream {
  const { walker, source } = at
  const fields =
    words === undefined
      ? (walker.state.positional.value ?? [arg(unknownMark)])
      : expandWords(words, source, walker).flat()
  const seen = fields.length > iterationsMax ? [...fields.slice(0, iterationsMax), arg(unknownMark)] : fields
  const runs = seen.map((value: Arg) => {
    if (!walker.mayGoOn()) return nothing
    walker.setVariable(name, { kind: 'scalar', values: [value] })
    return runStatements(body.commands, at)
  })
  return joined(runs.length > 0 ? runs : [runStatements(body.commands, at)])
}

function runCase({ word, items }: Case, at: Surroundings): Stream {
  const { walker, source } = at
  expandAsOne(word, source, walker)
  return joined(
    items.map(({ pattern, body }) => {
      for (const one of pattern) runNested(one, source, walker)
      return runStatements(body.commands, at)
    }),
  )
}

/** Functions that a shell calls automatically. */
const calledByShell = /^(precmd|preexec|chpwd|periodic|zshexit|zshaddhistory|command_not_found_handler?|TRAP[A-Z]+)$/

function defineFunction(name: string, body: string, walker: Walker): void {
  if (isExistingCommand(name)) walker.report('Q2', 'shadowing', name)
  else if (isShellHook(name)) walker.report('Q2', 'self-tampering', name)
  walker.state.functions.set(name, { source: body })
  if (!calledByShell.test(name)) return
  walker.report('Q2', 'shadowing', name)
  walker.subshell().runFunction(name, [], nothing)
}

/** `while true`, `until false`, `while ((1))`. */
function isEndless({ kind, clause }: While): boolean {
  const [only] = clause.commands
  if (clause.commands.length !== 1 || only === undefined) return false
  if (only.command.type === 'ArithmeticCommand') return kind === 'while' && /^\s*[1-9]\d*\s*$/.test(only.command.body)
  if (only.command.type !== 'Command') return false
  const words = [only.command.name?.value, ...only.command.args.map((one) => one.text)]
    .join(' ')
    .replace(/^\/(usr\/)?bin\//, '')
  return kind === 'while'
    ? /^(true|:|\[ 1 \]|test 1|sleep [\d.]+)$/.test(words)
    : /^(false|\[ \]|test|! true)$/.test(words)
}

/** In an endless loop, programs are started in the background and never waited for. */
function reportStarts(body: CompoundList, walker: Walker): void {
  let starts = false
  let ends = false
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Statement' && node.background) starts = true
    if (node.type === 'Command' && /^(wait|break|exit|return|exec)$/.test(node.name?.value ?? '')) ends = true
    if (node.type === 'Script' || node.type === 'Function') return
    forEachChild(node, visit)
  }
  visit(body)
  if (starts && !ends) walker.report('D2', 'fork-bomb')
}
