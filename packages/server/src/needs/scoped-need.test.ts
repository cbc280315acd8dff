import { expect, test } from 'vitest'
import { programNameOf } from './scoped-need.ts'

const named = (name: string, argv: readonly string[], line: string | null = null, shell: string | null = null) =>
  programNameOf({
    info: { argv: [...argv], shell },
    commands: { current: line === null ? null : { line } },
    program: { foreground: { name } },
  })

test.each([
  ['a program by its own name', named('ssh', ['ssh', 'host']), 'ssh'],
  ['a renamed first thread by the command line', named('MainThread', ['/usr/bin/claude', '-p']), 'claude'],
  ['one that a shell started by its line', named('node-MainThread', ['bash'], './bin/gemini --yolo', 'bash'), 'gemini'],
  ['one that a shell started without marks by nothing', named('MainThread', ['bash'], null, 'bash'), ''],
])('the list of needs names %s', (_what, shown, name) => {
  expect(shown).toBe(name)
})
