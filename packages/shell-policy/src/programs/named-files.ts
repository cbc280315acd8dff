/**
 * Judges the files and options of a command by general rules, where the program has no rule of its own. These are start-up files, guards and
 * credentials given to an unknown program, outputs outside the workspace, targets of archives, and options that run a command or switch off
 * an agent's questions.
 */

import { agentCommands } from '@agentpty/protocol/agents'
import { isAtOrBelow } from '../places/paths.ts'
import { isDisk, isGuard, isHome, isProtectedRoot, isStart } from '../places/places.ts'
import { effectOfReading, effectOfWriting } from '../walk/effects.ts'
import type { Call, Shell } from '../walk/shell.ts'
import {
  type Arg,
  arg,
  isStatic,
  joinedArgs,
  nothing,
  type Stream,
  type Taint,
  taints,
  unknownMark,
  unknownStream,
} from '../walk/value.ts'
import { archivePrograms } from './archives.ts'
import { judgeInlineCode } from './inline-code.ts'
import { launchers } from './launchers.ts'
import { networkPrograms } from './network.ts'
import { isListed } from './read-only.ts'
import { operandsMax } from './read-only-table.ts'
import { isExistingCommand, readsNothing } from './reading.ts'
import { decodersAndWriters, filterPrograms, textPrograms } from './text.ts'
import { writtenRows } from './written-table.ts'

/** A word, or the value of an option or of `KEY=VALUE`. */
interface Named {
  readonly value: Arg
  /** The option without dashes; null for an operand. */
  readonly option: string | null
}

const operandsOf = (named: readonly Named[]) => named.filter(({ option }) => option === null).map(({ value }) => value)

const wordMax = 4_096 // characters; a longer word is data

function namedIn(args: readonly Arg[]): readonly Named[] {
  return args.flatMap((one, index): readonly Named[] => {
    const { text } = one
    if (text.length > wordMax) return []
    const pair = /^(-{0,2})([A-Za-z][\w-]*)=(.*)$/s.exec(text)
    if (pair !== null) return [{ value: { ...one, text: pair[3] ?? '' }, option: pair[2] ?? '' }]
    const attached = /^-([A-Za-z])([/~.].*|[^-]*\/.*)$/s.exec(text)
    if (attached !== null) return [{ value: { ...one, text: attached[2] ?? '' }, option: attached[1] ?? '' }]
    if (text.startsWith('-')) return []
    const before = args[index - 1]?.text ?? ''
    const option = /^--?([A-Za-z][\w-]*)$/.exec(before)?.[1]
    // In a cluster, the last letter takes the value: `-xf FILE`.
    return [{ value: one, option: option === undefined ? null : before.startsWith('--') ? option : lastOf(option) }]
  })
}

const lastOf = (cluster: string) =>
  /^[a-zA-Z]{2,3}$/.test(cluster) && !outputs.test(cluster) ? (cluster.at(-1) ?? '') : cluster

const outputs =
  /^(o|O|of|o[A-Z]|overwrite|(out|output|dest|destination|target|save|export|download|dump|pack|report|result|write)s?(-?(dir|directory|path|file|folder|to|as|destination|prefix))?|\w+_out|sOutputFile|key-?out|cert-file)$/i
const folders = /^(C|D|d|t|o|directory|dir|target(-dir(ectory)?)?|dest(ination)?|one-top-level|prefix|extract-to)$/
const inputs = /^(i|in|input(-file)?)$/
const archivers = /^(7z\w*|un[a-z]{1,8}|bsdcpio|cpio|pax|cabextract|dpkg-deb|patch|stow|[a-z]*(tar|zip|rar|arc))$/
const pagers = /^(less|more|most|bat|batcat)$/
const deletes = /^-+(s?del|delete\w*|remove-(source-?)?files?|purge)$/
const sets = /^-{0,2}(set|merge|edit|in-?place|append|insert|replace)$/
const runs =
  /^(exec(-\w+)*|eval|command|cmd|run|prepare|setup|cleanup|conclude|(pre|post|on)-\w[\w-]*|[\w-]+-(command|cmd|exec|hook))$/

