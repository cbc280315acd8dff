import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { publishTypes } from './published-types.ts'

/** The published files by path: compiled ones, and the manifest of a package `low`. */
function published(files: Readonly<Record<string, string>>, entries: readonly string[]): Record<string, string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentpty-types-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const manifest = { exports: { '.': './src/index.ts', './deep': './src/deep/index.ts' } }
  write(path.join(folder, 'packages', 'low', 'package.json'), JSON.stringify(manifest))
  for (const [file, text] of Object.entries(files)) write(path.join(folder, 'compiled', file), text)
  const target = path.join(folder, 'target')
  const packages = { compiled: path.join(folder, 'compiled'), folderOf: () => path.join(folder, 'packages', 'low') }
  publishTypes(packages, entries, target)
  const names = readdirSync(target, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.d.ts'))
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(path.join(target, name), 'utf8')]))
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

test('a name of another package is taken from the file that declares it, and the rest of its entry is left out', () => {
  const files = {
    'top/index.d.ts': "import { a, type B as C } from '@agentpty/low';\nexport declare const x: typeof a | C;\n",
    'low/index.d.ts':
      "export { a } from './a.ts';\nexport { type Own as B } from './deep/index.ts';\nexport { z } from './z.ts';\n",
    'low/a.d.ts': 'export declare const a = 1;\n',
    'low/z.d.ts': "export { z } from 'far';\n",
    'low/deep/index.d.ts': "export type { Own } from './own.ts';\n",
    'low/deep/own.d.ts': "export type Own = import('../a.ts').A;\n",
  }
  const text = published(files, ['top/index.d.ts'])
  expect(Object.keys(text)).toEqual(['low/a.d.ts', 'low/deep/own.d.ts', 'top/index.d.ts'])
  expect(text['top/index.d.ts']).toContain(
    "import { a } from '../low/a.ts';\nimport { type Own as C } from '../low/deep/own.ts';",
  )
})

test('a type that is imported where it is used is found through an entry, and packages of others stay', () => {
  const files = {
    'top/index.d.ts':
      'import type { Z } from \'zod\';\nexport declare const x: import("@agentpty/low/deep").Own | Z;\n',
    'low/deep/index.d.ts': "export type { Own } from './own.ts';\n",
    'low/deep/own.d.ts': 'export interface Own {}\n',
  }
  const { 'top/index.d.ts': top } = published(files, ['top/index.d.ts'])
  expect(top).toContain("import('../low/deep/own.ts').Own | Z")
  expect(top).toContain("from 'zod'")
})

test('a name that no entry has is refused', () => {
  const files = { 'top/index.d.ts': "import { a } from '@agentpty/low/none';\n" }
  expect(() => published(files, ['top/index.d.ts'])).toThrow('@agentpty/low/none is no entry')
})
