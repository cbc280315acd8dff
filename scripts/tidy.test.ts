/** The smallest files that break each rule, and the nearest ones that do not. */
import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { proseRule, titleRule } from './tidy/documents.ts'
import { todoRule } from './tidy/notes.ts'
import { sizeRule } from './tidy/sizes.ts'
import type { Rule, SourceFile } from './tidy/source.ts'
import { untrustedTreeRule } from './tidy/untrusted-trees.ts'
import { wordRule } from './tidy/words.ts'

const at = 'packages/agentpty/src/'

/** Paths are below the package's source unless they name a folder of the checkout. */
function files(tree: Record<string, string>): SourceFile[] {
  const ofCheckout = /^(docs|tests|native|scripts|packages|[A-Z]+\.md)/
  return Object.entries(tree).map(([path, text]) => ({ path: ofCheckout.test(path) ? path : at + path, text }))
}

function found(rule: Rule, tree: Record<string, string>): string[] {
  return rule(files(tree)).map(({ path, line, message }) => `${path.replace(at, '')}:${line}: ${message}`)
}

function accepts(rule: Rule, tree: Record<string, string>): void {
  assert.deepEqual(found(rule, tree), [])
}

function refuses(rule: Rule, tree: Record<string, string>, ...expected: RegExp[]): void {
  const problems = found(rule, tree)
  assert.equal(problems.length, expected.length, problems.join('\n'))
  for (const [index, pattern] of expected.entries()) assert.match(problems[index] ?? '', pattern)
}

describe('sizes', () => {
  const lines = (count: number) => 'x\n'.repeat(count)
  test('hard and soft limits', () => {
    accepts(sizeRule, { 'engine/a.ts': lines(250) })
    refuses(sizeRule, { 'engine/a.ts': lines(251) }, /251 lines/)
    assert.deepEqual(
      sizeRule(files({ 'engine/a.ts': lines(251), 'engine/b.ts': lines(401) })).map((problem) => problem.level),
      ['warning', 'error'],
    )
  })
  test('tables and tests may be long', () => {
    accepts(sizeRule, { 'engine/key-table.ts': lines(900), 'engine/a.test.ts': lines(900) })
  })
  test('C has its own limit', () => {
    accepts(sizeRule, { 'native/ptyhost/a.c': lines(350) })
    refuses(sizeRule, { 'native/ptyhost/a.c': lines(501) }, /hard 500/)
  })
})

describe('notes', () => {
  test('a note for later names its issue', () => {
    const note = 'TO' + 'DO'
    refuses(todoRule, { 'engine/a.ts': `// ${note}: later` }, /needs an issue number/)
    accepts(todoRule, { 'engine/a.ts': `// ${note}(#12): later` })
  })
})

describe('words', () => {
  const glossary = (row: string) =>
    `# Glossary\n\n## Names tidy refuses\n\n| name | where | say instead |\n|---|---|---|\n| ${row} |\n`
  const within = (row: string, tree: Record<string, string>) => ({ 'docs/glossary.md': glossary(row), ...tree })

  test('an identifier is refused by its words, not by its letters', () => {
    refuses(wordRule, within('pane | identifier | session', { 'engine/a.ts': 'const activePane = 1' }), /say session/)
    accepts(wordRule, within('pane | identifier | session', { 'engine/a.ts': 'const panel = expand("pane")' }))
  })
  test('files, folders and exports', () => {
    refuses(wordRule, within('service | file | host', { 'engine/log-service.ts': '' }), /file name "service"/)
    refuses(wordRule, within('utils | folder | x', { 'engine/utils/a.ts': '' }), /folder name "utils"/)
    refuses(wordRule, within('manager | export | host', { 'engine/a.ts': 'export class LogManager {}' }), /export name/)
  })
  test('compatibility doors speak foreign words', () => {
    accepts(wordRule, within('pane | identifier | session', { 'packages/doors/src/tmux/tmux.ts': 'const pane = 1' }))
  })
  test('a glossary without its table is a fault', () => {
    refuses(wordRule, { 'docs/glossary.md': '# Glossary\n' }, /has no table/)
  })
})

describe('documents', () => {
  test('one title per page; a comment in a code block is none', () => {
    accepts(titleRule, { 'README.md': '# One\n\n```sh\n# comment\n```\n' })
    refuses(titleRule, { 'README.md': '# One\n\n# Two\n' }, /README\.md:3: has a second title/)
    refuses(titleRule, { 'README.md': 'text\n' }, /has no title/)
  })
  test('a sentence has at most 30 words', () => {
    const words = (count: number) => `${Array.from({ length: count }, () => 'word').join(' ')}.`
    accepts(proseRule, { 'README.md': `${words(30)} ${words(30)}\n\n* ${words(30)}\n* ${words(30)}\n` })
    refuses(proseRule, { 'README.md': `# Title\n\n${words(31)}\n` }, /README\.md:3: a sentence of 31 words/)
    refuses(proseRule, { 'docs/a.md': `* one\n* ${words(31)}\n` }, /docs\/a\.md:2: a sentence of 31 words/)
  })
  test('a sentence may span lines, and a code span is one word', () => {
    const line = 'one two three four five six seven eight'
    refuses(proseRule, { 'README.md': `${line}\n${line}\n${line}\n${line}\n` }, /a sentence of 32 words/)
    accepts(proseRule, { 'README.md': `${line}\n${line}\n${line}\n\`${line}\` [a](b c d e f g)\n` })
  })
  test('words that hide the actor are refused', () => {
    for (const word of ['told', 'whoever', 'somebody', 'Nobody', 'stands in', 'stands at', 'stands behind'])
      refuses(proseRule, { 'docs/a.md': `The client ${word} it.\n` }, new RegExp(`docs/a\\.md:1: "${word}"; write `))
    accepts(proseRule, { 'docs/a.md': 'Text stands out. The `told` field. untold.\n' })
  })
  test('code, tables and comments are no prose', () => {
    const long = 'nobody '.repeat(40)
    const code = ['```', long, '```', '', `    ${long}`, '', `| ${long} |`, '', `<!-- ${long} -->`].join('\n')
    accepts(proseRule, { 'docs/a.md': `# A\n\n${code}\n` })
  })
  test('records and pages written from code are exempt', () => {
    const pages = ['CHANGELOG.md', 'docs/decisions/001-a.md', 'docs/tools.md', 'docs/cli.md', 'docs/screen.md']
    accepts(proseRule, Object.fromEntries(pages.map((page) => [page, 'Nobody is told.\n'])))
  })
})

describe('untrusted trees', () => {
  test('gym opens paths in tree alone, or where a row says why they are its own', () => {
    accepts(untrustedTreeRule, {
      'packages/gym/src/tree/folder.ts': "import { openSync } from 'node:fs'\n",
      'packages/gym/src/run/play-log.ts': "import { readFileSync } from 'node:fs'\n",
      'packages/gym/src/resets/git.ts': "import { existsSync, type Stats } from 'node:fs'\n",
      'server/state/a.ts': "import { openSync } from 'node:fs'\n",
    })
    refuses(
      untrustedTreeRule,
      {
        'packages/gym/src/run/play-log.ts': "import { readFileSync, writeFileSync } from 'node:fs'\n",
        'packages/gym/src/run/new.ts': "import { readFile } from 'node:fs/promises'\n",
        'packages/gym/src/harbor/whole.ts': "import * as fs from 'node:fs'\n",
      },
      /writeFileSync follows links/,
      /readFile follows links/,
      /all of node:fs/,
    )
  })
})
