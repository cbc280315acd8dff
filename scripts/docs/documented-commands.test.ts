/** Every command line of agentpty in the pages names a command, flags and words that exist, and every npm script exists. */

import { readdirSync, readFileSync } from 'node:fs'
import { type CliOptions, type CommandTable, runCli } from '@agentpty/cli'
import { expect, test } from 'vitest'
import { commands } from '../../packages/agentpty/src/compose/commands.ts'
import { scripts } from '../run/table.mjs'

const docs = readdirSync('docs').filter((name) => name.endsWith('.md'))
const pages = [
  'README.md',
  'AGENTS.md',
  'CONTRIBUTING.md',
  'packages/vscode/README.md',
  ...docs.map((name) => `docs/${name}`),
]

/** The same commands, which do nothing once their line is parsed. */
const parsedOnly: CommandTable = Object.fromEntries(
  Object.entries(commands).map(([name, load]) => [name, async () => ({ ...(await load()), run: async () => 0 })]),
)

interface Line {
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

const lines = pages.flatMap(codeLines)
const calls = lines.flatMap(({ page, text }) => callsIn(text).map((words) => ({ page, words, line: words.join(' ') })))

test('the pages have command lines', () => {
  expect(calls.length).toBeGreaterThan(150)
})

test.each(calls)('$page: agentpty $line', async ({ words }) => {
  let complaint = ''
  const options: Pick<CliOptions, 'commands' | 'version' | 'print' | 'complain'> = {
    commands: parsedOnly,
    version: '1.2.3',
    print: () => {},
    complain: (text) => {
      complaint += text
    },
  }
  const code = await runCli(words, options as CliOptions)
  expect([code, complaint]).toEqual([0, ''])
})

test('every npm script that a page names exists', () => {
  const named = lines.flatMap(({ page, text }) =>
    [...text.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => ({ page, name })),
  )
  expect(named.filter(({ name }) => !Object.hasOwn(scripts, name))).toEqual([])
})

test('no page names a published package before it is published', () => {
  const wrong = pages.filter((page) =>
    /npx (?:-y )?agentpty|npm (?:i|install) -g agentpty/.test(readFileSync(page, 'utf8')),
  )
  expect(wrong).toEqual([])
})
