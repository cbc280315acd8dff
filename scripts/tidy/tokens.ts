/**
 * The tokens of TypeScript text, as the compiler's own scanner reads them.
 *
 * The package offers it under `unstable` only, so its version is pinned in package.json. Its parser runs in a process of its
 * own and takes files from a project; rules here take two-line files that are nowhere.
 */
import { SyntaxKind } from 'typescript/unstable/ast'
import { createScanner, type Scanner } from 'typescript/unstable/ast/scanner'
import type { SourceFile } from './source.ts'

export interface Token {
  readonly kind: SyntaxKind
  readonly start: number
  readonly end: number
}

const known = new WeakMap<SourceFile, readonly Token[]>()

/** Comments are tokens here, white space is not. */
export function tokensOf(file: SourceFile): readonly Token[] {
  const before = known.get(file)
  if (before) return before
  const tokens = scanAll(file.text)
  known.set(file, tokens)
  return tokens
}

export function isComment({ kind }: Token): boolean {
  return kind === SyntaxKind.SingleLineCommentTrivia || kind === SyntaxKind.MultiLineCommentTrivia
}

function scanAll(text: string): readonly Token[] {
  const scanner = createScanner(false, undefined, text)
  const scan = makeScan(scanner)
  const tokens: Token[] = []
  let last: SyntaxKind = SyntaxKind.Unknown
  for (let at = 0; at < text.length; at = scanner.getTokenEnd()) {
    const kind = scan(last)
    // Characters that begin no token, as a lone `#`, do not move the scanner on.
    if (scanner.getTokenEnd() <= at) {
      scanner.resetTokenState(at + 1)
      continue
    }
    if (kind === SyntaxKind.WhitespaceTrivia || kind === SyntaxKind.NewLineTrivia) continue
    const token = { kind, start: scanner.getTokenStart(), end: scanner.getTokenEnd() }
    tokens.push(token)
    if (!isComment(token)) last = kind
  }
  return tokens
}

/**
 * Two things that a scanner learns from its parser and must know here without one: whether a slash divides or opens a
 * regular expression, which the token before decides, and whether a brace ends a part of a template, for which open braces
 * are counted.
 */
function makeScan(scanner: Scanner): (before: SyntaxKind) => SyntaxKind {
  const braces: number[] = [] // per open `${`: how many braces are open inside it
  return (before) => {
    const kind = scanner.scan()
    if (kind === SyntaxKind.SlashToken || kind === SyntaxKind.SlashEqualsToken)
      return endsValue(before) ? kind : scanner.reScanSlashToken()
    if (kind === SyntaxKind.TemplateHead) braces.push(0)
    const open = braces.pop()
    if (open === undefined) return kind
    if (kind !== SyntaxKind.CloseBraceToken || open > 0) {
      braces.push(open + Number(kind === SyntaxKind.OpenBraceToken) - Number(kind === SyntaxKind.CloseBraceToken))
      return kind
    }
    const part = scanner.reScanTemplateToken(false)
    if (part === SyntaxKind.TemplateMiddle) braces.push(0)
    return part
  }
}

/** Keywords after which an expression begins. Others, and names, stand at the end of one. */
const beforeExpressions: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.ReturnKeyword,
  SyntaxKind.TypeOfKeyword,
  SyntaxKind.CaseKeyword,
  SyntaxKind.InKeyword,
  SyntaxKind.OfKeyword,
  SyntaxKind.AwaitKeyword,
  SyntaxKind.YieldKeyword,
  SyntaxKind.VoidKeyword,
  SyntaxKind.DeleteKeyword,
])

const closing: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.PlusPlusToken,
  SyntaxKind.MinusMinusToken,
  SyntaxKind.TemplateTail,
])

function endsValue(kind: SyntaxKind): boolean {
  const isLiteral = kind >= SyntaxKind.FirstLiteralToken && kind <= SyntaxKind.LastLiteralToken
  return isLiteral || closing.has(kind) || (isWord(kind) && !beforeExpressions.has(kind))
}

/** A name or a keyword. */
export function isWord(kind: SyntaxKind): boolean {
  return kind >= SyntaxKind.Identifier && kind <= SyntaxKind.LastKeyword
}
