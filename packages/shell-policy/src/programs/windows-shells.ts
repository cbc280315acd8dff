/**
 * PowerShell and cmd, whose languages are not read. A line is allowed when it is one command of a short list, in plain words. Every
 * other line is asked about; a search of its text finds what is refused in any profile.
 */

import { isProtectedRoot } from '../places/places.ts'
import type { Rule } from '../verdict.ts'
import { reportCode } from '../walk/command-parts.ts'
import { effectOfReading, effectOfWriting } from '../walk/effects.ts'
import type { Program, Programs, Shell } from '../walk/shell.ts'
import {
  type Arg,
  arg,
  globArg,
  hasTaint,
  isKnown,
  joinedArgs,
  nothing,
  type Stream,
  taints,
  unknownStream,
} from '../walk/value.ts'
import { isListed } from './read-only.ts'
import {
  evaluates,
  floorPatterns,
  movesAway,
  programsOf,
  type ReadOnlyKind,
  readOnlyCommands,
  redefines,
  removes,
  sends,
  windowsRoots,
  writes,
} from './windows-shells-table.ts'

export type WindowsShell = keyof typeof readOnlyCommands

const textMax = 100_000 // characters of a line that are searched

export function runWindowsLine(kind: WindowsShell, code: Arg, shell: Shell): Stream {
  if (!reportCode(code, shell)) return unknownStream(code.taint)
  const text = code.text.trim()
  if (text === '') return nothing
  const words = shell.state.aliases.has(redefined) ? null : plainWords(kind, text)
  const output = words === null ? null : runReadOnly(kind, words, shell)
  return output ?? runUnread(text, shell)
}

/** Set once a line has changed what names mean. */
const redefined = 'windows shell'

/** A word that both shells take for itself: no variable, operator, pattern, drive or provider. */
const plainWord = /^(?:[\w./\\~+*-]+|"[\w./\\~+, -]*"|'[\w./\\~+, -]*')$/

