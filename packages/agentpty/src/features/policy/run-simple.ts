/** One simple command whose words are known: which rule judges it. */

import { effectOfReading } from './effects.ts'
import { judgeSubscripts } from './evaluated-values.ts'
import { isExistingCommand } from './known-commands.ts'
import { isAtOrBelow } from './paths.ts'
import { isProtectedRoot } from './places.ts'
import { programName } from './program-name.ts'
import { judgeInfra } from './programs/infra.ts'
import { readsNothing, runPlain } from './programs/plain.ts'
import { programs } from './programs/programs.ts'
import { judgeSmuggling } from './programs/smuggling.ts'
import type { Shell } from './shell.ts'
import { type Arg, arg, hasTaint, isStatic, nothing, type Stream, taints, unknownMark, unknownStream } from './value.ts'

interface Input {
  readonly stdin: Stream
  readonly readsTerminal: boolean
}

export function runSimple(words: readonly Arg[], { stdin, readsTerminal }: Input, shell: Shell): Stream {
  const [word, ...args] = words
  if (word === undefined) return nothing
  if (!isStatic(word) || word.isGlob) return reportUnknownCommand(word, shell)
  if (word.text === '') return nothing
  // To zsh a lone `-` stands before a command; to sh, `time -v rm` is the program time with an option.
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
  judgeSmuggling(name, args, shell)
  judgeSubscripts(name, args, shell)
  const secret = judgeInfra(name, args, shell) | reportCredentials(name, args, shell)
  if (program === undefined) judgeUnknown(name, args, shell)
  const output = (program ?? runPlain)({ name, word, args, stdin, readsTerminal }, shell)
  return secret === taints.none ? output : { ...output, taint: output.taint | secret }
}

function reportUnknownCommand(word: Arg, shell: Shell): Stream {
  if (hasTaint(word, taints.network)) shell.report('D2', 'remote-code')
  else if (hasTaint(word, taints.decoded)) shell.report('D2', 'encoded-payload')
  else shell.report('Q2', 'unresolved')
  return unknownStream(word.taint)
}

/** A program that nobody knows, called the way one deletes a tree. */
function judgeUnknown(name: string, args: readonly Arg[], shell: Shell): void {
  if (isExistingCommand(name) || !args.some(({ text }) => /^-[a-z]*(r[a-z]*f|f[a-z]*r)[a-z]*$/i.test(text))) return
  for (const { text } of args) {
    const path = text.startsWith('-') ? null : shell.resolve(text)
    if (path !== null && isProtectedRoot(path, shell.state)) shell.report('D2', 'root-wipe')
  }
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
    return shell.runFile(word, content, { stdin, positional: args, isSubshell: true })
  if (shell.state.fetchedFolders.some((folder) => isAtOrBelow(path, folder))) {
    shell.report('Q2', 'remote-code')
    return unknownStream()
  }
  return null
}

/** Any program that is given a credential to read shows it, unless it is one of those that only look at names. */
function reportCredentials(name: string, args: readonly Arg[], shell: Shell): number {
  if (readsNothing.has(name)) return taints.none
  let taint: number = taints.none
  for (const { text } of args) {
    if (text.length > 4_096) continue
    const path = text.startsWith('-') ? text.slice(text.indexOf('=') + 1) : text
    if (path === '' || path.startsWith('-')) continue
    const effect = effectOfReading(looksLikePath(path) ? shell.resolve(path.replaceAll(unknownMark, '*')) : null)
    if (effect === null) continue
    shell.report(...effect)
    taint |= taints.secret
  }
  return taint
}

/** A bare word may be a pattern or a message; only what has a folder is taken as a path. */
const looksLikePath = (text: string) =>
  text.includes('/') ||
  /^[\w.-]+\.(pem|key|p12|pfx|kdbx)$/.test(text) ||
  /^(id_[a-z0-9]+|credentials|core\.\d+|\.netrc|\.npmrc|\.pypirc|\.git-credentials)$/.test(text)
