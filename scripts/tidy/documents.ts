/** Rules for Markdown pages: one title, short sentences, plain words. */
import type { Problem, SourceFile } from './source.ts'

const sentenceWordsMax = 30

/** Words that hide the actor or the verb, each with what to write instead. */
const refusedWords: readonly (readonly [RegExp, string])[] = [
  [/\btold\b/gi, 'reported, returned or notified'],
  [/\bwhoever\b/gi, 'the caller, the client or a person'],
  [/\bsomebody\b/gi, 'a person or another process'],
  [/\bnobody\b/gi, 'no person or no process'],
  [/\bstands (?:in|at|behind)\b/gi, 'is, is stored in or is listed in'],
]

/** Pages generated from code, whose sentences belong to the code. The changelog and the decisions are records. */
const pagesLeftOut = /^(?:CHANGELOG\.md|docs\/(?:tools|cli|screen)\.md|docs\/decisions\/.*)$/
const pages = /^(?:[A-Z]+\.md|docs\/.+\.md|examples\/.+\.md|python\/README\.md|packages\/[^/]+\/README\.md)$/

/** Every page has one title, so a reader who arrives in the middle of a page can see where they are. */
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

/** A sentence has at most 30 words, and no page uses the refused words. Code and tables are exempt. */
export function proseRule(files: readonly SourceFile[]): Problem[] {
  return files
    .filter((file) => pages.test(file.path) && !pagesLeftOut.test(file.path))
    .flatMap((file) =>
      readBlocks(file.text).flatMap((block) =>
        [...longSentences(block), ...wrongWords(block)].map((problem) => ({ path: file.path, ...problem })),
      ),
    )
}

type BlockProblem = Omit<Problem, 'path'>

function longSentences({ line, text }: Block): BlockProblem[] {
  return text.split(/(?<=[.!?]["'”’)*_]*)\s+/).flatMap((sentence) => {
    const words = sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word))
    if (words.length <= sentenceWordsMax) return []
    const start = words.slice(0, 6).join(' ')
    const message = `a sentence of ${words.length} words ("${start} …"); split it, the limit is ${sentenceWordsMax}`
    return [{ line, message, level: 'error' as const }]
  })
}

function wrongWords({ line, text }: Block): BlockProblem[] {
  return refusedWords.flatMap(([pattern, instead]) =>
    [...text.matchAll(pattern)].map(([word]) => ({
      line,
      message: `"${word}"; write ${instead}`,
      level: 'error' as const,
    })),
  )
}

/** A paragraph, a heading or one item of a list, as plain text. A code span counts as one word. */
interface Block {
  /** 1-based line on which the block begins. */
  readonly line: number
  readonly text: string
}

function readBlocks(markdown: string): Block[] {
  const blocks: { line: number; lines: string[] }[] = []
  let isOpen = false
  for (const [index, line] of proseLines(markdown).entries()) {
    const isHeading = /^#+ /.test(line)
    const last = blocks.at(-1)
    if (line.trim() === '') isOpen = false
    else if (last && isOpen && !isHeading && !/^\s*(?:[*+-]|\d+\.) /.test(line)) last.lines.push(line)
    else {
      blocks.push({ line: index + 1, lines: [line] })
      isOpen = !isHeading
    }
  }
  return blocks.map(({ line, lines }) => ({ line, text: plainText(lines.join(' ')) }))
}

/** The lines of a page, where those of code blocks, tables and comments are empty. */
function proseLines(markdown: string): string[] {
  let fence: string | null = null
  let wasBlank = true
  let isIndented = false
  let isList = false
  return withoutComments(markdown)
    .split('\n')
    .map((line) => {
      const mark = fenceMark(line)
      const wasFenced = fence !== null
      fence = nextFence(fence, mark)
      isIndented = /^ {4}/.test(line) && !isList && (wasBlank || isIndented)
      wasBlank = line.trim() === ''
      if (/^\S/.test(line)) isList = /^(?:[*+-]|\d+\.) /.test(line)
      return wasFenced || mark !== null || isIndented || /^\s*\|/.test(line) ? '' : line
    })
}

function withoutComments(markdown: string): string {
  return markdown.replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, ''))
}

function plainText(markdown: string): string {
  return markdown
    .replace(/(`+)[\s\S]*?\1/g, 'code')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|^\s*(?:[*+-]|\d+\.|#+) /g, '')
    .trim()
}

function titleLines(markdown: string): number[] {
  let fence: string | null = null
  return markdown.split('\n').flatMap((line, index) => {
    fence = nextFence(fence, fenceMark(line))
    return fence === null && /^# \S/.test(line) ? [index + 1] : []
  })
}

function fenceMark(line: string): string | null {
  return /^\s*(```+|~~~+)/.exec(line)?.[1] ?? null
}

/** The fence that is open after a line with this mark. */
function nextFence(open: string | null, mark: string | null): string | null {
  if (mark === null) return open
  if (open === null) return mark
  return mark.startsWith(open) ? null : open
}
