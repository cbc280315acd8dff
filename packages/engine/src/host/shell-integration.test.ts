import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { test } from 'vitest'
import { nonceVariable } from '../session/line-editor.ts'
import { interactiveShell, quote, shellCommand } from './shell-integration.ts'

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

test('whatever the words, a shell gives them back', () => {
  // An argument cannot hold NUL.
  const word = fc.string({ unit: 'binary', maxLength: 30 }).map((text) => text.replaceAll('\0', ''))
  const words = fc.sample(word, 200)
  // One shell for all of them: on a busy machine a process takes long to start, and many of them longer than a test may.
  const script = words.map((one) => `printf '%s\\0' ${quote(one)}`).join('\n')
  const printed = execFileSync('sh', { input: script, encoding: 'utf8' })
  assert.deepEqual(printed.split('\0').slice(0, -1), words)
})
