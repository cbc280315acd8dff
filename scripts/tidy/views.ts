/**
 * Two views of TypeScript text that rules search with regular expressions.
 *
 * They keep every character's position: what is hidden becomes spaces, newlines stay, so an index found in a view is an
 * index in the text.
 */
import { SyntaxKind } from 'typescript/unstable/ast'
import type { SourceFile } from './source.ts'
import { isComment, type Token, tokensOf } from './tokens.ts'

export interface Views {
  /** Comments hidden, strings kept. */
  readonly code: string
  /** Comments, strings, regular expressions and the literal parts of templates hidden: for calls and names. */
  readonly bare: string
}

const known = new WeakMap<SourceFile, Views>()

export function viewsOf(file: SourceFile): Views {
  const before = known.get(file)
  if (before) return before
  const tokens = tokensOf(file)
  const views = {
    code: hidden(file.text, tokens, (token) => (isComment(token) ? token.start : token.end)),
    bare: hidden(file.text, tokens, hiddenFrom),
  }
  known.set(file, views)
  return views
}

const templateParts: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateHead,
  SyntaxKind.TemplateMiddle,
  SyntaxKind.TemplateTail,
])

/** Where the hidden part of a token begins; its end when nothing is hidden. A template's backtick and `}` stay. */
function hiddenFrom(token: Token): number {
  if (templateParts.has(token.kind)) return token.start + 1
  const isHidden =
    isComment(token) || token.kind === SyntaxKind.StringLiteral || token.kind === SyntaxKind.RegularExpressionLiteral
  return isHidden ? token.start : token.end
}

function hidden(text: string, tokens: readonly Token[], from: (token: Token) => number): string {
  const pieces: string[] = []
  let at = 0
  for (const token of tokens) {
    const start = from(token)
    if (start >= token.end) continue
    pieces.push(text.slice(at, start), text.slice(start, token.end).replace(/[^\n]/g, ' '))
    at = token.end
  }
  return pieces.join('') + text.slice(at)
}
