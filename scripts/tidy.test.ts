/** The smallest files that break each rule, and the nearest ones that do not. */
import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { bannedRule, todoRule } from './tidy/banned.ts'
import { titleRule, verbRule } from './tidy/documents.ts'
import { sizeRule } from './tidy/sizes.ts'
import type { Rule, SourceFile } from './tidy/source.ts'
import { untrustedTreeRule } from './tidy/untrusted-trees.ts'
import { viewsOf } from './tidy/views.ts'
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
    accepts(sizeRule, { 'engine/a.ts': lines(200) })
    refuses(sizeRule, { 'engine/a.ts': lines(201) }, /201 lines/)
    assert.deepEqual(
      sizeRule(files({ 'engine/a.ts': lines(201), 'engine/b.ts': lines(351) })).map((problem) => problem.level),
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

describe('banned calls', () => {
  test('time comes from the clock', () => {
    refuses(bannedRule, { 'engine/a.ts': 'const t = Date.now()\nsetTimeout(f, 1)' }, /:1: .*clock\.now/, /:2: .*callAt/)
    refuses(
      bannedRule,
      { 'server/terminals/verbs/a.ts': 'write(bytes, { permit: {} as Permit })' },
      /only the pipeline/,
    )
    accepts(bannedRule, { 'packages/server/src/call/pipeline.ts': 'return { context } as Permit' })
    refuses(bannedRule, { 'engine/a.ts': "import { setTimeout } from 'node:timers/promises'" }, /timers are banned/)
    accepts(bannedRule, { 'engine/system-clock.ts': 'export const now = () => Date.now()' })
  })
  test('naming a call in a comment, a string or a regular expression is not calling it', () => {
    accepts(bannedRule, {
      'engine/a.ts': "// Date.now()\nconst a = 'Date.now()', b = /Date.now()/, c = `Date.now() ${x}`",
    })
    refuses(bannedRule, { 'engine/a.ts': 'const c = `${Date.now()}`' }, /clock\.now/)
  })
  test('tests do not sleep and are not left out', () => {
    refuses(bannedRule, { 'tests/a.test.ts': 'await new Promise((r) => setTimeout(r, 500))' }, /does not sleep/)
    refuses(bannedRule, { 'tests/a.test.ts': "test.skip('x', f)\ntest.only('y', f)" }, /skipped test/, /hides/)
  })
  test('a catch is empty only with a sentence why', () => {
    refuses(bannedRule, { 'engine/a.ts': 'try { f() } catch {}' }, /say in a comment why/)
    accepts(bannedRule, { 'engine/a.ts': 'try { f() } catch {\n  // gone already: that is what we wanted\n}' })
  })
  test('any', () => {
    refuses(bannedRule, { 'engine/a.ts': 'let a: any = b as any' }, /switches the types off/, /switches the types off/)
    accepts(bannedRule, { 'engine/a.ts': "Promise.any(x); const y = { any: 1 }; const z = 'as any'" })
  })
  test('default exports', () => {
    refuses(bannedRule, { 'engine/a.ts': 'export default 1' }, /no default exports/)
  })
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
  test('files, folders, exports and calls', () => {
    refuses(wordRule, within('service | file | host', { 'engine/log-service.ts': '' }), /file name "service"/)
    refuses(wordRule, within('utils | folder | x', { 'engine/utils/a.ts': '' }), /folder name "utils"/)
    refuses(wordRule, within('manager | export | host', { 'engine/a.ts': 'export class LogManager {}' }), /export name/)
    refuses(wordRule, within('sleep | call | wait', { 'engine/a.ts': 'await sleep(5)' }), /call name "sleep"/)
  })
  test('compatibility doors speak foreign words', () => {
    accepts(wordRule, within('pane | identifier | session', { 'packages/doors/src/tmux/tmux.ts': 'const pane = 1' }))
  })
  test('a glossary without its table is a fault', () => {
    refuses(wordRule, { 'docs/glossary.md': '# Glossary\n' }, /has no table/)
  })
})

describe('documents', () => {
  const verb = { 'packages/protocol/src/verbs/resize.ts': "export const resize = defineVerb({\n  name: 'resize',\n})" }
  test('a verb has a section in the tools page', () => {
    refuses(verbRule, verb, /does not mention resize/)
    accepts(verbRule, { ...verb, 'docs/tools.md': '# Tools\n\n## resize\n' })
    accepts(verbRule, {
      ...verb,
      'server/terminals/verbs/resize.ts': '',
      'docs/tools.md': '# Tools\n\nterminal_resize\n',
    })
  })
  test('where verbs are defined is no verb', () => {
    accepts(verbRule, { 'packages/protocol/src/verbs/verb.ts': 'export function defineVerb(o: O) { return o }' })
  })
  test('one title per page; a comment in a code block is none', () => {
    accepts(titleRule, { 'README.md': '# One\n\n```sh\n# comment\n```\n' })
    refuses(titleRule, { 'README.md': '# One\n\n# Two\n' }, /README\.md:3: has a second title/)
    refuses(titleRule, { 'README.md': 'text\n' }, /has no title/)
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

describe('the two views of a file', () => {
  const bareOf = (text: string) => viewsOf({ path: 'a.ts', text }).bare.replace(/ +/g, ' ').trim()
  test.each([
    ['a division is not a regular expression', 'const a = b / c // d', 'const a = b / c'],
    ['a regular expression may hold quotes and slashes in a class', "x.match(/['/]/) + y", 'x.match( ) + y'],
    ['a template inside a template', 'f(`a ${g(`b ${h} c`)} d`)', 'f(` g(` h} )} )'],
    ['braces inside a template part', 'f(`${ {a: 1} } x`, z)', 'f(` {a: 1} } , z)'],
    ['an escaped quote', "f('a\\'b', c)", 'f( , c)'],
    ['the flags of a regular expression are no name', 'f(/x/gu, c)', 'f( , c)'],
    ['a division after a string', "f('a' / b / c)", 'f( / b / c)'],
    ['a character that begins no token', 'a # b', 'a # b'],
  ])('%s', (_name, text, want) => assert.equal(bareOf(text), want))
})
