/** The lines of code in the pages, and the calls of agentpty in them. */

import { readdirSync, readFileSync } from 'node:fs'

const docs = readdirSync('docs').filter((name) => name.endsWith('.md'))
export const pages = [
  'README.md',
  'AGENTS.md',
  'CONTRIBUTING.md',
  'packages/vscode/README.md',
  ...docs.map((name) => `docs/${name}`),
]

export interface Line {
  readonly page: string
  readonly text: string
}

/** The lines of code blocks: fenced, or indented by four columns after an empty line. */
function codeLines(page: string): readonly Line[] {
  const found: Line[] = []
  let isFenced = false
  for (const text of readFileSync(page, 'utf8').split('\n')) {
    if (/^\s*```/.test(text)) isFenced = !isFenced
    else if (isFenced || /^ {4}/.test(text)) found.push({ page, text: text.trim() })
  }
  return found
}

/** The words of each call of agentpty in a shell line. A remark is behind `#`, or in a column of its own. */
function callsIn(text: string): readonly (readonly string[])[] {
  const words = [...text.matchAll(/\s{3,}|(?:"[^"]*"|'[^']*'|\\.|[^\s"'|;&<>])+|[|;&<>]+/g)].map(([word]) => word)
  const calls: string[][] = []
  let call: string[] | null = null
  for (const word of words) {
    if (word.startsWith('#') || word.trim() === '') break
    // `claude mcp add agentpty -- agentpty mcp`: the first one is the name of the entry.
    const isName = word === '--' && call?.length === 0
    if (isName) calls.pop()
    if (isName || /^[|;&<>]+$/.test(word)) call = null
    else if (call !== null) call.push(word.replaceAll(/["'\\}]/g, ''))
    else if (word === 'agentpty') {
      call = []
      calls.push(call)
    }
  }
  return calls
}

export const codeLinesOfAll: readonly Line[] = pages.flatMap(codeLines)

export interface DocumentedCall {
  readonly page: string
  readonly words: readonly string[]
  readonly line: string
}

export const documentedCalls: readonly DocumentedCall[] = codeLinesOfAll.flatMap(({ page, text }) =>
  callsIn(text).map((words) => ({ page, words, line: words.join(' ') })),
)
