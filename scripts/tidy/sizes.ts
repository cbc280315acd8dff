/** File length. Function length is measured by the linter (noExcessiveLinesPerFunction), which knows the grammar. */
import { isTest, type Problem, type SourceFile } from './source.ts'

const limits = {
  ts: { soft: 250, hard: 400 },
  c: { soft: 350, hard: 500 },
} as const

/** Tables are looked up, not read from top to bottom, so their length costs nothing. */
const isTable = /-table\.(ts|c|h)$/

export function sizeRule(files: readonly SourceFile[]): Problem[] {
  return files.flatMap((file) => {
    const limit = limitFor(file)
    if (!limit || isTest(file) || isTable.test(file.path) || file.path.includes('/golden/')) return []
    const lines = file.text.replace(/\n$/, '').split('\n').length
    if (lines <= limit.soft) return []
    const tooLong = lines > limit.hard
    return [
      {
        path: file.path,
        line: Math.min(lines, tooLong ? limit.hard : limit.soft),
        level: tooLong ? ('error' as const) : ('warning' as const),
        message: `${lines} lines (soft ${limit.soft}, hard ${limit.hard}); move a part with a name of its own into its own file`,
      },
    ]
  })
}

function limitFor(file: SourceFile): { readonly soft: number; readonly hard: number } | null {
  if (/\.ts$/.test(file.path)) return limits.ts
  return /\.[ch]$/.test(file.path) ? limits.c : null
}