/** Returns what the output is tainted with. */
export function judgeNamedFiles(call: Call, isUnknown: boolean, shell: Shell): Taint {
  const { name, args } = call
  const isOpen = isUnknown || (archivers.test(name) && !Object.hasOwn(archivePrograms, name))
  const isWriter = isOpen || decodersAndWriters.has(name) || Object.hasOwn(networkPrograms, name)
  const most = Object.hasOwn(operandsMax, name) ? operandsMax[name] : undefined
  const isReader = readsSecrets(name, args)
  const isFree = usesFreely(name, args, isOpen)
  if (!isWriter && !isReader && !isFree && most === undefined && !writtenRows.has(name)) return taints.none
  const named = namedIn(args)
  const secret = isReader ? reportCredentials(named, shell) : taints.none
  if (most !== undefined) for (const path of operandsOf(named).slice(most)) shell.write(path, call.stdin)
  if (isWriter) for (const one of named) judgeOutput(call, one, isOpen, shell)
  writeByTable(call, named, shell)
  if (!isFree) return secret
  for (const { value } of named) reportSettings(value, shell)
  if (isOpen && args.some(({ text }) => sets.test(text)))
    for (const { value } of named) if (value.text.startsWith('/')) shell.write(value, unknownStream())
  if (isOpen) judgeUnknown(call, named, shell)
  return secret
}

function writeByTable({ name, args }: Call, named: readonly Named[], shell: Shell): void {
  const row = writtenRows.get(name)
  if (row === undefined || !row.line.test(joinedArgs(args).text)) return
  const words = args.filter(({ text }) => !text.startsWith('-'))
  const { options, prefix, from = words.length } = row
  const values = named.filter(({ option }) => option !== null && options?.test(option)).map(({ value }) => value)
  for (const path of [...values, ...words.slice(from)])
    if (prefix === undefined) shell.write(path, unknownStream())
    else if (prefix.test(path.text)) shell.write({ ...path, text: path.text.replace(prefix, '') }, unknownStream())
}

/** Returns whether the program may write to its operands: no rule says that it only reads. */
function usesFreely(name: string, args: readonly Arg[], isUnknown: boolean): boolean {
  if (readsNothing.has(name) || name === 'sed' || pagers.test(name)) return false
  const words = args.map(({ text }) => text)
  if (isListed(name, words)) return false
  if (isUnknown || decodersAndWriters.has(name)) return true
  if (filterPrograms.has(name)) return words.some((text) => /^-\w*[io]|^--(in-?place|output)/.test(text))
  return [textPrograms, networkPrograms, archivePrograms, launchers].some((group) => Object.hasOwn(group, name))
}

const showingVerbs = /^(hash-object|diff|apply|grep|show|blame|stripspace|notes|commit-tree|mktag)$/

/** Any program that is given a credential to read shows it, unless it is one of those that only take names. */
function readsSecrets(name: string, args: readonly Arg[]): boolean {
  return !readsNothing.has(name) || (name === 'git' && args.some(({ text }) => showingVerbs.test(text)))
}

function reportCredentials(named: readonly Named[], shell: Shell): Taint {
  let taint: Taint = taints.none
  for (const { value, option } of named)
    for (const path of option !== null && /^o$|out$/.test(option) ? [] : pathsIn(value.text)) {
      const resolved = looksLikePath(path) ? shell.resolve(path.replaceAll(unknownMark, '*')) : null
      const effect = effectOfReading(resolved, shell.state)
      // A key of the workspace is used where an option says so: `--ssl-keyfile key.pem`.
      const isUse =
        option !== null && /key|ident|cert|^k$/i.test(option) && isAtOrBelow(resolved ?? '', shell.state.workspace)
      if (effect === null || isUse) continue
      shell.report(...effect)
      taint |= taints.secret
    }
  return taint
}

