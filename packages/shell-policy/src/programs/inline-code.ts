/**
 * Programs of other languages on a command line: judged by their literal calls and paths, without a parser of each.
 *
 * Strings are taken out first, so that what a program only prints is no call; then calls are known by their names.
 */

import { parse } from 'unbash'
import { type Literal, splitLiterals } from '../lex/literals.ts'
import { isCredential, isGuard, isPrivate } from '../places/places.ts'
import type { Shell } from '../walk/shell.ts'
import { arg, isKnown, taints, unknownStream } from '../walk/value.ts'
import { callPatterns as calls } from './inline-code-table.ts'

const bytesMax = 30_000 // searched by many patterns; a longer program belongs into a file

export type Language = 'python' | 'node' | 'perl' | 'ruby' | 'php' | 'lua' | 'awk' | 'other'

export function judgeInlineCode(text: string, language: Language, shell: Shell): void {
  if (text.length > bytesMax) {
    shell.report('Q2', 'limits')
    return
  }
  if (!isKnown({ text })) shell.report('Q2', 'unresolved')
  for (const [, path = ''] of text.matchAll(removesWord)) shell.remove(arg(path))
  const { bare, literals } = splitLiterals(text, language)
  const decodes = calls.decode.test(bare)
  const fetches = calls.fetch.test(bare)
  const starts =
    calls.process.test(bare) ||
    literals.some(({ value }) => /^(node:)?child_process$|^(execa|shelljs|cross-spawn|zx)$/.test(value)) ||
    (/`/.test(bare) && /^(perl|ruby|php)$/.test(language)) ||
    (language === 'awk' && calls.awkPipe.test(bare))
  const evaluates = calls.evaluate.test(bare)
  if (evaluates || starts) {
    if (decodes) shell.report('D2', 'encoded-payload')
    if (evaluates && literals.some(({ value }) => /^(https?|ftp):\/\//i.test(value))) shell.report('D2', 'remote-code')
    if (fetches && (evaluates || calls.fetchIntoShell.test(bare))) shell.report('D2', 'remote-code')
    shell.report('Q1', 'inline-code')
  }
  if (literals.some(({ value, before }) => /^(https?|ftp):\/\//i.test(value) && loadsCode.test(before)))
    shell.report('D2', 'remote-code')
  if (calls.socket.test(bare) && (starts || calls.redirect.test(bare))) shell.report('D2', 'remote-code')
  if (calls.listen.test(bare) && starts) shell.report('D2', 'remote-code')
  if (isForkBomb(bare)) shell.report('D2', 'fork-bomb')
  if (calls.killAll.test(bare) || calls.power.test(bare)) shell.report('D2', 'power-state')
  if (starts) judgeCommands(literals, shell)
  if (starts && calls.environment.test(bare)) shell.report('Q2', 'unresolved')
  judgePaths(bare, literals, fetches, shell)
}

/** Removals of Tcl, Emacs Lisp and Vim, whose paths may be bare words. */
const removesWord = /\b(?:delete(?:-directory|-file)?|file\s+delete(?:\s+-\w+)*)[\s(]+["']?([~/][^"'\s)]*)/g

/** Calls that run the program at an address. */
const loadsCode = /\b(source|include|load|import|require|run)\s*\(\s*(\w+\s*\(\s*)?$/

/** Returns whether the code forks in a loop, or again and again. */
function isForkBomb(code: string): boolean {
  const bare = withoutRelay(code)
  const forks = /(\b|_)fork\b|child_process[^;]*\.fork|spawn_link|Process\.spawn|cluster\.fork/.test(bare)
  const loops = /\b(while|until|for|loop|forever|iter|repeat)\b|;;/.test(bare)
  return (
    (forks && loops) ||
    /fork\(\s*__filename|fork\(\)\s*(?:\|\||&&|,|or|and)\s*fork/.test(bare) ||
    /\bfork\b\W+fork\b/.test(bare)
  )
}

/** Removes the fork of a terminal relay: it forks once for the program inside, before it loops. */
function withoutRelay(code: string): string {
  const loop = code.search(/\b(while|until|for|def|lambda)\b/)
  return loop < 0 ? code : code.slice(0, loop).replace(/\bpty\.fork\(\)/, '') + code.slice(loop)
}

/** Judges every literal as a command: alone, and as a word of its call. */
function judgeCommands(literals: readonly Literal[], shell: Shell): void {
  for (const { value } of literals.slice(0, 50))
    if (value.trim() !== '' && looksLikeCommand(value) && isWhole(value)) shell.subshell().runCode(arg(value))
  for (const group of groupsOf(literals)) {
    const words = group.map(({ value }) => arg(value))
    const [first] = words
    if (words.length > 1 && first !== undefined && /^[\w./+-]+$/.test(first.text))
      shell.subshell().run(words, unknownStream())
  }
}

/** Returns whether a shell can read the whole text. Other texts, such as `sim> `, are no commands. */
const isWhole = (text: string) => (parse(text).errors?.length ?? 0) === 0

const looksLikeCommand = (text: string) => text.length < 4_000 && /^[\s({!]*[\w./~$"'\\-]+([\s;|&><].*)?$/s.test(text)

/** Neighbours with nothing but a comma, a bracket or `qw` between them. */
function groupsOf(literals: readonly Literal[]): readonly (readonly Literal[])[] {
  const groups: Literal[][] = []
  for (const literal of literals.slice(0, 200)) {
    const last = groups.at(-1)
    if (last !== undefined && /^[\s,[\](]*$/.test(literal.before)) last.push(literal)
    else groups.push([literal])
  }
  return groups
}

function judgePaths(bare: string, literals: readonly Literal[], fetches: boolean, shell: Shell): void {
  const paths = literals.map((literal) => ({ ...literal, path: pathOf(literal, shell) }))
  // A function may be handed over by its name.
  const isHandedOver = literals.some(({ value }) =>
    /^(unlink|rmdir|rmtree|rimraf|rm_rf|rm_r|remove|unlinkSync|rmSync)$/.test(value),
  )
  const removes = isHandedOver || calls.remove.test(bare)
  const writes = calls.write.test(bare)
  for (const { path, before, after, value } of paths) {
    if (/^[a-z]{2,10}:\/\//i.test(value)) shell.reaches(value)
    if (metadataAddress.test(value) && (fetches || calls.socket.test(bare))) shell.report('D1', 'metadata')
    if (path === null) continue
    const resolved = shell.resolve(path)
    if (resolved === null) continue
    shell.names(path)
    if (isGuard(resolved, shell.state)) shell.report('Q2', 'self-tampering')
    if (isCredential(resolved, shell.state) || isPrivate(resolved)) {
      if (sends(bare) || fetches) shell.report('D2', 'credential-exfil')
      else if (isCredential(resolved, shell.state)) shell.report('Q2', 'credential-read')
    }
    if (removes && (isHandedOver ? path.includes('/') : calls.removeBefore.test(before))) shell.remove(arg(path))
    if (writes && isWritten(before.replace(homeBefore, ''), after, value))
      shell.write(arg(value.startsWith('>') ? value.replace(/^>+\s*/, '') : path), unknownStream())
  }
  if (removes) {
    const named = paths.filter(({ before, path }) => path !== null && (isHandedOver || calls.removeBefore.test(before)))
    if (named.length === 0) shell.report('Q2', 'deletion')
  }
  if ((fetches || sends(bare)) && calls.wholeEnvironment.test(bare)) shell.report('D2', 'credential-exfil')
}

const sends = (bare: string) => calls.socket.test(bare) || calls.fetch.test(bare)

/** `open(path, 'w')`, `writeFile(path, …)`, `open(F, ">path")`. */
function isWritten(before: string, after: string, value: string): boolean {
  if (/^>+\s*[\w/~.]/.test(value)) return true
  if (/(?:['"]\s*>+\s*['"]\s*,\s*)$/.test(before)) return true
  if (/\bopen\s*\(?\s*(?:\w+\s*,\s*)?$/.test(before))
    return /^\s*\)?\s*,\s*(?:mode\s*=\s*)?["'](?:[rwax]?[bt]?\+|[wax]|>)/.test(after)
  return (
    calls.writeBefore.test(before) ||
    /^\s*\)?\s*\.\s*(?:write_text|write_bytes|write|touch|mkdir|open\(\s*["'][wax])/.test(after)
  )
}

/** Expressions before a path that mean the home folder. */
const homeBefore =
  /(?:(?:process\.env\.|ENV\[['"]?|os\.environ\[['"]|getenv\(['"]|\$ENV\{)?HOME['"\])}]*|homedir\(\)|home\(\)|Dir\.home|expanduser\(['"]?~?['"]?\))\s*(?:\.|\+|,|\/)?\s*$/

/** A literal as a path: below the home where the program puts that before it. */
function pathOf({ value, before }: Literal, shell: Shell): string | null {
  if (value.length > 1_000 || /[\n\0]/.test(value)) return null
  const ofHome = homeBefore.test(before)
  const text = value.replace(/^>+\s*/, '')
  if (ofHome) return `${shell.state.home}/${text}`
  if (text.startsWith('~/') || text === '~') return shell.state.home + text.slice(1)
  return /^[\w./*?@+-][^\n]*$/.test(text) ? text : null
}

export const metadataAddress =
  /169\.254\.169\.254|169\.254\.170\.2|metadata\.google\.internal|metadata\.internal|100\.100\.100\.200|fd00:ec2::254|2852039166|0xa9fea9fe|0251\.0376\.0251\.0376|::ffff:a9fe:a9fe|169\.254\.169\.253|192\.0\.0\.192|instance-data\b/i

/** Returns the taint of a program's output, which the program may have decoded or fetched. */
export function outputTaint(text: string): number {
  const { bare } = splitLiterals(text, 'other')
  return (calls.decode.test(bare) ? taints.decoded : 0) | (calls.fetch.test(bare) ? taints.network : 0)
}
