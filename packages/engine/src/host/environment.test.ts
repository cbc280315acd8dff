import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nonceVariable } from '../session/line-editor.ts'
import { interactiveShell, quote, sessionEnvironment, shellCommand } from './environment.ts'

function environment(
  base: Readonly<Record<string, string>>,
  rest: { home?: string; without?: string; extra?: Record<string, string> } = {},
) {
  return sessionEnvironment({
    base,
    extra: rest.extra ?? {},
    terminal: 'term-3',
    lineageKey: 'key-3',
    home: rest.home ?? null,
    without: rest.without ?? '',
  })
}

test('the caller’s environment goes along, with the truth about the terminal', () => {
  expect(environment({ PATH: '/opt/bin', EDITOR: 'vi', TERM: 'dumb', LANG: 'de_DE.UTF-8' })).toMatchObject({
    PATH: '/opt/bin',
    EDITOR: 'vi',
    LANG: 'de_DE.UTF-8',
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    AGENTPTY_TERMINAL: 'term-3',
    AGENTPTY_LINEAGE: 'key-3',
  })
})

test('without a PATH there is an ordinary one', () => {
  assert.match(environment({})['PATH'] ?? '', /\/usr\/bin/)
})

test.each([
  'TMUX',
  'TMUX_PANE',
  'STY',
  'COLUMNS',
  'LINES',
  'TERM_PROGRAM',
  'VTE_VERSION',
  'KITTY_WINDOW_ID',
  'WEZTERM_PANE',
  'ITERM_SESSION_ID',
  'VSCODE_SHELL_INTEGRATION',
  'NODE_CHANNEL_FD',
])('%s, which names another terminal, stays behind', (name) => {
  assert.equal(name in environment({ [name]: 'x' }), false)
})

test.each(['SSH_AUTH_SOCK', 'LINES_OF_CODE', 'NODE_OPTIONS', 'TERMINAL_EMULATOR_X'])('%s goes along', (name) => {
  assert.equal(environment({ [name]: 'x' })[name], 'x')
})

describe('the home', () => {
  test('is set when there is one, and the caller’s own does not get in the way', () => {
    assert.equal(environment({ AGENTPTY_HOME: '/other' }, { home: '/mine' })['AGENTPTY_HOME'], '/mine')
  })

  test('of another terminal is not this one', () => {
    assert.equal(environment({ AGENTPTY_TERMINAL: 'term-1' })['AGENTPTY_TERMINAL'], 'term-3')
  })
})

test('variables that the caller sets override all others except those of the terminal', () => {
  const extra = { TERM: 'vt100', EDITOR: 'ed', AGENTPTY_TERMINAL: 'term-9' }
  expect(environment({ EDITOR: 'vi' }, { extra })).toMatchObject({
    TERM: 'vt100',
    EDITOR: 'ed',
    AGENTPTY_TERMINAL: 'term-3',
    AGENTPTY_LINEAGE: 'key-3',
  })
})

test.each<[string, Record<string, string>, string | undefined]>([
  ['none', {}, 'C.UTF-8'],
  ['one without UTF-8', { LANG: 'C' }, 'C.UTF-8'],
  ['UTF-8', { LANG: 'en_US.utf8' }, undefined],
  ['UTF-8 for characters', { LANG: 'C', LC_CTYPE: 'en_US.UTF-8' }, 'en_US.UTF-8'],
  ['one for everything, which the caller has chosen', { LC_ALL: 'C' }, undefined],
])('a caller whose locale is %s can see every character', (_name, base, want) => {
  assert.equal(environment(base)['LC_CTYPE'], want)
})

test('variables that the configuration names stay out, unless the call itself sets them', () => {
  const base = { AWS_SECRET_ACCESS_KEY: 'x', AWS_REGION: 'eu', DEPLOY_CODE: 'y', DEPLOY_CODES: 'z' }
  const { AWS_REGION, ...given } = environment(base, { without: 'AWS_*, DEPLOY_CODE', extra: { AWS_REGION: 'us' } })
  expect([AWS_REGION, given['AWS_SECRET_ACCESS_KEY'], given['DEPLOY_CODE'], given['DEPLOY_CODES']]).toEqual([
    'us',
    undefined,
    undefined,
    'z',
  ])
})

test.each<[string, Record<string, string>, readonly string[], Record<string, string>]>([
  ['/bin/bash', {}, ['/bin/bash', '--rcfile', '/lib/bash.sh', '-i'], {}],
  ['bash', {}, ['bash', '--rcfile', '/lib/bash.sh', '-i'], {}],
  ['/usr/bin/zsh', {}, ['/usr/bin/zsh', '-i'], { ZDOTDIR: '/lib/zsh' }],
  ['zsh', { ZDOTDIR: '/my' }, ['zsh', '-i'], { ZDOTDIR: '/lib/zsh', AGENTPTY_USER_ZDOTDIR: '/my' }],
  ['fish', {}, ['fish', '-C', 'source /lib/fish.fish'], {}],
  ['/bin/dash', {}, ['/bin/dash', '-i'], {}],
])('%s is started so that it marks its commands, or as it is', (shell, env, argv, want) => {
  const start = interactiveShell(shell, '/lib', env)
  const { [nonceVariable]: nonce, ...others } = start.env
  assert.deepEqual([start.argv, others], [argv, want])
  assert.equal(nonce !== undefined && /^\w{24}$/.test(nonce), !argv[0]?.endsWith('dash'))
})

test('a folder with spaces is one word', () => {
  assert.deepEqual(interactiveShell('fish', '/my lib', {}).argv.at(-1), "source '/my lib/fish.fish'")
})

test('a line is run by the shell', () => {
  assert.deepEqual(shellCommand('/bin/zsh', 'echo $HOME'), ['/bin/zsh', '-c', 'echo $HOME'])
})

test.each<[string, string]>([
  ['plain', 'plain'],
  ['/a/b-c_d.e', '/a/b-c_d.e'],
  ['', "''"],
  ['two words', "'two words'"],
  ['$HOME', "'$HOME'"],
  ["it's", `'it'\\''s'`],
  ['~', "'~'"],
  ['=ls', "'=ls'"],
  ['a=b', "'a=b'"],
  ['a\\b', `'a'\\\\'b'`],
])('%s is quoted as one word', (word, want) => {
  assert.equal(quote(word), want)
})

test('a shell reads quoted words unchanged', () => {
  // An argument cannot hold NUL.
  const word = fc.string({ unit: 'binary', maxLength: 30 }).map((text) => text.replaceAll('\0', ''))
  const words = fc.sample(word, 200)
  // One shell for all of them: on a busy machine a process takes long to start, and many of them longer than a test may.
  const script = words.map((one) => `printf '%s\\0' ${quote(one)}`).join('\n')
  const printed = execFileSync('sh', { input: script, encoding: 'utf8' })
  assert.deepEqual(printed.split('\0').slice(0, -1), words)
})
