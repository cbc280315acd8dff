/**
 * Keeps the house tidy: what style and architecture ask for, as far as a machine can check. A rule that is not here is
 * advice.
 *
 *   node --import tsx scripts/tidy.ts             one line per problem (file:line, what, what instead); exit code 1 on any error
 *   node --import tsx scripts/tidy.ts --report    figures of the sources
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { proseRule, titleRule } from './tidy/documents.ts'
import { todoRule } from './tidy/notes.ts'
import { figuresOf } from './tidy/report.ts'
import { sizeRule } from './tidy/sizes.ts'
import type { Rule, SourceFile } from './tidy/source.ts'
import { untrustedTreeRule } from './tidy/untrusted-trees.ts'
import { wordRule } from './tidy/words.ts'

const rules: readonly Rule[] = [sizeRule, todoRule, wordRule, titleRule, proseRule, untrustedTreeRule]

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const leftOut = /^(node_modules|dist|build|coverage|results|golden|\..*)$/
const read = /\.(tsx?|mjs|c|h|md)$/

const files = filesBelow(root)
if (process.argv.includes('--report')) {
  for (const { name, count } of figuresOf(files)) process.stdout.write(`${String(count).padStart(7)}  ${name}\n`)
  process.exit()
}
const problems = rules.flatMap((rule) => rule(files))
for (const { path: file, line, message, level } of problems.sort(byPosition)) {
  process.stdout.write(`${file}:${line}: ${level === 'warning' ? 'warning: ' : ''}${message}\n`)
}
const errors = problems.filter((problem) => problem.level === 'error').length
process.stdout.write(`tidy: ${files.length} files, ${errors} errors, ${problems.length - errors} warnings\n`)
if (errors > 0) process.exitCode = 1

function filesBelow(folder: string): SourceFile[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry): SourceFile[] => {
    if (leftOut.test(entry.name)) return []
    const full = path.join(folder, entry.name)
    if (entry.isDirectory()) return filesBelow(full)
    if (!entry.isFile() || !read.test(entry.name)) return []
    return [{ path: path.relative(root, full).replaceAll(path.sep, '/'), text: readFileSync(full, 'utf8') }]
  })
}

function byPosition(a: { path: string; line: number }, b: { path: string; line: number }): number {
  return a.path.localeCompare(b.path) || a.line - b.line
}
