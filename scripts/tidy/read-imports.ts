/** What a file of ours imports. */
import path from 'node:path'
import { SyntaxKind } from 'typescript/unstable/ast'
import { isTypeScript, type SourceFile } from './source.ts'
import { isComment, isWord, type Token, tokensOf } from './tokens.ts'

export interface Import {
  readonly from: SourceFile
  /** As written. */
  readonly specifier: string
  /** The path of the imported file when it is one of ours, null for packages and node: modules. */
  readonly target: string | null
  readonly index: number
}

const known = new WeakMap<SourceFile, readonly Import[]>()

export function importsOf(file: SourceFile): readonly Import[] {
  const before = known.get(file)
  if (before) return before
  const imports = isTypeScript(file) ? readImports(file) : []
  known.set(file, imports)
  return imports
}

function readImports(file: SourceFile): readonly Import[] {
  const tokens = tokensOf(file).filter((token) => !isComment(token))
  return tokens.flatMap(({ kind, start }, index) => {
    const string = importedBy(kind, tokens, index + 1)
    if (string === null) return []
    const specifier = file.text.slice(string.start + 1, string.end - 1)
    const target = specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file.path), specifier) : null
    return [{ from: file, specifier, target, index: start }]
  })
}

/** The string that an `import` or `export` takes from, given the tokens after it; null for anything else. */
function importedBy(kind: SyntaxKind, tokens: readonly Token[], next: number): Token | null {
  if (kind !== SyntaxKind.ImportKeyword && kind !== SyntaxKind.ExportKeyword) return null
  if (tokens[next]?.kind === SyntaxKind.OpenParenToken) return stringAt(tokens, next + 1)
  let at = next
  for (let token = tokens[at]; token !== undefined && isOfClause(token); token = tokens[at]) at++
  const isSource = at === next || tokens[at - 1]?.kind === SyntaxKind.FromKeyword
  return isSource ? stringAt(tokens, at) : null
}

function stringAt(tokens: readonly Token[], at: number): Token | null {
  const token = tokens[at]
  return token?.kind === SyntaxKind.StringLiteral ? token : null
}

const punctuation: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.OpenBraceToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.CommaToken,
  SyntaxKind.AsteriskToken,
])

/** What may stand between `import` and its string: names, keywords, and the marks of a list. */
function isOfClause({ kind }: Token): boolean {
  return isWord(kind) || punctuation.has(kind)
}
