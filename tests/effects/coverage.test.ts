/** docs/effects.md against the kernel's list of system calls and the calls of the gate. */

import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const rows = readFileSync('docs/effects.md', 'utf8')
  .split('## What the gate sees')[1]
  ?.split('\n## ')[0]
  ?.split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => {
    const [calls = '', gate = ''] = line.split('|').slice(1)
    return {
      calls: [...calls.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
      isSeen: gate.trim().startsWith('seen'),
    }
  })

const named = rows?.flatMap(({ calls }) => calls) ?? []
const seen = new Set(rows?.filter(({ isSeen }) => isSeen).flatMap(({ calls }) => calls))

const source = readFileSync('native/ptyhost/src/gate_calls_linux.c', 'utf8')
const trapped = [...source.matchAll(/^\t\{\w+, "(\w+)", GATE_/gm)].map(([, name = '']) => name)

/** Calls that change no file. */
const harmless = new Set(
  readFileSync(new URL('harmless-calls.txt', import.meta.url), 'utf8')
    .split(/\s+/)
    .filter((name) => name !== ''),
)

/** Where systems keep the kernel's list: Debian, Alpine, and for processors with the common numbers. */
const headers = [
  '/usr/include/x86_64-linux-gnu/asm/unistd_64.h',
  '/usr/include/asm/unistd_64.h',
  '/usr/include/asm-generic/unistd.h',
]

function kernelCalls(): readonly string[] {
  const header = readFileSync(headers.find((path) => existsSync(path)) ?? '', 'utf8')
  return [...header.matchAll(/^#define __NR_(\w+)/gm)].map(([, name = '']) => name)
}

test('the gate hands over the calls that the table says it sees, and no others', () => {
  expect([...new Set(trapped)].sort()).toEqual([...seen].sort())
})

test('every call of the kernel has a row or changes no file', () => {
  const unknown = kernelCalls().filter((name) => !named.includes(name) && !harmless.has(name))
  expect(unknown).toEqual([])
})

test('no call has two rows, and none with a row is said to be harmless', () => {
  expect(named.filter((name, at) => named.indexOf(name) !== at || harmless.has(name))).toEqual([])
})