/** The word itself, and what in it begins like a path: `@FILE`, `name:/FILE`, a path in quotes. */
function pathsIn(text: string): readonly string[] {
  if (!/[\s'"`(),;=:@<>]/.test(text)) return text === '' ? [] : [text]
  const parts = text.split(/[\s'"`(),;=:@<>]+/).filter((part) => /^(~?\/|\.{0,2}\/|\.\w[\w.-]*(\/|$))/.test(part))
  return /\s/.test(text) ? parts : [text, ...parts]
}

/** A bare word may be a pattern or a message; only what has a folder is taken as a path. */
const looksLikePath = (text: string) =>
  text.includes('/') ||
  /^[\w.-]+\.(pem|key|p12|pfx|kdbx)$/.test(text) ||
  /^(id_[a-z0-9]+|credentials|core\.\d+|\.netrc|\.npmrc|\.pypirc|\.git-credentials)$/.test(text)

function reportSettings({ text }: Arg, shell: Shell): void {
  for (const path of pathsIn(text)) {
    const resolved = shell.resolve(path.startsWith('~/') ? shell.state.home + path.slice(1) : path)
    if (resolved === null) continue
    if (isStart(resolved, shell.state)) shell.report('Q2', 'persistence')
    if (isGuard(resolved, shell.state)) shell.report('Q2', 'self-tampering')
  }
}

function judgeOutput({ name, stdin }: Call, { value, option }: Named, isUnknown: boolean, shell: Shell): void {
  if (option === null || value.text === '-' || name === 'column') return
  const isDump = /dump|export|backup|shark$/.test(name) && /^(f|file|r|result-file|w)$/.test(option)
  if (isDump || outputs.test(option)) writeOutput(value, isUnknown ? stdin : null, shell)
  else if (isUnknown && folders.test(option) && value.text.startsWith('/')) {
    const path = shell.resolve(value.text)
    if (archivers.test(name) || (path !== null && isHome(path, shell.state))) shell.write(value, unknownStream())
  }
}

/** `input`: null for a decoder. What a compiler makes of a file is a program like any other, which may be run. */
function writeOutput(path: Arg, input: Stream | null, shell: Shell): void {
  const { files } = shell.state
  const resolved = shell.resolve(path.text) ?? ''
  const isKnownBefore = files.has(resolved)
  shell.write(path, unknownStream(input?.taint))
  if (input?.taint === taints.none && !isKnownBefore) files.delete(resolved)
}

/** A program without a rule of its own, by the usual forms of options and operands. */
function judgeUnknown(call: Call, named: readonly Named[], shell: Shell): void {
  const { name, args } = call
  const operands = operandsOf(named)
  judgeWrapped(call, named, shell)
  judgeOperands(named, operands, shell)
  if (archivers.test(name)) judgeArchiver(args, operands, shell)
  if (args.some(({ text }) => /^-[a-z]*(r[a-z]*f|f[a-z]*r)[a-z]*$/i.test(text)) && !isExistingCommand(name))
    for (const { value } of named) {
      const path = shell.resolve(value.text)
      if (path !== null && isProtectedRoot(path, shell.state)) shell.report('D2', 'root-wipe')
    }
  if (args.some(({ text }) => deletes.test(text)))
    for (const { value } of named) if (/[/.]/.test(value.text)) shell.remove(value)
  if (args.some(({ text }) => /^--(power-?off|reboot|shutdown|halt)$/.test(text))) shell.report('D2', 'power-state')
  for (const { value, option } of named) if (option !== null) judgeCode(value, option, shell)
}

/** A program that may run the command behind its own options. What only looks like one, a subcommand, has no such words. */
function judgeWrapped({ args, stdin }: Call, named: readonly Named[], shell: Shell): void {
  const first = named.find(({ option }) => option === null)?.value
  const dash = args.findIndex(({ text }) => text === '--')
  const from = dash < 0 && first !== undefined ? args.indexOf(first) : dash + 1
  const [name, ...rest] = args.slice(Math.max(from, 0))
  if (name === undefined || rest.length === 0 || !isExistingCommand(name.text)) return
  if (dash >= 0 || rest.some(({ text }) => /^-\w*[rR]\w*$|^\/[\w-]*\/?\*?$|=\/|^--?(recursive|delete)/.test(text)))
    shell.run([name, ...rest], stdin)
}

const hasExtension = (text: string) => /[^/]\.\w{1,6}$/.test(text)

/** Judges operands: a program with an input and then a path writes to that path. */
function judgeOperands(named: readonly Named[], operands: readonly Arg[], shell: Shell): void {
  const last = named.at(-1)?.value
  const path = last === undefined ? null : shell.resolve(last.text)
  if (last === undefined || path === null || !last.text.startsWith('/')) return
  const files = operands.filter(({ text }) => /[/.]/.test(text))
  if (isDisk(path) && files.length > 1) shell.write(last, unknownStream())
  const isConversion = files.length === 2 && files.every(({ text }) => hasExtension(text))
  if (!isConversion && !named.some(({ option }) => option !== null && inputs.test(option))) return
  if (effectOfWriting(path, nothing, shell.state)?.[0] === 'Q1') shell.write(last, unknownStream())
}

function judgeArchiver(args: readonly Arg[], operands: readonly Arg[], shell: Shell): void {
  if (args.some(({ text }) => /^(-[a-z]*[tlc]|l|t|--(list|test|contents|info|dry-run|simulate))$/.test(text))) return
  if (shell.state.cwd.value !== null && operands.length === 0) shell.write(arg('.'), unknownStream())
  const last = operands.at(-1)
  if (args[0]?.text === 'a' && operands[1] !== undefined) shell.write(operands[1], unknownStream())
  if (last !== undefined && args.some(({ text }) => /^(-[xXR]|--(raw-)?extract|x)$/.test(text)))
    shell.write(last, unknownStream())
}

/** A command in the value of an option that says that it runs one, or a program of another language. */
function judgeCode(value: Arg, option: string, shell: Shell): void {
  const isText = /^(c|e|eval|exec)$/.test(option)
  if ((!isText && !runs.test(option)) || !isStatic(value) || value.text.length > wordMax) return
  const [first = ''] = value.text.trim().split(/\s+/)
  const isCommand = isExistingCommand(first) && /\s/.test(value.text.trim())
  if (isCommand) shell.subshell().runCode(value)
  else if (runs.test(option) && /^[./~]/.test(first)) shell.runSmuggled(value)
  if (isText && !isCommand) judgeInlineCode(value.text, 'other', shell)
}

const unattended =
  /^--?(dangerously\b|yolo$|full-auto$|(no|skip)-(permissions?|confirm(ation)?|approvals?)\b|allow-all|trust-all|yes-always|bypass-\w*(permission|approval))|\b(bypassPermissions|danger-full-access)$|^--?[\w-]*(approval|permission)[\w-]*=(yolo|never|bypass\w*|auto)$/i
const agents: ReadonlySet<string> = new Set(agentCommands)
const agentOptions =
  /(^| )(-a never|--(approval-mode|ask-for-approval|permission-mode) (yolo|never|bypass\w*)|--auto (high|full)|-y|--yes|--force|-f)( |$)/

const agentSettings = /^(mcp|config|settings|permissions) (add|set|enable|allow|import|remove)/

/** An agent that is started without its questions, or is made to trust a server, does unasked what this policy asks about. */
export function judgeAgents({ name, args }: Call, isUnknown: boolean, shell: Shell): void {
  const isAgent = agents.has(name)
  if (!isAgent && !isUnknown) return
  const line = isAgent ? joinedArgs(args).text : ''
  if (args.some(({ text }) => unattended.test(text)) || agentOptions.test(line) || agentSettings.test(line))
    shell.report('Q2', 'self-tampering')
}
