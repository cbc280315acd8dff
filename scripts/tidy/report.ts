/** Figures of the sources: how much there is, in how many files, and how plain its comments are. */
import { isPackageSource, type SourceFile } from './source.ts'

/** Views of terminals are counted with the page and the extension, apart from the product that serves them. */
const apart = /^packages\/(web|vscode|terminal-view)\//
const standIn = /(^|\/)(fake-[^/]+|[^/]+-fixture)\.ts$|\/testing\//

export interface Figure {
  readonly name: string
  readonly count: number
}

export function figuresOf(files: readonly SourceFile[]): readonly Figure[] {
  const product = files.filter((file) => isPackageSource(file) && !apart.test(file.path) && !standIn.test(file.path))
  const lines = product.map(({ text }) => text.split('\n').length - 1)
  const sources = files.filter((file) => isPackageSource(file) || /^native\/[^/]+\/src\/.*\.[ch]$/.test(file.path))
  const comments = sources.flatMap(({ text }) => text.match(comment) ?? [])
  const names = sources.flatMap(({ text }) => text.replaceAll(comment, '').match(/[A-Za-z_$][\w$]*/g) ?? [])
  const words = [...comments, ...names.map((name) => name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2'))]
  const uses = (pattern: RegExp) => words.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0)
  return [
    { name: 'files of product TypeScript', count: product.length },
    { name: 'lines of product TypeScript', count: lines.reduce((sum, count) => sum + count, 0) },
    { name: 'files under 25 lines', count: lines.filter((count) => count < 25).length },
    { name: '"told"', count: uses(/\btold\b/gi) },
    { name: '"whoever"', count: uses(/\bwhoever\b/gi) },
    { name: '"somebody", "nobody"', count: uses(/\b(?:some|no)body\b/gi) },
    {
      name: '"stands in", "stands at", …',
      count: uses(/\bstands? (?:in|at|on|before|beside|above|below|there|behind)\b/gi),
    },
    {
      name: 'doc comments that begin with What, Who, Whoever, Of, As, So',
      count: comments.filter((text) => /^\/\*\*[\s*]*(?:What|Who|Whoever|Of|As|So)\b/.test(text)).length,
    },
  ]
}

const comment = /\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/.*/g
