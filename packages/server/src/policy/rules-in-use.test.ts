/** Files of rules on a disk: which count, when they are read, and what hostile ones can do. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { policyFreshMs } from '@agentpty/protocol'
import { judgeBy } from '@agentpty/shell-policy/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadPolicyRules, type PolicyRulesWatch, type RulesInUse, watchPolicyRules } from './rules-in-use.ts'

let home = ''
let now = 0
const at = (name: string) => join(home, name)
const places = () => ({ configPath: at('config/config.yaml'), home })

function write(name: string, text: string): string {
  mkdirSync(dirname(at(name)), { recursive: true })
  writeFileSync(at(name), text)
  return at(name)
}

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'policy-')))
  now = 0
  mkdirSync(at('work/repo/.git'), { recursive: true })
  mkdirSync(at('work/repo/src/deep'), { recursive: true })
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const load = (...folders: readonly string[]) => loadPolicyRules(folders.map(at), places())
const verdictIn = (loaded: RulesInUse, line: string) => judgeBy(loaded.rules, line).verdict
const used = ({ files }: RulesInUse) =>
  files.filter(({ state }) => state !== 'absent').map(({ path }) => path.slice(home.length + 1))

describe('the files that count', () => {
  test('are the user’s own and those up to the repository', () => {
    write('config/config.yaml', 'rows: 30\npolicy: {deny: [a]}\n')
    write('work/repo/.agentpty/policy.yaml', 'deny: [b]')
    write('work/repo/.codebuddy/security.json', '{"commandDenyPatterns": ["^c"]}')
    write('work/repo/src/.codebuddy/permissions.json', '{"commandDenyPatterns": ["^d"]}')
    write('work/.agentpty/policy.yaml', 'deny: [e]')
    const loaded = load('work/repo/src/deep')
    expect(used(loaded)).toEqual([
      'config/config.yaml',
      'work/repo/src/.codebuddy/permissions.json',
      'work/repo/.agentpty/policy.yaml',
      'work/repo/.codebuddy/security.json',
    ])
    expect(['a x', 'b x', 'c x', 'd x', 'e x'].map((line) => verdictIn(loaded, line))).toEqual([
      'deny',
      'deny',
      'deny',
      'deny',
      'allow',
    ])
  })

  test('are those of the outer repository too, so that a new one inside shakes nothing off', () => {
    write('work/repo/.agentpty/policy.yaml', 'deny: [b]')
    mkdirSync(at('work/repo/src/deep/.git'))
    expect(verdictIn(load('work/repo/src/deep'), 'b')).toBe('deny')
  })

  test('without a repository are those up to the home, and not the home’s', () => {
    write('plain/.agentpty/policy.yaml', 'deny: [b]')
    write('.agentpty/policy.yaml', 'deny: [c]')
    mkdirSync(at('plain/deep'))
    expect(['b', 'c'].map((line) => verdictIn(load('plain/deep'), line))).toEqual(['deny', 'allow'])
    expect(verdictIn(load('.'), 'c')).toBe('deny')
  })

  test('elsewhere are those of the folder alone', () => {
    const loaded = loadPolicyRules([at('plain/deep')], { ...places(), home: '/nowhere' })
    write('plain/.agentpty/policy.yaml', 'deny: [b]')
    expect(loaded.files.map(({ state }) => state)).toEqual(['absent'])
  })

  test('of several folders hold together', () => {
    write('one/.agentpty/policy.yaml', 'deny: [a]')
    write('two/.agentpty/policy.yaml', 'deny: [b]')
    const loaded = load('one', 'two')
    expect(['a', 'b'].map((line) => verdictIn(loaded, line))).toEqual(['deny', 'deny'])
  })

  test('of a folder reached by a link are those where it really is', () => {
    write('work/repo/.agentpty/policy.yaml', 'deny: [b]')
    symlinkSync(at('work/repo/src'), at('short'))
    expect(verdictIn(load('short'), 'b')).toBe('deny')
  })

  test('need not be there, nor need the folder', () => {
    expect(load('nowhere/at/all')).toMatchObject({ repositories: [], files: [{ kind: 'user', state: 'absent' }] })
  })
})

describe('a change', () => {
  let watch: PolicyRulesWatch
  beforeEach(() => {
    watch = watchPolicyRules(places(), { now: () => now })
  })
  const look = () => watch.at([at('work/repo')])
  const later = () => {
    now += policyFreshMs
    return look()
  }
  const policy = 'work/repo/.agentpty/policy.yaml'

  test('counts half a second later, and no sooner', () => {
    write(policy, 'deny: [a]')
    expect(verdictIn(look(), 'a')).toBe('deny')
    write(policy, 'deny: [b]')
    expect(verdictIn(look(), 'a')).toBe('deny')
    expect([verdictIn(later(), 'a'), verdictIn(look(), 'b')]).toEqual(['allow', 'deny'])
  })

  test('that is none costs nothing: the rules are the same object', () => {
    write(policy, 'deny: [a]')
    const before = look()
    expect(later()).toBe(before)
  })

  test('of the size and the second of the last one is seen', () => {
    write(policy, 'deny: [a]')
    look()
    write(policy, 'deny: [b]')
    expect(verdictIn(later(), 'b')).toBe('deny')
  })

  test('to an invalid file leaves the last good rules, and says so', () => {
    write(policy, 'deny: [a]')
    look()
    write(policy, 'deny: [a')
    const loaded = later()
    expect([verdictIn(loaded, 'a'), verdictIn(loaded, 'npm test')]).toEqual(['deny', 'allow'])
    expect(loaded.files[1]).toMatchObject({ state: 'kept', rules: 1, problems: [{ mark: 'wrong', line: 1 }] })
    write(policy, 'deny: [b]')
    expect([verdictIn(later(), 'b'), look().files[1]?.state]).toEqual(['deny', 'used'])
  })

  test('to the user’s file is one as well', () => {
    write('config/config.yaml', 'policy: {deny: [a]}')
    look()
    write('config/config.yaml', 'policy: {deny: [/(/]}')
    expect(verdictIn(later(), 'a')).toBe('deny')
    expect(look().files[0]).toMatchObject({ state: 'kept', kind: 'user' })
  })

  test('that removes a file removes its rules', () => {
    write(policy, 'deny: [a]')
    look()
    rmSync(at(policy))
    expect(verdictIn(later(), 'a')).toBe('allow')
  })

  test('is seen in any number of folders, and only some of them are remembered', () => {
    for (let index = 0; index < 200; index++) watch.at([at(`folder-${index}`)])
    write('folder-0/.agentpty/policy.yaml', 'deny: [a]')
    now += policyFreshMs
    expect(verdictIn(watch.at([at('folder-0')]), 'a')).toBe('deny')
  })
})

test('patterns of a program hold in every folder, from the next line on', () => {
  const watch = watchPolicyRules(places(), { now: () => now })
  expect(verdictIn(watch.at([at('work/repo')]), 'docker push x')).toBe('allow')
  watch.add({ deny: [/docker\s+push/], ask: ['npm publish'] }, 'library')
  for (const folder of ['work/repo', 'elsewhere']) {
    const inUse = watch.at([at(folder)])
    expect([verdictIn(inUse, 'docker push x'), verdictIn(inUse, 'npm publish')]).toEqual(['deny', 'ask'])
  }
})

test('the folder of this very server is asked about, wherever it lies', () => {
  const guarded = loadPolicyRules([at('work/repo')], { ...places(), guarded: [at('server')] })
  const lines = [
    'echo x >> server/config.yaml',
    'rm -r server',
    'cat server/token',
    'cat server/daemon.log',
    'ls server',
  ]
  const verdicts = lines.map((line) => verdictIn(guarded, line.replace('server', at('server'))))
  expect(verdicts).toEqual(['ask', 'ask', 'ask', 'allow', 'allow'])
})

describe('a hostile repository', () => {
  const policy = 'work/repo/.agentpty/policy.yaml'
  const only = () => {
    const loaded = load('work/repo')
    return { state: loaded.files[1], loaded }
  }

  test('cannot make the server read a file of another user', () => {
    write('other/secret', 'root:x:0:0: not for you')
    mkdirSync(at('work/repo/.agentpty'))
    symlinkSync(at('other/secret'), at(policy))
    const { state } = only()
    expect(state).toMatchObject({ state: 'broken', problems: [{ found: 'A link that leads out of the repository.' }] })
    expect(JSON.stringify(state)).not.toContain('not for you')
  })

  test('cannot make the server read a folder of another user', () => {
    write('other/policy.yaml', 'deny: [a]')
    symlinkSync(at('other'), at('work/repo/.agentpty'))
    expect(only().state).toMatchObject({ state: 'broken', rules: 0 })
  })

  test('may have a link inside itself', () => {
    write('work/repo/conf/policy.yaml', 'deny: [a]')
    mkdirSync(at('work/repo/.agentpty'))
    symlinkSync('../conf/policy.yaml', at(policy))
    expect(verdictIn(only().loaded, 'a')).toBe('deny')
  })

  test('with a link to itself is not followed for ever', () => {
    mkdirSync(at('work/repo/.agentpty'))
    symlinkSync('policy.yaml', at(policy))
    expect(only().state?.state).toBe('broken')
  })

  test('with a pipe delays no call', () => {
    mkdirSync(at('work/repo/.agentpty'))
    execFileSync('mkfifo', [at(policy)])
    expect(only().state).toMatchObject({ state: 'broken', problems: [{ found: 'No plain file.' }] })
  })

  test('with a folder in place of a file is reported', () => {
    mkdirSync(at(policy), { recursive: true })
    expect(only().state).toMatchObject({ state: 'broken' })
  })

  test('with a file of ten megabytes is not read', () => {
    write(policy, `deny: [a]\n# ${'x'.repeat(10_000_000)}`)
    expect(only().state).toMatchObject({ state: 'broken', problems: [{ found: expect.stringMatching(/Larger than/) }] })
  })

  test('with zero bytes is not read', () => {
    write(policy, 'deny: [a]\0')
    expect(only().state).toMatchObject({ state: 'broken', problems: [{ found: expect.stringMatching(/zero byte/) }] })
  })

  test('that cannot be read has what is not known to read only asked about, and no more', () => {
    write(policy, 'deny: [a')
    const { loaded } = only()
    expect(['npm test', 'ls', 'rm -rf /'].map((line) => verdictIn(loaded, line))).toEqual(['ask', 'allow', 'deny'])
  })

  test('does not loosen by any of its files', () => {
    write(policy, 'profile: trusted\nallow: ["rm **"]\npaths: {write: [/]}')
    write('work/repo/.codebuddy/permissions.json', '{"profile": "trusted", "toolAllowlist": ["*"]}')
    write(
      'work/repo/.codebuddy/security.json',
      '{"version": 1, "allowedPaths": [{"path": "/", "allowReadWrite": true}]}',
    )
    const { loaded } = only()
    expect(['rm -rf build', 'echo x > ~/a', 'sudo -i'].map((line) => verdictIn(loaded, line))).toEqual([
      'ask',
      'ask',
      'deny',
    ])
    expect(loaded.files.flatMap(({ problems }) => problems.map(({ mark }) => mark))).toEqual(Array(6).fill('ignored'))
  })
})
