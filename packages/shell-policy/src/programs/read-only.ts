/**
 * Whether a program only reads, by its syntax alone: every simple command is on the list with static words, joined by pipes and lists,
 * and writes nowhere. Anything else, known or not, is off the list.
 */

import type {
  Command,
  CommandNode,
  ParsedScript,
  Pipeline,
  Redirection,
  Statement,
  SyntaxNode,
  Word,
  WordPart,
} from 'unbash'
import { forEachChild, parse } from 'unbash'
import { expandBraces } from '../lex/braces.ts'
import {
  gitOptionsThatRun,
  listingGit,
  notReadOnly,
  operandsMax,
  readOnlyGit,
  readOnlyPrograms,
  versionWords,
} from './read-only-table.ts'

const depthMax = 60

/** Returns whether a command, by its words, is allowed where programs may only read. */
export type MayRun = (words: readonly string[]) => boolean

/** `others`: commands that count as if they were on the list. */
export function onlyReads(source: string, others: MayRun = () => false): boolean {
  return scriptReads(parse(source), { depth: 0, others })
}

interface Inside {
  readonly depth: number
  readonly others: MayRun
}

const deeper = ({ depth, others }: Inside): Inside => ({ depth: depth + 1, others })

function scriptReads(script: ParsedScript | undefined, inside: Inside): boolean {
  if (script === undefined || inside.depth > depthMax || (script.errors?.length ?? 0) > 0) return false
  return script.commands.every((statement) => statementReads(statement, deeper(inside)))
}

function statementReads({ command }: Statement, inside: Inside): boolean {
  if (command.type === 'AndOr') return command.commands.every((one) => nodeReads(one, deeper(inside)))
  return nodeReads(command, deeper(inside))
}

function nodeReads(node: CommandNode | Pipeline, inside: Inside): boolean {
  if (inside.depth > depthMax) return false
  if (node.type === 'Pipeline')
    return (
      node.prefixes.every(({ type }) => type === 'Negation') &&
      node.commands.every((one) => nodeReads(one, deeper(inside)))
    )
  if (node.type === 'TestCommand') return partsRead(node, deeper(inside))
  return node.type === 'Command' && commandReads(node, deeper(inside))
}

function commandReads({ name, prefix, args, redirects }: Command, inside: Inside): boolean {
  if (name === undefined || prefix.some(({ type }) => type === 'Assignment')) return false
  if (!redirects.every((one) => redirectionReads(one, inside))) return false
  const words: Word[] = [name]
  for (const one of args) {
    if (one.type !== 'Word') return false
    words.push(one)
  }
  if (!words.every((word) => partsRead(word, inside))) return false
  const [first = '', ...rest] = words.flatMap(textsOf)
  return isListed(first, rest) || inside.others([first, ...rest])
}

/** Returns a word as texts; substitutions stay unchanged. */
function textsOf(word: Word): readonly string[] {
  if (word.parts?.some(({ type }) => type === 'BraceExpansion')) return expandBraces(word.text) ?? ['{']
  return [word.value]
}

/** Everything in a word is static, known, or a program that only reads. */
function partsRead(node: SyntaxNode, inside: Inside): boolean {
  if (inside.depth > depthMax) return false
  let reads = true
  forEachChild(node, (child) => {
    if (reads) reads = childReads(child, inside)
  })
  return reads
}

const knownVariables = /^\$\{?(HOME|PWD|USER|TMPDIR|XDG_RUNTIME_DIR|\?)\}?$/

function childReads(child: SyntaxNode | WordPart, inside: Inside): boolean {
  if (child.type === 'Script') return scriptReads(child, deeper(inside))
  if (child.type === 'SimpleExpansion' || (child.type === 'ParameterExpansion' && child.operation === undefined))
    return knownVariables.test(child.text)
  if (child.type === 'ParameterExpansion' || (child.type === 'ProcessSubstitution' && child.operator === '>'))
    return false
  return partsRead(child, deeper(inside))
}

function redirectionReads(redirection: Redirection, inside: Inside): boolean {
  if (!partsRead(redirection, inside)) return false
  if (redirection.type !== 'Redirect') return true
  if (redirection.operator === '<') return true
  const target = redirection.target?.value ?? ''
  if (redirection.operator === '<&' || redirection.operator === '>&') return /^\d+-?$|^-$|^\/dev\/null$/.test(target)
  return target === '/dev/null' && redirection.operator !== '<>'
}

/** Whether these words of a program only read. */
export function isListed(name: string, args: readonly string[]): boolean {
  if (name === 'git') return isReadOnlyGit(args)
  if (!readOnlyPrograms.has(name))
    return versionWords.test(args.join(' ')) &&
      args.length > 0 &&
      /^[\w.+-]+$/.test(name) &&
      !/^(sh|bash|zsh|dash|sudo|env|eval|exec|time|xargs|nohup)$/.test(name)
      ? true
      : isShellVersion(name, args)
  if (args.length === 1 && args[0] === '--version') return true
  const forbidden = notReadOnly[name]
  if (name === 'command') return /^-[vV]$/.test(args[0] ?? '')
  if (forbidden !== undefined && args.some((word) => forbidden.test(word))) return false
  const most = operandsMax[name]
  if (most !== undefined && args.filter((word) => !word.startsWith('-') && !/^\d+$/.test(word)).length > most)
    return false
  if (name === 'sed') return isReadOnlySed(args)
  return name !== 'top' || args.some((word) => /^-[a-zA-Z]*b/.test(word))
}

const isShellVersion = (name: string, args: readonly string[]) =>
  /^(bash|zsh|fish)$/.test(name) && args.length === 1 && args[0] === '--version'

function isReadOnlySed(args: readonly string[]): boolean {
  const [first, script] = args
  if (!/^-(n|nE|En|nr)$/.test(first ?? '') || args.slice(1).some((word) => word.startsWith('-'))) return false
  return (script ?? '')
    .split(';')
    .every((one) => /^\s*((\d+|\$|\/[^/]*\/)(,(\d+|\$|\+\d+|\/[^/]*\/))?)?\s*[p=]\s*$/.test(one))
}

function isReadOnlyGit(args: readonly string[]): boolean {
  let from = 0
  while (/^(-C|--no-pager|--version|--no-optional-locks|-P)$/.test(args[from] ?? ''))
    from += args[from] === '-C' ? 2 : 1
  const [verb, ...rest] = args.slice(from)
  if (verb === undefined) return args.includes('--version')
  if (rest.some((word) => gitOptionsThatRun.test(word))) return false
  if (readOnlyGit.test(verb)) return true
  return Object.hasOwn(listingGit, verb) && listingGit[verb]?.test(rest.join(' ')) === true
}
