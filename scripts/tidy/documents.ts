/** Pages for readers. */
import type { Problem, SourceFile } from './source.ts'

/** One page, one title: a reader who lands in the middle of a page must be able to see where. */
export function titleRule(files: readonly SourceFile[]): Problem[] {
  return files
    .filter((file) => file.path.endsWith('.md'))
    .flatMap((file) => {
      const titles = titleLines(file.text)
      if (titles.length === 1) return []
      const message =
        titles.length === 0 ? 'has no title; begin it with "# Title"' : 'has a second title; make it "## …"'
      return [{ path: file.path, line: titles[1] ?? 1, message, level: 'error' as const }]
    })
}

function titleLines(markdown: string): number[] {
  let fence: string | null = null
  return markdown.split('\n').flatMap((line, index) => {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1] ?? null
    if (mark && fence === null) fence = mark
    else if (mark && fence !== null && mark.startsWith(fence)) fence = null
    return fence === null && /^# \S/.test(line) ? [index + 1] : []
  })
}
