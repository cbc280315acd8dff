import { expect, test } from 'vitest'
import { commandBlock, fenced } from './markdown.ts'

test.each([
  ['plain text', 'a\nb', '```\na\nb\n```\n'],
  ['empty lines at the end', 'a\n\n\n', '```\na\n```\n'],
  ['a fence of its own', 'x\n```\ny', '````\nx\n```\ny\n````\n'],
  ['a long run of backticks', 'x ````` y', '``````\nx ````` y\n``````\n'],
])('%s is inside of one fenced block', (_, text, expected) => {
  expect(fenced(text)).toBe(expected)
})

test.each([
  ['a command that succeeded', { line: '$ ls', exitCode: 0 }, 'a b', '```console\n$ ls\na b\n```\n'],
  ['a command without output', { line: '$ true', exitCode: 0 }, '', '```console\n$ true\n```\n'],
  ['a failed command', { line: '$ false', exitCode: 1 }, '', '```console\n$ false\n```\n\nExit code 1\n'],
  ['a running command', { line: '$ sleep 9', exitCode: null }, 'z', '```console\n$ sleep 9\nz\n```\n'],
])('%s is a block with its prompt', (_, command, output, expected) => {
  expect(commandBlock(command, output)).toBe(expected)
})
