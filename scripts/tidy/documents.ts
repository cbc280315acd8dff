/** Rules that tie code to its documents, and documents to readers. */
import { errorAt, isTypeScript, type Problem, type SourceFile } from './source.ts'
import { viewsOf } from './views.ts'

const contracts = 'packages/protocol/src/verbs/'
const toolsPage = 'docs/tools.md'

/** Every verb has an entry in the page of tools. */
export function verbRule(files: readonly SourceFile[]): Problem[] {
  const page = files.find((file) => file.path === toolsPage)?.text ?? ''
  return verbsIn(files)
    .filter(({ name }) => !mentions(page, name))
    .map(({ file, name }) => errorAt(file, 0, `${toolsPage} does not mention ${name}; run: npm run docs`))
}

/** The page may say `sendKeys` or, as agents see it, `terminal_send_keys`. */
function mentions(page: string, name: string): boolean {
  const tool = `terminal_${name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()}`
  return new RegExp(`\\b(${name}|${tool})\\b`).test(page)
}

interface Verb {
  readonly file: SourceFile
  readonly name: string
}

/** A verb is a file that calls defineVerb; the tool it becomes is the name it gives there. */
function verbsIn(files: readonly SourceFile[]): Verb[] {
  return files.flatMap((file) => {
    if (!file.path.startsWith(contracts) || !isTypeScript(file) || file.path.endsWith('.test.ts')) return []
    const { code } = viewsOf(file)
    if (!/(?<!function )\bdefineVerb(<[^(]*>)?\(/.test(code)) return []
    const fileName = file.path.slice(contracts.length)
    const name = /\bname:\s*'(?<name>[\w-]+)'/.exec(code)?.groups?.['name'] ?? fileName.replace(/\.ts$/, '')
    return [{ file, name }]
  })
}

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
