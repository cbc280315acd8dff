/**
 * What every rule of tidy works on: files as {path, text}, problems as data, and two views of TypeScript text.
 *
 * Rules are pure functions over a list of files, so a test is a list of two-line files. The views keep every character's
 * position: what is hidden becomes spaces, newlines stay, so an index found in a view is an index in the text.
 */

export interface SourceFile {
  /** Relative to the checkout, with forward slashes. */
  readonly path: string
  readonly text: string
}

export interface Problem {
  readonly path: string
  /** 1-based. */
  readonly line: number
  /** What is wrong and what to write instead. */
  readonly message: string
  readonly level: 'error' | 'warning'
}

export type Rule = (files: readonly SourceFile[]) => Problem[]

export function errorAt(file: SourceFile, index: number, message: string): Problem {
  return { path: file.path, line: lineOf(file.text, index), message, level: 'error' }
}

export function lineOf(text: string, index: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line += 1
  return line
}

export function isTypeScript(file: SourceFile): boolean {
  return /\.m?ts$/.test(file.path)
}

export function isTest(file: SourceFile): boolean {
  return file.path.endsWith('.test.ts') || /^(native\/[^/]+\/)?tests?\//.test(file.path)
}

/** Source of a package, without its tests. */
export function isPackageSource(file: SourceFile): boolean {
  return /^packages\/[^/]+\/src\//.test(file.path) && isTypeScript(file) && !isTest(file)
}

export interface Views {
  /** Comments hidden, strings kept: for imports. */
  readonly code: string
  /** Comments and the insides of strings, templates and regular expressions hidden: for calls and names. */
  readonly bare: string
}

const known = new WeakMap<SourceFile, Views>()

export function viewsOf(file: SourceFile): Views {
  const before = known.get(file)
  if (before) return before
  const views = scan(file.text)
  known.set(file, views)
  return views
}

/** Every match of `pattern` (global) in a view, as problems. */
export function problemsAt(file: SourceFile, view: string, pattern: RegExp, message: string): Problem[] {
  return [...view.matchAll(pattern)].map((match) => errorAt(file, match.index, message))
}

type Token = { readonly kind: 'comment' | 'string' | 'code'; readonly end: number }

function scan(text: string): Views {
  const code: string[] = []
  const bare: string[] = []
  const braces: number[] = [] // per open `${`: how many braces are open inside it
  let at = 0
  let inTemplate = false
  while (at < text.length) {
    const token = inTemplate ? templatePart(text, at) : nextToken(text, at, bare)
    const piece = text.slice(at, token.end)
    code.push(token.kind === 'comment' ? hide(piece) : piece)
    bare.push(token.kind === 'code' ? piece : hide(piece))
    at = token.end

    if (inTemplate) {
      inTemplate = false
      if (piece.endsWith('${')) braces.push(0)
    } else if (piece === '`') inTemplate = true
    else if (piece === '{' && braces.length > 0) braces.push((braces.pop() ?? 0) + 1)
    else if (piece === '}' && braces.length > 0) {
      const open = braces.pop() ?? 0
      if (open === 0) inTemplate = true
      else braces.push(open - 1)
    }
  }
  return { code: code.join(''), bare: bare.join('') }
}

function nextToken(text: string, at: number, before: readonly string[]): Token {
  const two = text.slice(at, at + 2)
  if (two === '//') return { kind: 'comment', end: orEnd(text, text.indexOf('\n', at)) }
  if (two === '/*') return { kind: 'comment', end: orEnd(text, text.indexOf('*/', at + 2), 2) }
  const first = text[at]
  if (first === "'" || first === '"') return { kind: 'string', end: closing(text, at + 1, first) }
  if (first === '/' && startsRegex(before)) return { kind: 'string', end: regexEnd(text, at + 1) }
  // Words go as one piece so that `return /x/` shows its keyword to startsRegex.
  const word = /[\w$]+/y
  word.lastIndex = at
  return { kind: 'code', end: at + (word.exec(text)?.[0].length ?? 1) }
}

/** The literal part of a template, up to and with its closing backtick or the next `${`. */
function templatePart(text: string, at: number): Token {
  for (let i = at; i < text.length; i++) {
    if (text[i] === '\\') i += 1
    else if (text[i] === '`') return { kind: 'string', end: i + 1 }
    else if (text[i] === '$' && text[i + 1] === '{') return { kind: 'string', end: i + 2 }
  }
  return { kind: 'string', end: text.length }
}

/** A slash divides after a value and opens a regular expression after everything else. */
function startsRegex(before: readonly string[]): boolean {
  const last = before.findLast((piece) => piece.trim() !== '')
  if (last === undefined) return true
  if (/^[\w$]+$/.test(last)) return /^(return|typeof|case|in|of|await|yield|void|delete)$/.test(last)
  return !/[)\]}]$/.test(last)
}

function regexEnd(text: string, from: number): number {
  let inClass = false
  for (let i = from; i < text.length && text[i] !== '\n'; i++) {
    if (text[i] === '\\') i += 1
    else if (text[i] === '[') inClass = true
    else if (text[i] === ']') inClass = false
    else if (text[i] === '/' && !inClass) return i + 1
  }
  return from
}

function closing(text: string, from: number, quote: string): number {
  for (let i = from; i < text.length && text[i] !== '\n'; i++) {
    if (text[i] === '\\') i += 1
    else if (text[i] === quote) return i + 1
  }
  return from
}

function orEnd(text: string, index: number, plus = 0): number {
  return index < 0 ? text.length : index + plus
}

function hide(piece: string): string {
  return piece.replace(/[^\n]/g, ' ')
}