function plainWords(kind: WindowsShell, text: string): readonly Arg[] | null {
  const words = text.match(/"[^"]*"|'[^']*'|\S+/g) ?? []
  if (words.join(' ') !== text.replaceAll(/[ \t]+/g, ' ') || !words.every((word) => plainWord.test(word))) return null
  // A quote of cmd is the double one, and `~` is a name there. Two backslashes begin a share on another machine.
  if (kind === 'cmd' && /['~]/.test(text)) return null
  const plain = words.map((word) => word.replaceAll(/^["']|["']$/g, '').replaceAll('\\', '/'))
  if (plain.some((word) => word.startsWith('//'))) return null
  return plain.map((word) => (word.includes('*') ? globArg(word) : arg(word)))
}

/** Null when it is not on the list. */
function runReadOnly(kind: WindowsShell, [word = arg(''), ...given]: readonly Arg[], shell: Shell): Stream | null {
  const name = word.text.toLowerCase()
  const known = readOnlyCommands[kind].get(name)
  if (known === undefined || (known !== 'lists' && given.some(({ isGlob }) => isGlob))) return null
  const args = given.map((one) => inHome(one, shell))
  if (!mayRun(known, args, shell)) return null
  const output = shell.run([arg(known === 'folder' ? 'cd' : name), ...args], nothing)
  if (known === 'reads') for (const path of operandsOf(args)) shell.read(path)
  return output
}

const operandsOf = (args: readonly Arg[]) => args.filter(({ text }) => !/^-|^\/[a-z]$/i.test(text))

function mayRun(kind: ReadOnlyKind, args: readonly Arg[], shell: Shell): boolean {
  const words = args.map(({ text }) => text)
  if (kind === 'folder') return words.length === 1 && !/^[-+]/.test(words[0] ?? '')
  if (kind === 'reads') return operandsOf(args).every(({ text }) => shell.resolve(text) !== null)
  return kind !== 'git' || isListed('git', words)
}

const inHome = (one: Arg, { state }: Shell): Arg => ({ ...one, text: one.text.replace(/^~(?=\/|$)/, state.home) })

/** Reports that the line was not read, and before that the findings of a search in it. */
function runUnread(line: string, shell: Shell): Stream {
  if (line.length > textMax) shell.report('Q2', 'limits')
  const source = line.slice(0, textMax)
  const isEvaluated = evaluates.test(source)
  const text = withoutDisguise(source)
  // A quoted text with blanks in it is data, unless something evaluates it.
  const code = isEvaluated
    ? text.replaceAll(/["']/g, ' ')
    : text.replaceAll(/"[^"\n]*\s[^"\n]*"|'[^'\n]*\s[^'\n]*'/g, '""')
  for (const { code: severity, rule, all } of floorPatterns)
    if (all.every((pattern) => pattern.test(code))) shell.report(severity, rule, source.slice(0, 200))
  const commands = [...commandsIn(text, shell), ...(isEvaluated ? commandsIn(code, shell) : [])]
  searchWords(
    commands.flatMap(({ words }) => words),
    source,
    shell,
  )
  runCommands(commands, shell.subshell())
  if (redefines.test(text)) shell.state.aliases.set(redefined, '')
  if (movesAway.test(text)) shell.state.cwd.value = null
  shell.report('Q2', 'unread-shell', source.slice(0, 200))
  return unknownStream()
}

/** Normalizes a word: without characters that only hide it, with one kind of slashes and quotes, and with the values of home and disk. */
function withoutDisguise(text: string): string {
  return text
    .replaceAll(/[\u2018\u2019\u201a\u201b]/g, "'")
    .replaceAll(/[\u201c\u201d\u201e]/g, '"')
    .replaceAll(/[\u2013\u2014\u2015]/g, '-')
    .replaceAll(/[`^](\r?\n)?/g, '')
    .replaceAll(/["']\s*\+\s*["']/g, '')
    .replaceAll(/<#[\s\S]{0,500}?#>/g, ' ')
    .replaceAll('\\', '/')
    .replaceAll(/\bmicrosoft\.powershell\.\w+\/|\bfilesystem::/gi, '')
    .replaceAll(/\b(rd|rmdir|del|erase)\/(?=[a-z]\b)/gi, '$1 /')
    .replaceAll(/\$\(?\$?\{?env:systemdrive\}?\)?|%systemdrive%/gi, 'c:')
    .replaceAll(/\$\{?(env:)?(home|userprofile)\b\}?|%(userprofile|homepath)%/gi, '~')
}

interface FoundCommand {
  readonly words: readonly Arg[]
  /** A word behind `>`. */
  readonly targets: readonly Arg[]
  readonly isPiped: boolean
}

function commandsIn(code: string, shell: Shell): readonly FoundCommand[] {
  const found: { words: Arg[]; targets: Arg[]; isPiped: boolean }[] = [{ words: [], targets: [], isPiped: false }]
  let isTarget = false
  for (const [token] of code.matchAll(/"[^"]*"|'[^']*'|>+|[;&|(){}\n]|[^\s"';&|(){}<>,@]+/g)) {
    if (/^[;&|(){}\n]$/.test(token)) found.push({ words: [], targets: [], isPiped: token === '|' })
    else if (!token.startsWith('>')) found.at(-1)?.[isTarget ? 'targets' : 'words'].push(wordOf(token, shell))
    isTarget = token.startsWith('>')
  }
  return found
}

/** Normalizes a word: no quotes, no parameter name, and a folder of a drive becomes one of this machine. */
function wordOf(token: string, shell: Shell): Arg {
  const text = token.replaceAll(/^["']|["']$/g, '').replace(/^-\w+:(?=.)/, '')
  const path = text.replace(/^[a-z]:(?=\/|$)/i, '')
  return inHome(arg(path !== text && windowsRoots.test(path) ? '/' : path), shell)
}

/** Searches for what the floor refuses on paths, wherever in the line the program and the path are. */
function searchWords(words: readonly Arg[], source: string, shell: Shell): void {
  const [isRemoval, isSending, isWrite] = [removes, sends, writes].map((names) =>
    words.some(({ text }) => names.test(text)),
  )
  const report = (rule: Rule) => shell.report('D2', rule, source.slice(0, 200))
  for (const { text } of words) {
    const path = shell.resolve(text)
    if (path === null) continue
    if (isRemoval && isProtectedRoot(path, shell.state)) report('root-wipe')
    const isSecret = /^env:/i.test(text) || effectOfReading(path, shell.state)?.[1] === 'credential-read'
    if (isSending && isSecret) report('credential-exfil')
    if (isWrite && effectOfWriting(path, nothing, shell.state)?.[0] === 'D2') report('privilege')
  }
}

/** Judges each command by the rules of its name, and by those of the equivalent program elsewhere. */
function runCommands(commands: readonly FoundCommand[], shell: Shell): void {
  let output: Stream = nothing
  for (const { words, targets, isPiped } of commands) {
    for (const path of targets) shell.write(path, output)
    const from = words.findIndex(({ text }) => !/^-|^\.$|^@/.test(text))
    const [word, ...args] = from < 0 ? [] : words.slice(from)
    if (word === undefined) continue
    const isPath = word.text.includes('/')
    const name = isPath ? word.text : word.text.toLowerCase().replace(/\.exe$/, '')
    const stdin = isPiped ? output : nothing
    // cmd runs a file of the folder by its bare name.
    const isWritten = !isPath && shell.state.files.has(shell.resolve(word.text) ?? '')
    output = shell.run([arg(isWritten ? `./${word.text}` : name), ...args], stdin)
    const program = Object.hasOwn(programsOf, name) ? programsOf[name] : undefined
    const given = args.map((one) => (/^-outf\w*$/i.test(one.text) ? arg('-o') : one))
    if (program !== undefined) output = shell.run([...program.map((one) => arg(one)), ...given], stdin)
  }
}

const quietOptions = /^-(nop|noprofile|nol|nologo|noni|noninteractive|sta|mta|l|login|i|interactive)$/i

/** PowerShell that another shell starts. */
const powerShell: Program = ({ name, args, stdin, readsTerminal }, shell) => {
  const from = args.findIndex(({ text }) => !quietOptions.test(text))
  const rest = from < 0 ? [] : args.slice(from)
  const [first, ...code] = rest
  if (first === undefined) return runStandardInput(stdin, readsTerminal, shell)
  if (rest.length === 1 && /^-(v|version|-version|h|help|-help|\?)$/i.test(first.text)) return unknownStream()
  if (/^-c(ommand)?$/i.test(first.text) && code.length > 0)
    return code[0]?.text === '-'
      ? runStandardInput(stdin, false, shell)
      : runInner('pwsh', joinedArgs(code), stdin, shell)
  if (!first.text.startsWith('-') && name === 'powershell') return runInner('pwsh', joinedArgs(rest), stdin, shell)
  if (args.some(({ text }) => /^[-/\u2013-\u2015]e(c|n\w*)?$/i.test(text))) shell.report('D2', 'encoded-payload')
  return runUnreadArgs(rest, shell)
}

const commandPrompt: Program = ({ args, stdin, readsTerminal }, shell) => {
  const at = args.findIndex(({ text }) => /^\/[ckr]$/i.test(text))
  if (at >= 0) return runInner('cmd', joinedArgs(args.slice(at + 1)), stdin, shell)
  return args.length === 0 ? runStandardInput(stdin, readsTerminal, shell) : runUnreadArgs(args, shell)
}

function runInner(kind: WindowsShell, code: Arg, stdin: Stream, shell: Shell): Stream {
  if (hasTaint(stdin, taints.network) && /\b(iex|invoke-expression)\b|\[scriptblock\]/i.test(code.text))
    shell.report('D2', 'remote-code')
  return runWindowsLine(kind, code, shell.subshell())
}

/** Options that are not read may name a program as well. */
function runUnreadArgs(args: readonly Arg[], shell: Shell): Stream {
  const code = joinedArgs(args)
  if (reportCode(code, shell)) runUnread(code.text, shell.subshell())
  return unknownStream(code.taint)
}

/** Runs a shell. Without input, lines are typed into it, and each line is judged alone. */
function runStandardInput(stdin: Stream, readsTerminal: boolean, shell: Shell): Stream {
  if (readsTerminal || stdin === nothing) return nothing
  if (hasTaint(stdin, taints.network)) shell.report('D2', 'remote-code')
  const code = { text: stdin.text, taint: stdin.taint, isGlob: false }
  if (isKnown(code) && stdin.text.trim() === '') return nothing
  return runUnreadArgs([code], shell)
}

export const windowsShells: Programs = { pwsh: powerShell, powershell: powerShell, cmd: commandPrompt }
