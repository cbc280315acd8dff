import { isAtOrBelow } from '../places/paths.ts'
import { judgeInfra } from '../programs/infra.ts'
import { judgeAgents, judgeNamedFiles } from '../programs/named-files.ts'
import { outsideTree, programs } from '../programs/programs.ts'
import { programName, runPlain } from '../programs/reading.ts'
import { judgeSmuggling } from '../programs/smuggling.ts'
import { assignNode } from './assignments.ts'
import type { Parts } from './command-parts.ts'
import { judgeSubscripts } from './evaluated-values.ts'
import { expandAsOne, expandWord, expandWords, sequences } from './expand.ts'
import type { Shell } from './shell.ts'
import { type Arg, arg, hasTaint, isStatic, nothing, type Stream, taints, unknownStream } from './value.ts'

/** The words behind a command's name, in each way they may come out. */
export function argumentsOf(
  { args }: Parts,
  source: string,
  shell: Parameters<typeof assignNode>[2],
): readonly (readonly Arg[])[] {
  if (args.every((one) => one.type === 'Word')) return expandWords(args, source, shell)
  return sequences(args, (one): readonly (readonly Arg[])[] => {
    if (one.type === 'Word') return expandWord(one, source, shell)
    if (one.value.type === 'ArrayValue') {
      assignNode(one, source, shell)
      return [[]]
    }
    return expandAsOne(one.value, source, shell).map((value) => [
      { ...value, text: `${one.name}${one.index === undefined ? '' : `[${one.index.text}]`}=${value.text}` },
    ])
  })
}

interface Input {
  readonly stdin: Stream
  readonly readsTerminal: boolean
}

/** Names of the standard input and output themselves. */
const standardStream = /^(\/dev\/(stdin|stdout|fd\/[01])|\/proc\/self\/fd\/[01])$/

/** Runs one simple command with known words: chooses the rule that judges it. */
export function runSimple(words: readonly Arg[], { stdin, readsTerminal }: Input, caller: Shell): Stream {
  const [word, ...given] = words
  if (word === undefined) return nothing
  const shell =
    caller.state.gate !== null && outsideTree.has(programName(word.text)) ? caller.within({ gate: null }) : caller
  const args = given.map((one) => (standardStream.test(one.text) ? { ...one, text: '-' } : one))
  if (!isStatic(word) || word.isGlob) return reportUnknownCommand(word, shell)
  if (word.text === '') return nothing
  // In zsh, a lone `-` may precede a command; in sh, `time -v rm` is the program time with an option.
  if (word.text === '-') return shell.run(args, stdin)
  if (word.text.startsWith('-') && args.length > 0) return shell.run([arg('time'), ...words], stdin)
  if (hasTaint(word, taints.decoded)) shell.report('D2', 'encoded-payload')
  const name = programName(word.text)
  const script = word.text.includes('/') ? shell.resolve(word.text) : null
  if (script !== null) {
    const ran = runScriptAt(script, word, { args, stdin }, shell)
    if (ran !== null) return ran
  } else if (shell.state.functions.has(word.text)) return shell.runFunction(word.text, args, stdin)
  if (args.length === 1 && /^--(help|version)$/.test(args[0]?.text ?? '')) return unknownStream()
  const program = Object.hasOwn(programs, name) ? programs[name] : undefined
  const isUnknown = program === undefined
  const call = { name, word, args, stdin, readsTerminal }
  judgeSmuggling(name, args, shell)
  judgeSubscripts(name, args, shell)
  const secret = judgeInfra(name, args, isUnknown, shell) | judgeNamedFiles(call, isUnknown, shell)
  judgeAgents(call, isUnknown, shell)
  const output = (program ?? runPlain)(call, shell)
  return secret === taints.none ? output : { ...output, taint: output.taint | secret }
}

function reportUnknownCommand(word: Arg, shell: Shell): Stream {
  if (hasTaint(word, taints.network)) shell.report('D2', 'remote-code')
  else if (hasTaint(word, taints.decoded)) shell.report('D2', 'encoded-payload')
  else shell.report('Q2', 'unresolved')
  return unknownStream(word.taint)
}

/** A file whose content came about on the way; null when nothing is known of it. */
function runScriptAt(
  path: string,
  word: Arg,
  { args, stdin }: { args: readonly Arg[]; stdin: Stream },
  shell: Shell,
): Stream | null {
  const content = shell.state.files.get(path)
  if (content !== undefined && !path.startsWith('/dev/'))
    return shell.subshell().runFile(word, content, { stdin, positional: args })
  if (shell.state.fetchedFolders.some((folder) => isAtOrBelow(path, folder))) {
    shell.report('Q2', 'remote-code')
    return unknownStream()
  }
  return null
}
