/** The smallest files that break each rule, and the nearest ones that do not. */
import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { bannedRule, todoRule } from './tidy/banned.ts'
import { titleRule, verbRule } from './tidy/documents.ts'
import { floorRule } from './tidy/floors.ts'
import { cycleRule, deadFileRule, thirdPartyRule } from './tidy/imports.ts'
import { sizeRule } from './tidy/sizes.ts'
import type { Rule, SourceFile } from './tidy/source.ts'
import { untrustedTreeRule } from './tidy/untrusted-trees.ts'
import { viewsOf } from './tidy/views.ts'
import { wordRule } from './tidy/words.ts'

const at = 'packages/agentpty/src/'

/** Paths are below the package's source unless they name a folder of the checkout. */
function files(tree: Record<string, string>): SourceFile[] {
  const ofCheckout = /^(docs|tests|native|scripts|[A-Z]+\.md)/
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

const importing = (...specifiers: string[]) => specifiers.map((s) => `import { x } from '${s}'\n`).join('')

describe('floors', () => {
  test('imports go downwards', () => {
    accepts(floorRule, { 'engine/log/log.ts': importing('../../contracts/units.ts') })
    refuses(
      floorRule,
      { 'engine/log/log.ts': `\n${importing('../../server/audit.ts')}` },
      /^engine\/log\/log\.ts:2: imports '.*audit\.ts': engine may not import server; declare a port/,
    )
  })
  test('a type import is an import', () => {
    refuses(
      floorRule,
      { 'contracts/a.ts': "import type { X } from '../engine/log/log.ts'" },
      /contracts may not import/,
    )
  })
  test('an import over several lines and a dynamic import are imports', () => {
    refuses(floorRule, { 'contracts/a.ts': "import {\n  a,\n  b,\n} from '../engine/x/x.ts'" }, /a\.ts:1: .*engine/)
    refuses(floorRule, { 'contracts/a.ts': "const m = await import('../faces/mcp/m.ts')" }, /faces/)
  })
  test('stand-ins for ports know the contracts, and only tests and other stand-ins know them', () => {
    accepts(floorRule, {
      'testing/fake-clock.ts': importing('../contracts/ports.ts', './index.ts'),
      'engine/session/testing/fake-session.ts': importing('../../../testing/fake-clock.ts', '../session.ts'),
    })
    refuses(floorRule, { 'testing/fake-pty.ts': importing('../engine/log/log.ts') }, /knows contracts only/)
    refuses(floorRule, { 'engine/log/log.ts': importing('../../testing/fake-clock.ts') }, /stand-ins are for tests/)
  })
  test('a commented import is none, and neither is one in a text', () => {
    accepts(floorRule, { 'contracts/a.ts': "// import { x } from '../engine/x/x.ts'" })
    accepts(floorRule, { 'contracts/a.ts': "const a = `\nimport { x } from '../engine/x/x.ts'\n`" })
  })
  test('what is exported again is imported', () => {
    refuses(floorRule, { 'contracts/a.ts': "export type { X } from '../engine/x/x.ts'" }, /may not import/)
    refuses(floorRule, { 'contracts/a.ts': "export * from '../engine/x/x.ts'" }, /may not import/)
    refuses(floorRule, { 'contracts/a.ts': "import '../engine/x/x.ts'" }, /may not import/)
    accepts(floorRule, { 'contracts/a.ts': "export const from = '../engine/x/x.ts'" })
  })
  test('a face imports contracts and itself', () => {
    accepts(floorRule, { 'faces/mcp/server.ts': importing('../../contracts/client.ts', './present.ts') })
    refuses(floorRule, { 'faces/mcp/server.ts': importing('../../engine/host/host.ts') }, /handed a Client/)
    refuses(floorRule, { 'faces/cli/cli.ts': importing('../wire/wire-client.ts') }, /faces do not import each other/)
  })
  test('a module of the server imports those before it in the order', () => {
    accepts(floorRule, { 'server/agents/spawn.ts': importing('../terminals/index.ts', './fences.ts') })
    refuses(
      floorRule,
      { 'server/agents/spawn.ts': importing('../terminals/list.ts') },
      /take it from server\/terminals\/index/,
    )
    refuses(
      floorRule,
      { 'server/terminals/verbs/send.ts': importing('../../agents/spawn.ts') },
      /comes after terminals/,
    )
    refuses(floorRule, { 'server/terminal/send.ts': '' }, /no module of the server/)
  })
  test('a file on the floor of the server joins its modules, and the gym', () => {
    accepts(floorRule, { 'server/local-client.ts': importing('./terminals/index.ts', '../gym/act.ts') })
    refuses(floorRule, { 'server/terminals/verbs/send.ts': importing('../../../gym/act.ts') }, /may not import gym/)
    refuses(floorRule, { 'gym/act.ts': importing('../server/terminals/verbs/send.ts') }, /may not import server/)
  })
  test('compose sees all floors, and nobody inside imports what is public', () => {
    accepts(floorRule, { 'compose/main.ts': importing('../faces/mcp/server.ts', '../engine/host/host.ts') })
    refuses(floorRule, { 'faces/cli/cli.ts': importing('../../index.ts') }, /only the outside/)
  })
  test('every file lies on a floor', () => {
    refuses(floorRule, { 'utils/strings.ts': '' }, /lies on no floor/)
  })
})

describe('cycles', () => {
  test('two files that import each other', () => {
    const tree = { 'contracts/a.ts': importing('./b.ts'), 'contracts/b.ts': importing('./a.ts') }
    refuses(cycleRule, tree, /b\.ts:1: import cycle: a\.ts → b\.ts → a\.ts/)
  })
  test('two rooms of the engine that import each other through different files', () => {
    const tree = { 'engine/log/a.ts': importing('../marks/b.ts'), 'engine/marks/c.ts': importing('../log/d.ts') }
    refuses(cycleRule, tree, /rooms in a cycle: engine\/log → engine\/marks → engine\/log/)
  })
  test('two paths to one file are no cycle', () => {
    accepts(cycleRule, { 'contracts/a.ts': importing('./b.ts', './c.ts'), 'contracts/b.ts': importing('./c.ts') })
  })
})

describe('third parties', () => {
  test('each library has one home', () => {
    accepts(thirdPartyRule, { 'engine/screen/screen.ts': importing('@xterm/headless', 'node:fs') })
    refuses(thirdPartyRule, { 'engine/log/log.ts': importing('@xterm/headless') }, /in engine\/screen\/ only/)
    refuses(thirdPartyRule, { 'engine/log/log.ts': importing('left-pad') }, /has no home yet/)
  })
  test('tests import what they like', () => {
    accepts(thirdPartyRule, { 'engine/log/log.test.ts': importing('fast-check') })
  })
})

describe('dead files', () => {
  test('what no entry reaches is dead, even when a test imports it', () => {
    const tree = {
      'compose/main.ts': importing('../engine/a.ts'),
      'engine/a.ts': '',
      'engine/b.ts': '',
      'engine/b.test.ts': importing('./b.ts'),
    }
    refuses(deadFileRule, tree, /^engine\/b\.ts:1: nothing that ships/)
  })
  test('stand-ins for tests are exempt', () => {
    accepts(deadFileRule, { 'engine/host/fake-pty.ts': '' })
  })
})

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
    accepts(bannedRule, { 'server/call/pipeline.ts': 'return { context } as Permit' })
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
    accepts(wordRule, within('pane | identifier | session', { 'doors/tmux/tmux.ts': 'const pane = 1' }))
  })
  test('a glossary without its table is a fault', () => {
    refuses(wordRule, { 'docs/glossary.md': '# Glossary\n' }, /has no table/)
  })
})

describe('documents', () => {
  const verb = { 'contracts/verbs/resize.ts': "export const resize = defineVerb({\n  name: 'resize',\n})" }
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
    accepts(verbRule, { 'contracts/verbs/verb.ts': 'export function defineVerb(o: O) { return o }' })
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
      'gym/tree/folder.ts': "import { openSync } from 'node:fs'\n",
      'gym/run/play-log.ts': "import { readFileSync } from 'node:fs'\n",
      'gym/resets/git.ts': "import { existsSync, type Stats } from 'node:fs'\n",
      'server/state/a.ts': "import { openSync } from 'node:fs'\n",
    })
    refuses(
      untrustedTreeRule,
      {
        'gym/run/play-log.ts': "import { readFileSync, writeFileSync } from 'node:fs'\n",
        'gym/run/new.ts': "import { readFile } from 'node:fs/promises'\n",
        'gym/harbor/whole.ts': "import * as fs from 'node:fs'\n",
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
